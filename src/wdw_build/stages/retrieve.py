"""retrieve: ranked candidates for each question, each refused one with its rule (Algorithm 2, search and ``is_valid``).

Windows from near to far, within a window by BM25; an article seen in an earlier window is not looked at again. Articles
that are no story of one event (``text.unfit``) are refused before the paper's tests. What is left out here: choices,
which need the model and are built in ``choices`` from the valid candidates.
"""

from __future__ import annotations

import functools
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

from wdw_build.core.frequencies import read_frequencies
from wdw_build.core.settings import RetrieveConfig
from wdw_build.core.stage import Context, Stage
from wdw_build.core.store import MARK_EVERY
from wdw_build.ports import INDEX_FOLDER, Hit, SearchIndex
from wdw_build.records import Article, Candidate, Question, Record, Rejection, Retrieval
from wdw_build.text import unfit
from wdw_build.text.dates import day_number
from wdw_build.text.names import bare, counting_words, fold_text, name_words
from wdw_build.text.overlap import Run, holds_run, ngrams, reprint_share, share_of, side_runs
from wdw_build.text.same_event import Frequencies, Told, features, score
from wdw_build.text.tokens import sentences, words

_GRAM = 8
_CACHED_ARTICLES = 6144
_CACHED_WORDS = 1 << 16


class _Text:
    """What the tests need of an article, made when it is first asked for: most candidates break the first test."""

    def __init__(self, article: Article, config: RetrieveConfig) -> None:
        self.article, self._config = article, config

    @functools.cached_property
    def unfit(self) -> tuple[str, str]:
        """The rule and the words that make it no passage, whatever is asked."""
        return _unfit(self.article, self._config)

    @functools.cached_property
    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words of each sentence."""
        # Interned: the texts that are kept share their words.
        return tuple(tuple(map(sys.intern, words(sentence))) for sentence in sentences(self.article.text))

    @functools.cached_property
    def _letters(self) -> str:
        return fold_text(self.article.text)

    @functools.cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(part for word in set(self.article.text.split()) for part in _name_parts(word))

    def names_any(self, parts: Set[str]) -> bool:
        """Whether one of a name's words stands in it as a word of a name."""
        # Where the letters do not even follow each other, there is no such word.
        return any(part in self._letters for part in parts) and bool(parts & self._names)

    def grams(self) -> set[Run]:
        """The 8-grams; not kept, for they take more room than all the rest."""
        return ngrams([word for sentence in self.sentences for word in sentence], _GRAM)


def _unfit(article: Article, config: RetrieveConfig) -> tuple[str, str]:
    """(rule, words that broke it), or two empty strings."""
    wanted = {
        "round-up": config.refuse_round_ups,
        "schedule": config.refuse_schedules,
        "correction": config.refuse_corrections,
        "market-report": config.refuse_market_reports,
    }
    for rule, judge in unfit.RULES.items():
        if wanted[rule] and (detail := judge(article.title, article.paragraphs)):
            return rule, detail
    if config.max_figures and (share := unfit.figure_share(article.text)) >= config.max_figures:
        return "table", f"{share:.2f} of the tokens"
    return "", ""


@functools.lru_cache(_CACHED_WORDS)
def _name_parts(word: str) -> tuple[str, ...]:
    """What a written word may be of a name: "Smith-Jones's" is smith-jones, smith and jones."""
    # A name's word is written with a capital: "bush" is not the other person of the question.
    capitalised = (part for part in {word, *word.split("-")} if not part.islower())
    return tuple(part for found in capitalised for part in name_words(found))


