"""The yardstick of the whole pipeline: the same problems, made by plain loops in one file.

``python straightforward.py --config FILE --out FILE``; the configuration is a whole one (``runs/<run>/config.yaml`` of a run),
its corpus in JSON lines. One call of Stanza's pipeline for each first sentence and each passage; one search for each question
and window; every pair of questions compared; every sentence of the corpus compared with every question. It follows
docs/algorithm.md by the same pure rules (``wdw_build.text``), reaches Lucene, KenLM, CBC and the event scorer by the same
adapters, and has nothing else of the product: no stages, no store, no batches.

Left out: rejections, exports.
"""

from __future__ import annotations

import argparse
import datetime as dt
import functools
import hashlib
import importlib
import json
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import yaml

from wdw_build.adapters.corpora.jsonl import JsonlReader
from wdw_build.adapters.kenlm_model import find_tool
from wdw_build.adapters.lucene import LuceneIndex
from wdw_build.adapters.pulp_solver import PulpSolver
from wdw_build.adapters.stanza_models import find_models
from wdw_build.core.frequencies import FrequencyCounter
from wdw_build.ports import ArticleText, LinearProgramme
from wdw_build.records import Article, Mention, Question, Tagged, Tokens, Unreadable
from wdw_build.registry import EVENT_SCORERS
from wdw_build.text import names, persons, unfit
from wdw_build.text.article_names import ArticleNames
from wdw_build.text.boundaries import ends_sentence
from wdw_build.text.consistency import PERSON, settle
from wdw_build.text.credits import cut_credits
from wdw_build.text.datelines import split_dateline
from wdw_build.text.dates import day_number, parse_date
from wdw_build.text.deletion import Rules, delete
from wdw_build.text.entities import (
    Entity,
    group,
    is_another_form,
    join_adjacent,
    only_persons,
    widen,
    without_other_forms,
)
from wdw_build.text.mentions import mend, over_initials
from wdw_build.text.overlap import holds_run, ngrams, reprint_share, share_of, side_runs, similarity
from wdw_build.text.same_event import Frequencies
from wdw_build.text.suppression import Cell, Entry, count, programme, select
from wdw_build.text.tokens import lm_tokens, sentences, words
from wdw_build.text.trees import Sentence

_SPACE = re.compile(r"\s+")
_HAIR = 1e-6
_UNFIT = {
    "round-up": "refuse_round_ups", "schedule": "refuse_schedules", "correction": "refuse_corrections",
    "market-report": "refuse_market_reports",
}  # fmt: skip
Span = tuple[int, int]
Options = Any


# ---- corpus ----------------------------------------------------------------------------------------------------------


def read_articles(options: Options) -> dict[str, Article]:
    """Every usable article by id."""
    articles: dict[str, Article] = {}
    for raw in JsonlReader(Path(options.corpus.path), vars(options.corpus.options)).read():
        if isinstance(raw, Unreadable) or raw.id in articles:
            continue
        day = parse_date(raw.date, options.ingest.date_formats)
        if day is None or (options.ingest.kinds and raw.kind not in options.ingest.kinds):
            continue
        credits: list[str] = []
        paragraphs = list(raw.paragraphs)
        if options.ingest.cut_credits:
            paragraphs, credits = cut_credits(paragraphs)
        if paragraphs:
            paragraphs[0] = split_dateline(paragraphs[0], raw.source)[1]
        paragraphs = [paragraph for paragraph in paragraphs if paragraph.strip()]
        if paragraphs:
            articles[raw.id] = Article(
                id=raw.id, date=day, source=raw.source, kind=raw.kind, title=raw.title, dateline="",
                paragraphs=tuple(paragraphs), credits=tuple(credits),
            )  # fmt: skip
    return articles


# ---- Stanza ----------------------------------------------------------------------------------------------------------


def stanza_pipeline(models: str, processors: str = "tokenize,pos,ner,constituency", **more: Any) -> Any:
    """Stanza's pipeline as its manual shows it, with the product's models, on one thread."""
    import stanza
    import torch

    torch.set_num_threads(1)
    found = find_models(models)
    return stanza.Pipeline(
        "en", dir=str(found.folder), package=found.package, processors=processors, download_method=None, use_gpu=False,
        logging_level="ERROR", verbose=False, **more,
    )  # fmt: skip


