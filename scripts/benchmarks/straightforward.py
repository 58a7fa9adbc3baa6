"""The yardstick of the whole pipeline: a plain program that makes the same problems.

``python straightforward.py --config FILE --out FILE`` reads a configuration whose corpus is in JSON lines, and writes one
problem a line. The program implements the paper's Algorithms 1 and 2, the baselines, the suppression and the split. The
configuration must have the values of ``preset: paper``; the program refuses any other with exit code 2.

The program runs Stanza's pipeline once for each first sentence and each passage, and searches Lucene once for each question
and window. It compares all pairs of questions, and every sentence of the corpus with every question. It uses the functions
of ``wdw_build.text`` for names, words, sentences and trees, the selection of ``wdw_build.selection`` (of several choices that
keep equally many problems, another program could find another), and the adapters for Lucene and KenLM. It has no stages, store
or batches, and writes no rejections and exports.
"""

from __future__ import annotations

import argparse
import datetime as dt
import functools
import json
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from wdw_build.adapters.corpora.text_rows import JsonlReader
from wdw_build.adapters.kenlm_model import find_tool
from wdw_build.adapters.lucene_index import LuceneIndex
from wdw_build.adapters.pulp_solver import PulpSolver
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.adapters.stanza.annotator import MAX_SENTENCE_TOKENS
from wdw_build.adapters.stanza.models import find_models
from wdw_build.core.hashing import uniform_hash
from wdw_build.errors import ConfigError
from wdw_build.pipeline.config.file import load_config, paper_values
from wdw_build.pipeline.config.settings import Config
from wdw_build.ports import Hit
from wdw_build.records import Article, Mention, Question, Tokens, Unreadable
from wdw_build.selection.offers import Limits, Offers, Terms
from wdw_build.selection.program import choose as select
from wdw_build.stages.retrieve import MAX_VALID
from wdw_build.text import dates
from wdw_build.text.blanking import trees
from wdw_build.text.dates import USUAL_FORMATS
from wdw_build.text.names import mention_repair
from wdw_build.text.names.compare import compare
from wdw_build.text.names.name import parse
from wdw_build.text.names.persons import Entity, group
from wdw_build.text.names.settle import join_adjacent
from wdw_build.text.pages import datelines
from wdw_build.text.passages import passage_text as overlap
from wdw_build.text.sentences import boundaries
from wdw_build.text.settings import RetrieveConfig
from wdw_build.text.tokens import lm_tokens, plain_words, search_words, words

# Keys outside the preset of which this program implements one value only.
_FIXED: dict[str, dict[str, object]] = {
    "ingest": {"time_zone": ""},
    "retrieve": {"name_match": "phrase", "require_other_person": True},
    "baselines": {"exclude_similar": True},
    "split": {"by_event": False},
}
_SPACE = re.compile(r"\s+")
Span = tuple[int, int]


@dataclass
class Problem:
    """A question, the id of its passage, the choices, and the answer's index among them."""

    question: Question
    passage: str
    choices: list[Entity]
    answer: int


def read_articles(config: Config) -> dict[str, Article]:
    """Every usable article by id."""
    articles: dict[str, Article] = {}
    for raw in JsonlReader(Path(config.corpus.path), config.corpus.options).read():
        if isinstance(raw, Unreadable) or raw.id in articles:
            continue
        day = dates.parse_date(raw.date, config.ingest.date_formats or USUAL_FORMATS)
        if day is None or (config.ingest.kinds and raw.kind not in config.ingest.kinds):
            continue
        first, *rest = raw.paragraphs or [""]
        paragraphs = tuple(one for one in [datelines.split_dateline(first)[1], *rest] if one.strip())
        if paragraphs:
            articles[raw.id] = Article(
                id=raw.id,
                date=day,
                source=raw.source,
                kind=raw.kind,
                title=raw.title,
                dateline="",
                paragraphs=paragraphs,
            )
    return articles