class _Validity:
    """``is_valid`` for one question."""

    def __init__(self, question: Question, own: _Text, config: RetrieveConfig) -> None:
        self._config, self._own = config, own
        self._bag = Counter(words(question.sentence))
        self._left, self._right = side_runs(
            words(question.left), words(question.right), config.context_words, config.min_context_words
        )
        # A long word is rarely anywhere: a sentence without it needs no closer look.
        self._left_word, self._right_word = (max(side, key=len, default="") for side in (self._left, self._right))
        self._others = [(other.text, counting_words(other.text)) for other in question.others]

    @functools.cached_property
    def _own_grams(self) -> set[Run]:
        # Made when asked for: most candidates are refused before.
        return self._own.grams()

    def refusal(self, text: _Text) -> tuple[str, str]:
        """(rule, words that broke it), or two empty strings."""
        # First, for it is the cheapest and refuses the most.
        if self._config.require_other_person and not any(text.names_any(parts) for _, parts in self._others):
            return "no-other-person", "; ".join(name for name, _ in self._others)
        if text.unfit[0]:
            return text.unfit
        if found := self._sentence_refusal(text):
            return found
        if self._config.max_reprint:
            share = reprint_share(self._own_grams, text.grams())
            if share >= self._config.max_reprint:
                return "reprint", f"{share:.2f} of the 8-grams"
        return "", ""

    def _sentence_refusal(self, text: _Text) -> tuple[str, str] | None:
        most, least = self._config.max_sentence_overlap, self._config.min_sentence_words
        for sentence in text.sentences:
            # Repetitions counted, more cannot be shared than the words that stand in the question at all.
            if len(sentence) >= least and sum(map(self._bag.__contains__, sentence)) > most * len(sentence):
                share = share_of(sentence, self._bag)
                if share > most:
                    return "sentence-overlap", f"{share:.2f}: {' '.join(sentence)[:200]}"
            if self._left_word in sentence and holds_run(sentence, self._left):
                return "left-context", " ".join(self._left)
            if self._right_word in sentence and holds_run(sentence, self._right):
                return "right-context", " ".join(self._right)
        return None


class _SameEvent:
    """The event scores of one question's candidates."""

    def __init__(self, question: Question, own: _Text, frequencies: Frequencies) -> None:
        self._words, self._day = words(question.sentence), day_number(question.date)
        self._own, self._frequencies = _told(own), frequencies

    def score(self, text: _Text) -> float:
        """How likely the article tells of the question's event."""
        days = day_number(text.article.date) - self._day
        return score(features(self._words, self._own, _told(text), days, self._frequencies))


def _told(text: _Text) -> Told:
    return Told(title=words(text.article.title), sentences=text.sentences)


class _Search:
    """Candidates of one question, window by window."""

    def __init__(self, config: RetrieveConfig, context: Context) -> None:
        self._config, self._context = config, context
        self._index: SearchIndex = context.port("index")
        self._folder = context.inputs["index"].folder / INDEX_FOLDER
        self._article = functools.lru_cache(_CACHED_ARTICLES)(functools.partial(context.find, "ingest"))
        self._text = functools.lru_cache(_CACHED_ARTICLES)(self._prepared)
        self._frequencies = functools.cache(lambda: read_frequencies(context.inputs["index"].folder))

    def _prepared(self, article: str) -> _Text:
        return _Text(self._article(article), self._config)

    def _names(self, question: Question) -> list[str]:
        if self._config.name == "phrase":
            return [bare(question.name.text)]
        return sorted(counting_words(question.name.text))

    def _hits(self, question: Question) -> Iterator[tuple[int, list[Hit]]]:
        """(window, its hits) from near to far; looked up as they are asked for."""
        widest = max(self._config.windows)
        every = self._search(question, widest)
        if len(every) >= self._config.max_candidates:
            for window in self._config.windows:
                yield window, every if window == widest else self._search(question, window)
            return
        # These are all there are, as for most names: the nearer windows need no look-up of their own.
        days = {hit.id: abs((self._article(hit.id).date - question.date).days) for hit in every}
        for window in self._config.windows:
            yield window, [hit for hit in every if days[hit.id] <= window]

    def _search(self, question: Question, window: int) -> list[Hit]:
        return self._index.search(
            self._folder, sentence=question.sentence, names=self._names(question),
            day=day_number(question.date), window=window, exclude=question.id,
            limit=self._config.max_candidates,
        )  # fmt: skip

    def _same_event(self, question: Question) -> Callable[[str], float] | None:
        """The event score of an article, by id; None if the configuration asks for no such score."""
        if self._config.order == "bm25" and not self._config.min_event_score:
            return None
        scores = _SameEvent(question, self._text(question.id), self._frequencies())
        return functools.cache(lambda article: scores.score(self._text(article)))

    def candidates(self, question: Question) -> list[Candidate]:
        """Every candidate looked at, in order, refused ones with the rule."""
        validity = _Validity(question, self._text(question.id), self._config)
        event = self._same_event(question)
        found: list[Candidate] = []
        seen: set[str] = set()
        valid = 0
        for window, hits in self._hits(question):
            if event and self._config.order == "event":
                hits = sorted(hits, key=lambda hit: (-event(hit.id), hit.id))
            for hit in hits:
                if hit.id in seen:
                    continue
                if len(found) >= self._config.max_candidates or valid >= self._config.max_valid:
                    return found
                seen.add(hit.id)
                text = self._text(hit.id)
                rule, detail = validity.refusal(text)
                if not rule and event and (likelihood := event(hit.id)) < self._config.min_event_score:
                    rule, detail = "other-event", f"{likelihood:.4f}"
                valid += not rule
                found.append(
                    Candidate(
                        article=hit.id,
                        date=text.article.date,
                        window=window,
                        rank=len(found) + 1,
                        score=round(hit.score, 4),
                        rule=rule,
                        detail=detail,
                    )
                )
        return found