class Nlp:
    """A tokenizer, and the pipeline for tokenised sentences: sentences cut inside a name are joined in between."""

    def __init__(self, options: Options) -> None:
        self._size, self._settles = options.nlp.max_sentence_tokens, options.nlp.settle_names
        self._mends = options.nlp.mend_mentions
        self._tokenize = stanza_pipeline(options.nlp.models, "tokenize")
        self._annotate = stanza_pipeline(options.nlp.models, tokenize_pretokenized=True)

    def sentences(self, text: str) -> list[tuple[int, Tokens]]:
        """Each sentence with where it starts."""
        found: list[tuple[int, Tokens]] = []
        for sentence in self._tokenize(text).sentences if text.strip() else ():
            spans = [_place(word) for word in sentence.words]
            tokens = tuple(_SPACE.sub("", word.text) for word in sentence.words)
            if found:
                start, before = found[-1]
                if not ends_sentence(before.words, tokens[0], text[start + len(before.text) : spans[0][0]]):
                    spans = [(low + start, high + start) for low, high in before.spans] + spans
                    tokens = before.words + tokens
                    found.pop()
            start = spans[0][0]
            inside = tuple((low - start, high - start) for low, high in spans)
            found.append((start, Tokens(text=text[start : spans[-1][1]], words=tokens, spans=inside)))
        return found

    def first(self, paragraph: str) -> tuple[Tokens, list[Span], str] | None:
        """The first sentence, its persons as token spans, its tree."""
        found = self.sentences(paragraph[:4000])
        if not found:
            return None
        tokens = found[0][1]
        sentence = self._annotate([list(tokens.words)]).sentences[0]
        return tokens, _persons(self._named(sentence, tokens.words, tokens.spans)), str(sentence.constituency)

    def persons(self, text: str) -> list[Mention]:
        """The person mentions of a whole article."""
        pieces = [
            (start, tokens.words[at : at + self._size], tokens.spans[at : at + self._size])
            for start, tokens in self.sentences(text)
            for at in range(0, len(tokens.words), self._size)
        ]
        mentions = []
        if pieces:
            document = self._annotate([list(piece) for _, piece, _ in pieces])
            sentences = zip(pieces, document.sentences, strict=True)
            named = [self._named(one, piece, spans) for (_, piece, spans), one in sentences]
            found = settle([piece for _, piece, _ in pieces], named) if self._settles else list(map(_persons, named))
            if self._mends:
                found = [mend(piece, spans, own) for (_, piece, spans), own in zip(pieces, found, strict=True)]
            for (start, _, spans), persons_of in zip(pieces, found, strict=True):
                for first, last in persons_of:
                    low, high = start + spans[first][0], start + spans[last - 1][1]
                    mentions.append(Mention(start=low, end=high, text=text[low:high]))
        return mentions

    def _named(self, sentence: Any, tokens: Sequence[str], spans: Sequence[Span]) -> list[Tagged]:
        """The names of a sentence, persons' mentions mended."""
        found = [(one.words[0].id - 1, one.words[-1].id, one.type) for one in sentence.ents]
        persons_of = [(start, end) for start, end, kind in found if kind in {"PERSON", "PER"}]
        if self._mends:
            persons_of = mend(tokens, spans, persons_of)
        else:
            persons_of = [(over_initials(tokens, start), end) for start, end in persons_of]
        covered = {at for start, end in persons_of for at in range(start, end)} if self._mends else set()
        others = [
            Tagged(start, end, kind)
            for start, end, kind in found
            if kind not in {"PERSON", "PER"} and covered.isdisjoint(range(start, end))
        ]
        return sorted([*others, *(Tagged(*span, PERSON) for span in persons_of)], key=lambda one: (one.start, one.end))


def _place(word: Any) -> Span:
    source = word if word.start_char is not None else word.parent
    return source.start_char, source.end_char


def _persons(named: Sequence[Tagged]) -> list[Span]:
    return [(one.start, one.end) for one in named if one.kind == PERSON]


# ---- questions -------------------------------------------------------------------------------------------------------