def stanza_pipeline(models: str, processors: str = "tokenize,pos,ner,constituency", **more: Any) -> Any:
    """Stanza's pipeline as in its manual, with the models of ``wdw-build``, on one thread."""
    import stanza
    import torch

    torch.set_num_threads(1)
    found = find_models(models)
    return stanza.Pipeline(
        "en",
        dir=str(found.folder),
        package=found.package,
        processors=processors,
        download_method=None,
        use_gpu=False,
        logging_level="ERROR",
        verbose=False,
        **more,
    )


class Nlp:
    """Stanza's tokenizer, and its pipeline for tokenised sentences. Joins sentences that were split inside a name."""

    def __init__(self, config: Config) -> None:
        self._size = MAX_SENTENCE_TOKENS
        self._tokenize = stanza_pipeline(config.nlp.models, "tokenize")
        self._annotate = stanza_pipeline(config.nlp.models, tokenize_pretokenized=True)

    def sentences(self, text: str) -> list[tuple[int, Tokens]]:
        """Each sentence with its offset in the text."""
        found: list[tuple[int, Tokens]] = []
        for sentence in self._tokenize(text).sentences if text.strip() else ():
            places = [word if word.start_char is not None else word.parent for word in sentence.words]
            spans = [(place.start_char, place.end_char) for place in places]
            tokens = tuple(_SPACE.sub("", word.text) for word in sentence.words)
            if found:
                start, before = found[-1]
                if not boundaries.ends_sentence(before.words, tokens[0], text[start + len(before.text) : spans[0][0]]):
                    spans = [(low + start, high + start) for low, high in before.spans] + spans
                    tokens = before.words + tokens
                    found.pop()
            start = spans[0][0]
            inside = tuple((low - start, high - start) for low, high in spans)
            found.append((start, Tokens(text=text[start : spans[-1][1]], words=tokens, spans=inside)))
        return found

    def first(self, paragraph: str) -> tuple[Tokens, list[Span], str] | None:
        """The first sentence, its persons as token spans, and its tree; None for a blank paragraph."""
        found = self.sentences(paragraph[:4000])
        if not found:
            return None
        tokens = found[0][1]
        sentence = self._annotate([list(tokens.words)]).sentences[0]
        return tokens, _persons(sentence), str(sentence.constituency)

    def persons(self, text: str) -> list[Mention]:
        """The person mentions of an article."""
        pieces = [
            (start, tokens.words[at : at + self._size], tokens.spans[at : at + self._size])
            for start, tokens in self.sentences(text)
            for at in range(0, len(tokens.words), self._size)
        ]
        document = self._annotate([list(piece) for _, piece, _ in pieces]).sentences if pieces else []
        found = []
        for (start, _, spans), sentence in zip(pieces, document, strict=True):
            for first, end in _persons(sentence):
                low, high = start + spans[first][0], start + spans[end - 1][1]
                found.append(Mention(start=low, end=high, text=text[low:high]))
        return found


def _persons(sentence: Any) -> list[Span]:
    """The persons that the tagger finds, as token spans with any initials directly before the name."""
    tokens = [word.text for word in sentence.words]
    spans = [(one.words[0].id - 1, one.words[-1].id) for one in sentence.ents if one.type in {"PERSON", "PER"}]
    return [(mention_repair.over_initials(tokens, start), end) for start, end in spans]