@dataclass(frozen=True)
class Tests:
    """What every test of ``is_valid`` says of one candidate. ``run`` stops at the first that is broken: this is for reading.

    ``overlap`` and ``reprint`` are shares of words and of 8-grams, ``figures`` a share of tokens; ``sentence`` has the
    highest overlap; ``left`` and ``right`` are the words beside the blank if the candidate holds them; ``persons`` are
    the others that it names.
    """

    rule: str
    detail: str
    overlap: float
    sentence: str
    left: str
    right: str
    persons: tuple[str, ...]
    reprint: float
    figures: float


def examine(question: Question, own: Article, config: RetrieveConfig) -> Callable[[Article], Tests]:
    """The tests of one question, whose own article is ``own``, for any article."""
    own_text, bag = _Text(own, config), Counter(words(question.sentence))
    validity = _Validity(question, own_text, config)
    runs = side_runs(words(question.left), words(question.right), config.context_words, config.min_context_words)

    def tests(article: Article) -> Tests:
        text = _Text(article, config)
        rule, detail = validity.refusal(text)
        long = [sentence for sentence in text.sentences if len(sentence) >= config.min_sentence_words]
        nearest = max(long, key=lambda sentence: share_of(sentence, bag), default=())
        held = [" ".join(run) if run and any(holds_run(one, run) for one in text.sentences) else "" for run in runs]
        return Tests(
            rule=rule, detail=detail, overlap=share_of(nearest, bag), sentence=" ".join(nearest), left=held[0],
            right=held[1], reprint=reprint_share(own_text.grams(), text.grams()), figures=unfit.figure_share(article.text),
            persons=tuple(other.text for other in question.others if text.names_any(counting_words(other.text))),
        )  # fmt: skip

    return tests


def run(inputs: Iterator[Question], config: RetrieveConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the candidates of every question that has a valid one."""
    search = _Search(config, context)
    for question in inputs:
        found = search.candidates(question)
        if any(not candidate.rule for candidate in found):
            yield Retrieval(id=question.id, candidates=tuple(found))
        elif found:
            yield Rejection(id=question.id, reason="no-valid-candidate", detail=found[0].rule, candidates=tuple(found))
        else:
            yield Rejection(id=question.id, reason="no-candidate-in-window", detail=question.name.text)


STAGE = Stage(
    name="retrieve",
    version=3,
    reads=("questions", "index", "ingest"),
    writes=Retrieval,
    config=RetrieveConfig,
    run=run,
    ports=("index",),
    unit="questions",
    block=MARK_EVERY,  # a result depends on its own question alone
    summary="Search candidates for each question and test them (is_valid).",
    reasons={
        "no-candidate-in-window": "no other article within the windows holds the deleted name",
        "no-valid-candidate": "articles were found, and each broke a rule",
    },
    rules={
        "round-up": "a round-up of several events: briefs, highlights, a press digest, quotations, a chronology",
        "schedule": "a schedule, a calendar or a list of coming stories",
        "correction": "a correction of another article, or a note to editors",
        "market-report": "a report of a trading session, of rates or of prices",
        "table": "a table or list: retrieve.max_figures of its tokens are figures, symbols or in capitals",
        "sentence-overlap": "a sentence of it shares more than retrieve.max_sentence_overlap of its words with the question",
        "left-context": "it holds the words left of the blank, in order",
        "right-context": "it holds the words right of the blank, in order",
        "no-other-person": "it names no other person of the question",
        "reprint": "it shares too many 8-grams with the question's article: the same story filed again",
        "other-event": "its event score is below retrieve.min_event_score: it seems to tell of something else",
    },
)
