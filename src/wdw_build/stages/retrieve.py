"""retrieve: finds, tests and ranks candidate passages for each question (Algorithm 2, ``is_valid``).

The stage takes the hits window by window, the narrowest window first, and tests each article once, with
``text.passages.validity``. With ``rank_by: event`` an event scorer orders the valid candidates of all windows. With
``rank_by: bm25`` the candidates keep the paper's order, and a scorer is only needed if ``min_event_score`` is set. If a
question has several blanks, each blank has candidates of its own, because the deleted name must occur in them. Choices
need the neural models, so the stage ``choices`` builds them from the valid candidates.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from wdw_build.core.rule import Rule
from wdw_build.core.stage import Context, Stage, blocks
from wdw_build.ports import (
    EVENT_SCORER,
    INDEX,
    INDEX_FOLDER,
    SENTENCE_SPLITTER,
    ArticleText,
    EventQuestion,
    Hit,
    StoresResults,
)
from wdw_build.records import Candidate, Question, Record, Rejection, Retrieval
from wdw_build.text.dates import date_of, day_number
from wdw_build.text.names.name import parse
from wdw_build.text.passages.passage_text import PassageText
from wdw_build.text.passages.same_event import read_frequencies
from wdw_build.text.passages.validity import RULES, SentenceTests, Validity
from wdw_build.text.settings import RetrieveConfig

# Valid candidates of a blank that are kept, in rank order: ``choices`` finds the best passages among the first few.
MAX_VALID = 10
_CACHED_ARTICLES = 6144
# Questions scored together, so that the encoder reads large batches.
_TOGETHER = 64


def uses_event_scores(config: RetrieveConfig) -> bool:
    """Whether these settings need event scores, and therefore a scorer."""
    return config.rank_by == "event" or config.min_event_score > 0


def searched_names(question: Question, config: RetrieveConfig) -> list[str]:
    """The names of which a passage of a question must contain one."""
    if config.name_match == "phrase":
        return [parse(question.name.text).bare]
    return sorted(set(parse(question.name.text).core))


class _Search:
    """Finds, tests and ranks the candidates of questions."""

    def __init__(self, config: RetrieveConfig, context: Context) -> None:
        self._config, self._context = config, context
        self._index, self._split = context.port(INDEX), context.port(SENTENCE_SPLITTER).sentences
        self._folder = context.inputs["index"].folder / INDEX_FOLDER
        self._article = functools.lru_cache(_CACHED_ARTICLES)(functools.partial(context.find, "ingest"))
        self._text = functools.lru_cache(_CACHED_ARTICLES)(self._prepared)
        self._frequencies = functools.cache(lambda: read_frequencies(context.inputs["index"].folder))
        self._scorer = context.port(EVENT_SCORER) if uses_event_scores(config) else None

    def _prepared(self, article: str) -> PassageText:
        return PassageText(self._article(article), self._config, self._split)

    def _hits(self, question: Question, validity: Validity) -> Iterator[tuple[int, list[Hit]]]:
        """Yield (window, hits), the narrowest window first."""
        hits = self._index.search(
            self._folder,
            sentence=question.sentence,
            names=searched_names(question, self._config),
            day=day_number(question.date),
            windows=self._config.windows,
            exclude=question.id,
            limit=self._config.max_candidates,
            keywords=validity.other_words,
            require_keyword=self._config.search_other_person and validity.requires_other_person,
        )
        return zip(self._config.windows, hits, strict=True)

    def _tested(self, question: Question, blank: int, shared: SentenceTests) -> Iterator[Candidate]:
        """Yield at most ``max_candidates`` tested candidates: the narrowest window first, within a window by BM25."""
        validity = Validity(question, self._text(question.id), self._config, shared)
        unread = validity.refusal_without_other_words()
        seen: set[str] = set()
        for window, hits in self._hits(question, validity):
            for hit in hits:
                if hit.id in seen:
                    continue
                if len(seen) >= self._config.max_candidates:
                    return
                seen.add(hit.id)
                # Most candidates name no other person. The index knows this, so their texts are not read.
                rule, detail = (None if hit.has_keyword else unread) or validity.refusal(
                    self._text(hit.id), hit.has_keyword
                )
                yield Candidate(
                    article=hit.id,
                    date=date_of(hit.day),
                    window=window,
                    rank=len(seen),
                    score=round(hit.score, 4),
                    rule=rule,
                    detail=detail,
                    blank=blank,
                )

    def _scores(self, tested_questions: Sequence[tuple[Question, list[list[Candidate]]]]) -> list[dict[str, float]]:
        """For each question, the event scores of its valid candidates by article."""
        if self._scorer is None:
            return [{}] * len(tested_questions)
        valid = [
            list(dict.fromkeys(candidate.article for candidate in chain.from_iterable(tested) if not candidate.rule))
            for _, tested in tested_questions
        ]
        questions = [
            # Sentence and articles are the same for all blanks, so they are scored together.
            EventQuestion(question.sentence, self._article_text(question.id), list(map(self._article_text, articles)))
            for (question, _), articles in zip(tested_questions, valid, strict=True)
            if articles
        ]
        scores = iter(self._scorer.score(questions, self._frequencies()) if questions else [])
        return [dict(zip(articles, next(scores), strict=True)) if articles else {} for articles in valid]

    def flush(self) -> None:
        """Store what the scorer's model computed."""
        if isinstance(self._scorer, StoresResults):
            self._scorer.flush()

    def _article_text(self, article: str) -> ArticleText:
        text = self._text(article)
        return ArticleText(article, day_number(text.article.date), text.article.title, text.raw_sentences)

    def candidates(self, questions: Sequence[Question]) -> list[list[Candidate]]:
        """For each question, the candidates of every blank in rank order, each refused candidate with its rule."""
        tested_questions = [(question, self._of_blanks(question)) for question in questions]
        return [
            [candidate for candidates in tested for candidate in self._ranked(candidates, scores)]
            for (_, tested), scores in zip(tested_questions, self._scores(tested_questions), strict=True)
        ]

    def _of_blanks(self, question: Question) -> list[list[Candidate]]:
        """The tested candidates of each blank; ranked by BM25, none after ``MAX_VALID`` valid ones."""
        shared = SentenceTests(question.sentence, self._text(question.id), self._config)
        tested = (self._tested(with_blank, blank, shared) for blank, with_blank in enumerate(question.each_blank()))
        if self._scorer is None:
            return [list(_up_to_valid(candidates)) for candidates in tested]
        return list(map(list, tested))

    def _ranked(self, candidates: list[Candidate], scores: Mapping[str, float]) -> Iterable[Candidate]:
        minimum, scored = self._config.min_event_score, candidates
        if scores:
            scored = [
                candidate if candidate.rule else _with_score(candidate, scores[candidate.article], minimum)
                for candidate in candidates
            ]
        if self._config.rank_by == "event":
            best = by_event_score(scored)
            return (msgspec.structs.replace(candidate, rank=rank) for rank, candidate in enumerate(best, 1))
        return _up_to_valid(scored)