def make_question(article: Article, nlp: Nlp, options: Options) -> tuple[Question, list[str]] | None:
    """The question of an article, and the names in it that are no persons."""
    found = nlp.first(article.paragraphs[0])
    if found is None or not options.questions.min_tokens <= len(found[0].words) <= options.questions.max_tokens:
        return None
    tokens, spans, tree = found
    no_persons: list[str] = []
    kept: list[Span] = []
    said = ArticleNames(article.text, [names.clean(_mention(tokens, span).text) for span in spans])
    for span in spans:
        before = tokens.words[span[0] - 1] if span[0] else ""
        after = tokens.words[span[1]] if span[1] < len(tokens.words) else ""
        name = _mention(tokens, span).text
        if options.questions.refuse_non_persons and persons.refusal(name, before, after, said):
            no_persons.append(name)
        else:
            kept.append(span)
    eligible: list[Span] = []
    for span in kept:
        name = _mention(tokens, span).text
        short = len(names.name_words(name)) <= options.questions.max_name_words
        shared = any(names.shares_word(name, _mention(tokens, other).text) for other in eligible)
        if short and names.counting_words(name) and not shared:
            eligible.append(span)
    if len(eligible) < 2:
        return None
    for span in reversed(eligible):
        blank = delete(Sentence(tree), tokens, span, _rules(options))
        if not blank.rule:
            others = [other for other in kept if other[1] <= blank.start or other[0] >= blank.end]
            question = Question(
                id=article.id, date=article.date, source=article.source, sentence=tokens.text, tokens=tokens.words,
                blank_tokens=(blank.start, blank.end), blank=_mention(tokens, (blank.start, blank.end)),
                name=_mention(tokens, span), others=tuple(_mention(tokens, other) for other in others), tree=tree,
            )  # fmt: skip
            return question, no_persons
    return None


def _mention(tokens: Tokens, span: Span) -> Mention:
    start, end = tokens.spans[span[0]][0], tokens.spans[span[1] - 1][1]
    return Mention(start=start, end=end, text=tokens.text[start:end])


def _rules(options: Options) -> Rules:
    chosen = options.questions
    return Rules(
        max_phrase_tokens=chosen.max_phrase_tokens, finite_verb=chosen.refuse_finite_verb,
        modifier=chosen.refuse_modifier, and_beside=chosen.refuse_and_beside, name_outside=chosen.refuse_name_outside,
        cut_phrase=chosen.refuse_cut_phrase, extend_titles=chosen.extend_titles, extend_tail=chosen.extend_tail,
        trim_phrase=chosen.trim_phrase, prepositions=frozenset(chosen.climb_prepositions),
    )  # fmt: skip


# ---- passages --------------------------------------------------------------------------------------------------------


def build_index(articles: dict[str, Article], options: Options, folder: Path) -> LuceneIndex:
    """A Lucene index of the articles in ``folder``."""
    index = LuceneIndex(options.index, options.execution.java_heap)
    with index.writer(folder) as add:
        for article in articles.values():
            add(article.id, day_number(article.date), article.text)
    return index


def is_valid(question: Question, own: Article, article: Article, options: Options) -> bool:
    """Whether an article may be the passage of a question."""
    chosen = options.retrieve
    for rule, judge in unfit.RULES.items():
        if getattr(chosen, _UNFIT[rule]) and judge(article.title, article.paragraphs):
            return False
    if chosen.max_figures and unfit.figure_share(article.text) >= chosen.max_figures:
        return False
    bag = Counter(words(question.sentence))
    sides = side_runs(words(question.left), words(question.right), chosen.context_words, chosen.min_context_words)
    for sentence in sentences(article.text):
        shown = words(sentence)
        if len(shown) >= chosen.min_sentence_words and share_of(shown, bag) > chosen.max_sentence_overlap:
            return False
        if any(side and holds_run(shown, side) for side in sides):
            return False
    capitalised = [part for word in article.text.split() for part in {word, *word.split("-")} if not part.islower()]
    shown_names = {part for word in capitalised for part in names.name_words(word)}
    others = [names.counting_words(other.text) for other in question.others]
    if chosen.require_other_person and not any(parts & shown_names for parts in others):
        return False
    return not chosen.max_reprint or reprint_share(_grams(own), _grams(article)) < chosen.max_reprint