def make_question(article: Article, nlp: Nlp, config: Config) -> Question | None:
    """The question of an article (Algorithm 1)."""
    found = nlp.first(article.paragraphs[0])
    if found is None or not config.questions.min_tokens <= len(found[0].words) <= config.questions.max_tokens:
        return None
    tokens, persons, tree = found
    eligible: list[Span] = []
    for span in persons:
        name = tokens.mention(span).text
        short = len(parse(name).bare.split()) <= config.questions.max_name_words
        shared = any(parse(name).shares_word(parse(tokens.mention(other).text)) for other in eligible)
        if short and parse(name).core and not shared:
            eligible.append(span)
    for span in reversed(eligible) if len(eligible) > 1 else ():
        phrase = trees.climb(trees.Sentence(tree, repair=False), *span)
        if phrase is None or phrase.coordinated_above:
            continue
        start, end = phrase.start, phrase.end
        if {"and", "&"}.isdisjoint(word.casefold() for word in tokens.words[start:end]):
            others = [other for other in persons if other[1] <= start or other[0] >= end]
            return Question(
                id=article.id,
                date=article.date,
                source=article.source,
                sentence=tokens.text,
                tokens=tokens.words,
                blank_tokens=(start, end),
                blank=tokens.mention((start, end)),
                name=tokens.mention(span),
                others=tuple(tokens.mention(other) for other in others),
                tree=tree,
            )
    return None


def build_index(articles: dict[str, Article], config: Config, folder: Path) -> Callable[..., Iterator[list[Hit]]]:
    """Index the articles with Lucene in ``folder``; return the search function."""
    index = LuceneIndex(config.execution.java_heap)
    with index.writer(folder) as add:
        for article in articles.values():
            add(article.id, dates.day_number(article.date), article.text)
    return functools.partial(index.search, folder)


def similar_to(question: Question, bounds: RetrieveConfig) -> Callable[[list[list[str]]], bool]:
    """Whether one of an article's sentences, given as words, is too similar to the question.

    Such a sentence shares too many words with the question, or contains the words beside the blank in order.
    """
    bag = Counter(words(question.sentence))
    sides = overlap.side_runs(words(question.left), words(question.right))
    runs = [side for side in sides if side]
    return lambda shown: any(
        overlap.share_of(sentence, bag) > bounds.max_sentence_overlap
        or any(overlap.holds_run(sentence, run) for run in runs)
        for sentence in shown
    )


def names_other(question: Question, article: Article) -> bool:
    """Whether an article names another person of the question than the deleted one."""
    shown = set()
    for written in article.text.split():
        parts = plain_words(written).split()
        shown |= {part.casefold() for part in {"".join(parts), *parts} if not part.islower()}
    wanted = {word for other in question.others for word in parse(other.text).core}
    spelled = [search_words(word).split() for word in wanted]
    return any("".join(parts) in shown or shown.issuperset(parts) for parts in spelled)


def candidates(
    question: Question, articles: dict[str, Article], search: Callable[..., Iterator[list[Hit]]], config: Config
) -> Iterator[Article]:
    """The valid candidates of a question (Algorithm 2), by window and then by BM25."""
    is_similar, limit, seen = similar_to(question, config.retrieve), config.retrieve.max_candidates, set[str]()
    for window in config.retrieve.windows:
        (hits,) = search(
            sentence=question.sentence,
            names=[parse(question.name.text).bare],
            day=dates.day_number(question.date),
            windows=[window],
            exclude=question.id,
            limit=limit,
        )
        for hit in hits:
            if hit.id not in seen and len(seen) < limit:
                seen.add(hit.id)
                article = articles[hit.id]
                if names_other(question, article) and not is_similar(
                    list(map(words, PunktSplitter().sentences(article.text)))
                ):
                    yield article


def choose(question: Question, persons: list[Entity], config: Config) -> tuple[list[Entity], int] | None:
    """The choices and the answer's index (Algorithm 2); None if the passage is refused."""
    name, others = question.name.text, [other.text for other in question.others]
    choices = [one for one in persons if not any(parse(one.name).shares_word(parse(other)) for other in others)]
    if not config.choices.min_choices <= len(choices) <= config.choices.max_choices:
        return None
    for word in parse(name).core:
        if sum(word in parse(one.name).core for one in choices) > 1:
            return None
    answers = [at for at, one in enumerate(choices) if compare(one.name, name).is_form]
    return (choices, answers[0]) if len(answers) == 1 else None


