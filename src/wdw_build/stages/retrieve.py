"""retrieve: ranked candidates for each question, each refused one with its rule (Algorithm 2, search and ``is_valid``).

The index is searched window by window, the nearest first; an article found in an earlier window is not looked at again.
``text.validity`` tests each candidate. With ``rank_by: event`` an event scorer then orders the valid candidates of all
windows; with ``rank_by: bm25`` they stay in the paper's order, and no scorer is needed unless ``min_event_score`` is set.
What is left out here: choices, which need the model and are built in ``choices`` from the valid candidates.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import msgspec

from wdw_build.core.config.settings import RetrieveConfig
from wdw_build.core.stage import ArticleSearch, Context, Funnel, Stage, Trial
from wdw_build.core.store.output import MARK_EVERY
from wdw_build.core.store.word_frequencies import read_frequencies
from wdw_build.ports import EVENT_SCORER, INDEX, INDEX_FOLDER, ArticleText, Hit
from wdw_build.records import Candidate, Question, Record, Rejection, Retrieval
from wdw_build.text.dates import day_number
from wdw_build.text.names.matching import identifying_tokens, without_titles
from wdw_build.text.passages.validity import PassageText, Validity

_CACHED_ARTICLES = 6144


def uses_event_scores(config: RetrieveConfig) -> bool:
    """Whether a key asks for the event score: without one, no scorer is needed."""
    return config.rank_by == "event" or config.min_event_score > 0


def widest_window(config: RetrieveConfig) -> int:
    """The most days between a question and a candidate."""
    return max(config.windows)


def most_candidates(config: RetrieveConfig) -> int:
    """The most candidates that are looked at for one question."""
    return config.max_candidates


class _Search:
    """Candidates of one question, window by window."""

    def __init__(self, config: RetrieveConfig, context: Context) -> None:
        self._config, self._context = config, context
        self._index = context.port(INDEX)
        self._folder = context.inputs["index"].folder / INDEX_FOLDER
        self._article = functools.lru_cache(_CACHED_ARTICLES)(functools.partial(context.find, "ingest"))
        self._text = functools.lru_cache(_CACHED_ARTICLES)(self._prepared)
        self._frequencies = functools.cache(lambda: read_frequencies(context.inputs["index"].folder))
        self._scorer = context.port(EVENT_SCORER) if uses_event_scores(config) else None

    def _prepared(self, article: str) -> PassageText:
        return PassageText(self._article(article), self._config)

    def _names(self, question: Question) -> list[str]:
        if self._config.name_match == "phrase":
            return [without_titles(question.name.text)]
        return sorted(identifying_tokens(question.name.text))

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
            self._folder,
            sentence=question.sentence,
            names=self._names(question),
            day=day_number(question.date),
            window=window,
            exclude=question.id,
            limit=self._config.max_candidates,
        )

    def _looked_at(self, question: Question) -> Iterator[Candidate]:
        """At most ``max_candidates`` candidates, the nearest window first, within a window by BM25."""
        validity = Validity(question, self._text(question.id), self._config)
        seen: set[str] = set()
        for window, hits in self._hits(question):
            for hit in hits:
                if hit.id in seen:
                    continue
                if len(seen) >= self._config.max_candidates:
                    return
                seen.add(hit.id)
                text = self._text(hit.id)
                rule, detail = validity.refusal(text)
                yield Candidate(
                    article=hit.id,
                    date=text.article.date,
                    window=window,
                    rank=len(seen),
                    score=round(hit.score, 4),
                    rule=rule,
                    detail=detail,
                )

    def _scored(self, question: Question, candidates: list[Candidate]) -> list[Candidate]:
        """The candidates with the event scores of the valid ones; those below ``min_event_score`` are refused."""
        valid = [candidate.article for candidate in candidates if not candidate.rule]
        if self._scorer is None or not valid:
            return candidates
        own, texts = self._article_text(question.id), list(map(self._article_text, valid))
        scores = dict(zip(valid, self._scorer.score(question.sentence, own, texts, self._frequencies()), strict=True))
        least = self._config.min_event_score
        return [_with_score(one, scores[one.article], least) if not one.rule else one for one in candidates]

    def _article_text(self, article: str) -> ArticleText:
        text = self._text(article)
        return ArticleText(article, day_number(text.article.date), text.article.title, text.raw_sentences)

    def candidates(self, question: Question) -> list[Candidate]:
        """The candidates in rank order, refused ones with the rule."""
        looked_at: Iterable[Candidate] = self._looked_at(question)
        if self._scorer is not None:
            looked_at = self._scored(question, list(looked_at))
        if self._config.rank_by == "event":
            kept = by_event_score(looked_at, self._config.max_valid)
        else:
            kept = list(_up_to_valid(looked_at, self._config.max_valid))
        return [msgspec.structs.replace(one, rank=rank) for rank, one in enumerate(kept, 1)]


def _with_score(candidate: Candidate, event: float, least: float) -> Candidate:
    if event >= least:
        return msgspec.structs.replace(candidate, event=event)
    return msgspec.structs.replace(candidate, event=event, rule="other-event", detail=f"{event:.4f}")


def by_event_score(candidates: Iterable[Candidate], max_valid: int) -> list[Candidate]:
    """The best ``max_valid`` valid candidates by event score, the nearer window first among equal ones; then the refused."""
    every = sorted(candidates, key=lambda one: (-(one.event or 0.0), one.window, -one.score, one.article))
    valid = [one for one in every if not one.rule]
    return valid[:max_valid] + [one for one in every if one.rule]


def _up_to_valid(candidates: Iterable[Candidate], max_valid: int) -> Iterator[Candidate]:
    """The candidates up to the last of ``max_valid`` valid ones; no more of them are asked for."""
    valid = 0
    for candidate in candidates:
        yield candidate
        valid += not candidate.rule
        if valid >= max_valid:
            return


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
    version=4,
    reads=("questions", "index", "ingest"),
    writes=Retrieval,
    config=RetrieveConfig,
    run=run,
    ports=(INDEX, EVENT_SCORER),
    ports_if={EVENT_SCORER: uses_event_scores},
    unit="questions",
    block=MARK_EVERY,  # a result depends on its own question alone
    funnel=Funnel("questions with a candidate", key="with_candidate"),
    trial=Trial(most=150, search=ArticleSearch(days=widest_window, candidates=most_candidates)),
    summary="Search candidates for each question and test them (is_valid).",
    reasons={
        "no-candidate-in-window": "no other article within the windows contains the deleted name",
        "no-valid-candidate": "articles were found, and a rule refused each",
    },
    rules={
        "round-up": "a round-up of several events: briefs, highlights, a press digest, quotations, a chronology",
        "schedule": "a schedule, a calendar or a list of coming stories",
        "correction": "a correction of another article, or a note to editors",
        "market-report": "a report of a trading session, of rates or of prices",
        "table": "a table or list: retrieve.max_numeric_ratio of its tokens are numeric, symbols or in capitals",
        "sentence-overlap": "a sentence of it shares more than retrieve.max_sentence_overlap of its words with the question",
        "left-context": "it contains the words left of the blank, in order",
        "right-context": "it contains the words right of the blank, in order",
        "no-other-person": "it names no other person of the question",
        "reprint": "it shares too many 8-grams with the question's article: the same story filed again",
        "other-event": "its event score is below retrieve.min_event_score: it probably tells of another event",
    },
)