def _grams(article: Article) -> set[tuple[str, ...]]:
    return ngrams([word for sentence in sentences(article.text) for word in words(sentence)], 8)


def event_scorer(options: Options) -> Any:
    """The event scorer of the configuration."""
    module, _, name = EVENT_SCORERS[options.retrieve.event_scorer].partition(":")
    return getattr(importlib.import_module(module), name)()


def frequencies_of(articles: dict[str, Article]) -> Frequencies:
    """In how many articles each word stands."""
    counter = FrequencyCounter()
    for article in articles.values():
        counter.add(words(article.text))
    return counter.result()


def _article_text(article: Article) -> ArticleText:
    return ArticleText(article.id, day_number(article.date), article.title, tuple(sentences(article.text)))


def candidates(
    question: Question, articles: dict[str, Article], index: LuceneIndex, folder: Path, options: Options,
    scorer: Any, frequencies: Frequencies,
) -> list[Article]:  # fmt: skip
    """The valid candidates of a question, in the order in which they are tried."""
    chosen = options.retrieve
    valid = looked_at(question, articles, index, folder, options)
    if chosen.rank_by == "bm25" and not chosen.min_event_score:
        return [article for article, _, _ in valid[: chosen.max_valid]]
    own, texts = _article_text(articles[question.id]), [_article_text(article) for article, _, _ in valid]
    scores = scorer.score(question.sentence, own, texts, frequencies)
    kept = [(score, *one) for score, one in zip(scores, valid, strict=True) if score >= chosen.min_event_score]
    if chosen.rank_by == "event":
        kept.sort(key=lambda one: (-one[0], one[2], -round(one[3], 4), one[1].id))
    return [article for _, article, _, _ in kept[: chosen.max_valid]]


def looked_at(
    question: Question, articles: dict[str, Article], index: LuceneIndex, folder: Path, options: Options
) -> list[tuple[Article, int, float]]:
    """Of the candidates looked at the valid ones, with window and BM25 score, from near windows to far."""
    chosen, name = options.retrieve, question.name.text
    wanted = [names.bare(name)] if chosen.name == "phrase" else sorted(names.counting_words(name))
    seen: set[str] = set()
    valid: list[tuple[Article, int, float]] = []
    for window in chosen.windows:
        for hit in index.search(
            folder, sentence=question.sentence, names=wanted, day=day_number(question.date), window=window,
            exclude=question.id, limit=chosen.max_candidates,
        ):  # fmt: skip
            if hit.id in seen:
                continue
            if len(seen) >= chosen.max_candidates:
                return valid
            seen.add(hit.id)
            if is_valid(question, articles[question.id], articles[hit.id], options):
                valid.append((articles[hit.id], window, hit.score))
    return valid


def choose(
    question: Question, no_persons: list[str], found: list[Entity], options: Options
) -> tuple[list[Entity], int] | None:
    """The choices and the answer's index, or None if this is no passage."""
    chosen, name = options.choices, question.name.text
    kept = [entity for entity in found if not _in_question(entity.name, question, no_persons, options)]
    matching = [entity for entity in kept if names.shares_word(entity.name, name)]
    for word in names.counting_words(name) if len(matching) > 1 else ():
        if sum(word in names.counting_words(entity.name) for entity in matching) > 1:
            return None
    answers = [entity for entity in matching if names.same_person(entity.name, name)]
    if len(answers) != 1 or len(kept) < chosen.min_choices:
        return None
    if len(kept) > chosen.max_choices:
        if chosen.above_max == "refuse":
            return None
        others = [one for one in kept if one is not answers[0]]
        others.sort(key=lambda one: (_draw(options.seed, "choices", f"{question.id}\x1f{one.name}"), one.name))
        drawn = [answers[0].name, *(one.name for one in others[: chosen.max_choices - 1])]
        kept = [one for one in kept if one.name in drawn]
    return kept, kept.index(answers[0])


def _in_question(name: str, question: Question, no_persons: list[str], options: Options) -> bool:
    for other in [*(other.text for other in question.others), *no_persons]:
        if names.shares_word(name, other) and not (options.choices.keep_namesakes and names.are_namesakes(name, other)):
            return True
        if options.choices.merge_forms and is_another_form(name, other):
            return True
    shown = words(name)
    return any(bool(shown) and holds_run(words(side), shown) for side in (question.left, question.right))