def make_problems(articles: dict[str, Article], config: Config, folder: Path) -> list[Problem]:
    """A problem for each question with a passage."""
    nlp, search = Nlp(config), build_index(articles, config, folder)
    # An article may be a candidate of several questions; the cache annotates it once.
    persons_of = functools.cache(lambda article: nlp.persons(articles[article].text))
    problems = []
    for article in articles.values():
        question = make_question(article, nlp, config)
        if question is None:
            continue
        valid = candidates(question, articles, search, config)
        for passage in islice(valid, MAX_VALID):
            chosen = choose(question, group(join_adjacent(persons_of(passage.id), passage.text)), config)
            if chosen is not None:
                problems.append(Problem(question, passage.id, *chosen))
                break
    return problems


def without_duplicates(problems: list[Problem], config: Config) -> list[Problem]:
    """The problems whose question is not too similar to an earlier kept one."""
    kept: list[Problem] = []
    for problem in sorted(problems, key=lambda one: (one.question.date, one.question.id)):
        shown = words(problem.question.sentence)
        if all(overlap.similarity(shown, words(one.question.sentence)) < config.dedup.threshold for one in kept):
            kept.append(problem)
    return kept


def model_text(articles: dict[str, Article], problems: list[Problem], config: Config) -> Iterator[list[str]]:
    """The tokens of the sentences in articles that are not too similar to any question."""
    tests = [similar_to(one.question, config.retrieve) for one in problems]
    for article in articles.values():
        split = PunktSplitter().sentences(article.text)
        shown = list(map(words, split))
        if not any(is_similar(shown) for is_similar in tests):
            yield from map(lm_tokens, split)


def predict(problems: list[Problem], articles: dict[str, Article], config: Config, folder: Path) -> list[list[int]]:
    """The choices of the four baselines for each problem, as indices."""
    import kenlm

    counts: Counter[str] = Counter()
    text, arpa = folder / "corpus.txt", folder / "model.arpa"
    with text.open("w", encoding="utf-8", errors="replace") as stream:
        for tokens in filter(None, model_text(articles, problems, config)):
            counts.update(tokens)
            stream.write(" ".join(tokens) + "\n")
    subprocess.run(
        [
            find_tool("lmplz"),
            "-o",
            str(config.baselines.ngram_order),
            "-S",
            config.execution.lm_memory,
            "-T",
            folder / "sort-",
            "--discount_fallback",
            "--skip_symbols",
            "--text",
            text,
            "--arpa",
            arpa,
        ],
        check=True,
        capture_output=True,
    )
    model = kenlm.Model(str(arpa))
    predicted = []
    for problem in problems:
        question, choices = problem.question, problem.choices
        filled = [" ".join(lm_tokens(question.filled(choice.name))) for choice in choices]
        scores = [
            [-choice.first for choice in choices],
            [len(choice.mentions) for choice in choices],
            [round(model.score(sentence.encode("utf-8", "replace").decode()), 3) for sentence in filled],
            [counts[parse(choice.name).last] for choice in choices],
        ]
        predicted.append([row.index(max(row)) for row in scores])
    return predicted


def suppress(problems: list[Problem], predicted: list[list[int]], config: Config) -> dict[str, bool]:
    """The ids of the kept problems, and whether each is strict. The integer programs are those of ``selection``."""
    numbers = np.arange(len(problems))
    offers = Offers(
        article=numbers,
        choices=np.array([len(one.choices) for one in problems]),
        solved=np.array(
            [[guess == one.answer for guess in row] for one, row in zip(problems, predicted, strict=True)], np.int8
        ),
        ranks=np.zeros((len(problems), 0), np.int8),
        event=np.zeros(len(problems)),
        evidence=np.zeros(len(problems)),
        draw=np.array([uniform_hash(config.seed, "suppress", one.question.id) for one in problems]),
        day=np.array([one.question.date.toordinal() for one in problems]),
        # There are no caps, so passages and answers do not matter.
        passage=numbers,
        question=numbers,
        person=numbers,
        traits=np.zeros((len(problems), 0), np.int64),
    )
    levels: list[NDArray[np.int64]] = []
    for bound in (config.suppress.strict, config.suppress.relaxed):
        terms = Terms(
            bound, by_choices=False, event_weight=0.0, evidence_weight=0.0, limits=Limits(0, 0, 0.0, 0), apart_from=None
        )
        levels.append(select(offers, terms, PulpSolver(), levels[0] if levels else None))
    strict, relaxed = levels
    return {one.question.id: bool(strict[at] >= 0) for at, one in enumerate(problems) if relaxed[at] >= 0}