def _with_score(candidate: Candidate, event: float, minimum: float) -> Candidate:
    if event >= minimum:
        return msgspec.structs.replace(candidate, event=event)
    return msgspec.structs.replace(candidate, event=event, rule="other-event", detail=f"{event:.3f}")


def by_event_score(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The best ``MAX_VALID`` valid candidates by event score, then the refused candidates. Ties: narrower window first."""
    ranked = sorted(
        candidates,
        key=lambda candidate: (-(candidate.event or 0.0), candidate.window, -candidate.score, candidate.article),
    )
    valid = [candidate for candidate in ranked if not candidate.rule]
    return valid[:MAX_VALID] + [candidate for candidate in ranked if candidate.rule]


def _up_to_valid(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield candidates until ``MAX_VALID`` of them were valid; the remaining candidates are not read."""
    valid = 0
    for candidate in candidates:
        yield candidate
        valid += not candidate.rule
        if valid >= MAX_VALID:
            return


def run(inputs: Iterator[Question], config: RetrieveConfig, context: Context) -> Iterator[Record | Rejection]:
    """Search for candidate passages for each question, and test each of them."""
    # Kept with its texts: the questions of later shards have the same candidates.
    search: _Search = context.kept.get("search") or _Search(config, context)
    context.kept["search"] = search
    for questions in blocks(inputs, _TOGETHER):
        yield from map(_result, questions, search.candidates(questions))
    search.flush()


def _result(question: Question, candidates: list[Candidate]) -> Record | Rejection:
    if any(not candidate.rule for candidate in candidates):
        return Retrieval(id=question.id, candidates=tuple(candidates))
    if candidates:
        return Rejection(
            id=question.id, reason="no-valid-candidate", detail=candidates[0].rule, candidates=tuple(candidates)
        )
    names = "; ".join(blank.name.text for blank in question.each_blank())
    return Rejection(id=question.id, reason="no-candidate-in-window", detail=names)


STAGE = Stage(
    name="retrieve",
    version=13,
    reads=("questions", "index", "ingest"),
    writes=Retrieval,
    config=RetrieveConfig,
    run=run,
    ports=(INDEX, SENTENCE_SPLITTER, EVENT_SCORER),
    conditions={EVENT_SCORER: uses_event_scores},
    block=64,  # a result depends on one question only
    reasons={
        "no-candidate-in-window": Rule(
            "no other article within the windows contains the deleted name (and, with retrieve.search_other_person, a word of "
            "another person's name in the question)",
            ("windows",),
            looser={"windows": (28,), "name_match": "part"},
        ),
        "no-valid-candidate": Rule("the search found articles, but a rule refused each of them"),
    },
    rules={
        **RULES,
        "other-event": Rule(
            "the event score is below retrieve.min_event_score: the passage probably reports a different event",
            ("min_event_score",),
            looser={"min_event_score": -0.1},
        ),
    },
)