def make_problems(articles: dict[str, Article], options: Options, folder: Path) -> list[SimpleNamespace]:
    """A problem for each question that has a passage."""
    nlp, index = Nlp(options), build_index(articles, options, folder)
    scorer, frequencies = event_scorer(options), frequencies_of(articles)
    # The one thing that anybody would keep: an article is not annotated twice.
    persons_of = functools.cache(lambda article: nlp.persons(articles[article].text))
    problems = []
    for article in articles.values():
        made = make_question(article, nlp, options)
        if made is None:
            continue
        for passage in candidates(made[0], articles, index, folder, options, scorer, frequencies):
            mentions = join_adjacent(persons_of(passage.id), passage.text)
            if options.choices.merge_forms:
                mentions = widen(mentions, passage.text)
            if options.choices.refuse_non_persons:
                mentions = only_persons(mentions, passage.text)
            found = group(mentions)
            if options.choices.merge_forms:
                found = without_other_forms(found, passage.text)
            chosen = choose(*made, found, options)
            if chosen is not None:
                problems.append(
                    SimpleNamespace(question=made[0], passage=passage.id, choices=chosen[0], answer=chosen[1])
                )
                break
    return problems


# ---- from problems to a dataset --------------------------------------------------------------------------------------


def without_duplicates(problems: list[SimpleNamespace], options: Options) -> list[SimpleNamespace]:
    """The problems whose question is too similar to no earlier one, each compared with all that are kept."""
    kept: list[SimpleNamespace] = []
    for problem in sorted(problems, key=lambda one: (one.question.date, one.question.id)):
        shown = words(problem.question.sentence)
        if all(similarity(shown, words(one.question.sentence)) < options.dedup.threshold for one in kept):
            kept.append(problem)
    return kept


def model_text(articles: dict[str, Article], problems: list[SimpleNamespace], options: Options) -> Iterator[list[str]]:
    """The sentences of all articles that are too similar to no question."""
    chosen = options.baselines
    bags = [Counter(words(one.question.sentence)) for one in problems]
    sides = [
        side_runs(words(one.question.left), words(one.question.right), chosen.context_words, chosen.min_context_words)
        for one in problems
    ]
    runs = [run for pair in sides for run in pair if run]
    for article in articles.values():
        split = sentences(article.text)
        shown = [words(sentence) for sentence in split] if chosen.exclude_similar else []
        if not any(
            (len(sentence) >= chosen.min_sentence_words and share_of(sentence, bag) > chosen.max_sentence_overlap)
            for sentence in shown
            for bag in bags
        ) and not any(holds_run(sentence, run) for sentence in shown for run in runs):
            yield from map(lm_tokens, split)


def guesses(
    problems: list[SimpleNamespace], articles: dict[str, Article], options: Options, folder: Path
) -> list[list[int]]:
    """What the four baselines choose, problem by problem."""
    import kenlm

    counts: Counter[str] = Counter()
    text, arpa = folder / "corpus.txt", folder / "model.arpa"
    with text.open("w", encoding="utf-8", errors="replace") as stream:
        for tokens in filter(None, model_text(articles, problems, options)):
            counts.update(tokens)
            stream.write(" ".join(tokens) + "\n")
    subprocess.run(
        [find_tool("lmplz"), "-o", str(options.baselines.order), "-S", options.execution.lm_memory, "-T", folder / "sort-",
         "--discount_fallback", "--skip_symbols", "--text", text, "--arpa", arpa], check=True, capture_output=True,
    )  # fmt: skip
    model = kenlm.Model(str(arpa))
    guessed = []
    for problem in problems:
        question, choices = problem.question, problem.choices
        filled = [" ".join(lm_tokens(f"{question.left}{choice.name}{question.right}")) for choice in choices]
        scores = [
            [-choice.first for choice in choices],
            [len(choice.mentions) for choice in choices],
            [round(model.score(sentence.encode("utf-8", "replace").decode()), 4) for sentence in filled],
            [counts[names.last_name(choice.name)] for choice in choices],
        ]
        guessed.append([max(range(len(row)), key=lambda at, row=row: (row[at], -at)) for row in scores])
    return guessed