def split(problems: list[Problem], strict: dict[str, bool], config: Config) -> dict[str, str]:
    """The split of every kept problem that has one. The latest strict problems are held out."""
    days = {one.question.id: one.question.date for one in problems}
    order = sorted((days[name], name) for name, is_strict in strict.items() if is_strict)
    held = order[len(order) - min(config.split.held_out, int(config.split.max_share * len(order))) :]
    shuffled = sorted((name for _, name in held), key=lambda name: (uniform_hash(config.seed, "split", name), name))
    half = (len(shuffled) + 1) // 2
    placed = {name: "validation" if at < half else "test" for at, name in enumerate(shuffled)}
    last = held[0][0] - dt.timedelta(days=config.split.gap_days)
    for name in strict:
        late = (days[name], name) > held[0] or (config.split.gap_days and days[name] > last)
        if name not in placed and not late:
            placed[name] = "train"
    return placed


def build(config: Config, folder: Path) -> list[dict[str, Any]]:
    """A row for each problem that is not a duplicate, with its split, if any. Writes index and model into ``folder``."""
    articles = read_articles(config)
    problems = without_duplicates(make_problems(articles, config, folder / "lucene"), config)
    strict = suppress(problems, predict(problems, articles, config, folder), config)
    placed = split(problems, strict, config)
    return [
        row_of(one.question, one.passage, one.choices, one.answer, placed.get(one.question.id, "")) for one in problems
    ]


def row_of(question: Question, passage: str, choices: Iterable[Any], answer: int, place: str) -> dict[str, Any]:
    """The fields of a problem that the benchmark compares; ``place`` is its split."""
    blank = [question.blank.start, question.blank.end]
    return {
        "id": question.id,
        "sentence": question.sentence,
        "blank": blank,
        "passage": passage,
        "choices": [choice.name for choice in choices],
        "answer": answer,
        "split": place,
    }


def read_paper_config(path: Path) -> Config:
    """The configuration. Raises ``ConfigError`` if a value differs from ``preset: paper`` or is not implemented here."""
    config = load_config(path)
    wrong: list[str] = []
    wanted: Mapping[str, Mapping[str, object]]
    for wanted in (paper_values(), _FIXED):
        for section, keys in wanted.items():
            given = {key: getattr(getattr(config, section), key) for key in keys}
            # Compared as JSON, because a preset may write a tuple as a list.
            wrong += [
                f"{section}.{key} is {given[key]!r}, not {value!r}"
                for key, value in keys.items()
                if msgspec.json.encode(given[key]) != msgspec.json.encode(value)
            ]
    if wrong:
        hint = "set preset: paper, and remove these keys"
        raise ConfigError(f"{path} does not follow preset: paper: {'; '.join(wrong)}", hint=hint)
    return config


def main() -> None:
    """Build the problems and write one a line."""
    parser = argparse.ArgumentParser(description="The pipeline with preset: paper, as a plain program.")
    parser.add_argument("--config", type=Path, required=True, help="a configuration with preset: paper")
    parser.add_argument("--out", type=Path, required=True, help="the problems, one a line")
    arguments = parser.parse_args()
    try:
        config = read_paper_config(arguments.config)
    except ConfigError as error:
        parser.error(f"{error}\n  try: {error.hint}")
    with tempfile.TemporaryDirectory(prefix="wdw-straightforward-") as folder:
        rows = build(config, Path(folder))
    arguments.out.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