def suppress(problems: list[SimpleNamespace], guessed: list[list[int]], options: Options) -> dict[str, bool]:
    """The ids that are kept, and whether they are strict."""
    entries = [
        Entry(
            problem.question.id,
            Cell("".join(str(int(guess == problem.answer)) for guess in row), len(problem.choices)),
            _draw(options.seed, "suppress", problem.question.id),
        )
        for problem, row in zip(problems, guessed, strict=True)
    ]
    counts = count(entries)
    least: dict[Cell, float] = {}
    levels: list[frozenset[str]] = [frozenset()]
    for bound in (options.suppress.strict, options.suppress.relaxed):
        objective, rows, bounds = programme(counts, bound, least)
        if least:
            limits = {name: sum(weight * bounds[key][0] for key, weight in row.items()) for name, (row, _) in rows.items()}
            rows = {name: (row, max(limit, limits[name] + _HAIR)) for name, (row, limit) in rows.items()}
        values = PulpSolver().solve(LinearProgramme(objective, rows, bounds))
        least = {cell: min(1.0, max(least.get(cell, 0.0), round(values[cell.name], 9))) for cell in counts}
        levels.append(select(entries, least, bound, levels[-1]))
    return {entry.id: entry.id in levels[1] for entry in entries if entry.id in levels[2]}


def _draw(seed: int, stage: str, record_id: str) -> float:
    key = f"{seed}\x1f{stage}\x1f{record_id}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(key).digest()[:7], "big") / float(1 << 56)


def split(problems: list[SimpleNamespace], strict: dict[str, bool], options: Options) -> dict[str, str]:
    """The split of every problem that has one."""
    days = {one.question.id: one.question.date for one in problems}
    order = sorted((days[name], name) for name, is_strict in strict.items() if is_strict)
    held = order[len(order) - min(options.split.held_out, int(options.split.max_share * len(order))) :]
    shuffled = sorted((name for _, name in held), key=lambda name: (_draw(options.seed, "split", name), name))
    placed = {
        name: "validation" if at < (len(shuffled) + 1) // 2 else "test" for at, name in enumerate(shuffled)
    }  # fmt: skip
    last = held[0][0] - dt.timedelta(days=options.split.gap_days)
    for name in strict:
        late = (days[name], name) > held[0] or (options.split.gap_days and days[name] > last)
        if name not in placed and not late:
            placed[name] = "train"
    return placed


def build(options: Options, folder: Path) -> list[dict[str, Any]]:
    """The whole dataset: a row for each problem that is no duplicate, with its split if it is kept."""
    articles = read_articles(options)
    problems = without_duplicates(make_problems(articles, options, folder / "lucene"), options)
    strict = suppress(problems, guesses(problems, articles, options, folder), options)
    placed = split(problems, strict, options)
    return [row_of(one.question, one.passage, [choice.name for choice in one.choices], one.answer,
                   placed.get(one.question.id, "")) for one in problems]  # fmt: skip


def row_of(question: Question, passage: str, choices: list[str], answer: int, place: str) -> dict[str, Any]:
    """What two ways of making a problem are compared by."""
    blank = [question.blank.start, question.blank.end]
    return {
        "id": question.id, "sentence": question.sentence, "blank": blank, "passage": passage, "choices": choices,
        "answer": answer, "split": place,
    }  # fmt: skip


def read_options(path: Path) -> Options:
    """A whole configuration as nested namespaces."""
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    fields = raw["corpus"].pop("options")
    options = json.loads(json.dumps(raw), object_hook=lambda found: SimpleNamespace(**found))
    options.corpus.options = SimpleNamespace(**fields)
    return options


def main() -> None:
    """Build and write a row a line."""
    parser = argparse.ArgumentParser(description="The whole pipeline by plain loops.")
    parser.add_argument("--config", type=Path, required=True, help="a whole configuration: runs/<run>/config.yaml")
    parser.add_argument("--out", type=Path, required=True, help="the problems, one a line")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wdw-straightforward-") as folder:
        rows = build(read_options(arguments.config), Path(folder))
    arguments.out.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
