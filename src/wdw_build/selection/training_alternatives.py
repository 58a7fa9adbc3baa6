"""Training alternatives: the alternatives of articles in training time that reveal nothing about a held-out problem.

Suppression selects at most one alternative of an article, and few articles. A system that learns from many examples can train
on all alternatives instead: they are not suppressed, so baselines solve many of them, and they are of no use for a measurement.

``REASONS`` has the tests in their order: an alternative is left out by the first one that it fails. Contact with a held-out
problem is judged as everywhere: by articles and persons (``text.passages.connections``), whatever ``split.by_event`` says, and
by what is told where (``similarity.leaks``), in both directions.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple, cast

import msgspec

from wdw_build.core.progress import Progress
from wdw_build.core.store.output import Output
from wdw_build.records import Article, Problem, ProblemAlternatives, SplitAssignment, SuppressionDecision
from wdw_build.selection.settings import SplitConfig
from wdw_build.similarity.leaks import Problems, Sentences, questions_in_passages, told_answers
from wdw_build.text.passages.connections import Connections, ToldAnswers, event_evidence

LATE, OMITTED, ARTICLE, EVENT, TOLD = "time", "omitted", "article", "event", "told"
REASONS = {
    LATE: "of questions in the held-out period or within split.gap_days of it",
    OMITTED: "of omitted problems",
    ARTICLE: "with an article of a held-out problem",
    EVENT: "about the event of a held-out problem",
    TOLD: "that reveal a held-out problem's answer, or whose answer it reveals",
}
"""Why an alternative is left out, in the order of the tests, in words that follow a number of alternatives."""

# Separates the id of an article from the number of an alternative.
_NUMBER = "~"
# Articles of the same days share passages. About 10 kB each.
_KEPT_PASSAGES = 1024


class Sources(NamedTuple):
    """The stored outputs of a complete run that decide which alternatives are for training."""

    alternatives: Output
    """``ProblemAlternatives`` after deduplication."""
    decisions: Output
    """``SuppressionDecision`` records."""
    assignments: Output
    """``SplitAssignment`` records."""
    problems: Output
    """``Problem`` records: the selected alternatives."""
    articles: Output
    """``Article`` records."""

    def held_out(self) -> Iterator[Problem]:
        """The problems of validation and test."""
        for assignment in cast(Iterator[SplitAssignment], self.assignments.records()):
            if assignment.split != "train":
                yield cast(Problem, self.problems.find(assignment.id))

    def strict_keys(self) -> list[tuple[dt.date, str]]:
        """Date and id of each strict problem."""
        decisions = cast(Iterator[SuppressionDecision], self.decisions.records())
        return [(decision.date, decision.id) for decision in decisions if decision.strict]

    def records(self, progress: Progress) -> Iterator[ProblemAlternatives]:
        """The alternatives of each article, with a progress bar."""
        with progress.bar("training alternatives", self.alternatives.manifest.written, "articles") as bar:
            for record in self.alternatives.records():
                yield cast(ProblemAlternatives, record)
                bar.advance()


def omitted_problems(assignments: Output) -> dict[str, str]:
    """Id of each problem that the stage ``split`` omitted after the selection -> what is wrong with it."""
    return {rejection.id: rejection.detail for rejection in assignments.rejections() if rejection.reason == OMITTED}


def alternative_of(name: str) -> tuple[str, int]:
    """The article and the number of a training alternative, given its id. Raises ``LookupError`` for another id."""
    article, _, number = name.rpartition(_NUMBER)
    if not number.isdecimal():
        raise LookupError(f"{name!r} is not the id of a training alternative")
    return article, int(number)


def _named(problem: Problem, number: int) -> Problem:
    """The alternative with an id of its own: every alternative has its number, so that none is mistaken for a problem."""
    return msgspec.structs.replace(problem, id=f"{problem.id}{_NUMBER}{number}")


class _HeldOut:
    """An index of the held-out problems."""

    def __init__(self, problems: Problems, days: int) -> None:
        self._articles = set[str]()
        self._connections, self._told = Connections(days), ToldAnswers(days)
        for problem in problems():
            evidence = event_evidence(problem)
            self._articles.update(evidence.articles)
            self._connections.add(evidence)
            self._told.add(problem)

    def contact(self, problem: Problem) -> str:
        """The reason to leave out an alternative, whose id is that of its article; empty if there is none.

        What stands in passages is not tested here.
        """
        evidence = event_evidence(problem)
        if not self._articles.isdisjoint(evidence.articles):
            return ARTICLE
        if any(self._connections.find(evidence)):
            return EVENT
        return TOLD if any(self._told.find(problem)) else ""


class _Selection(NamedTuple):
    """Article -> the numbers of its training alternatives; and how many alternatives each test left out."""

    kept: dict[str, list[int]]
    left_out: dict[str, int]


class TrainingAlternatives:
    """The training alternatives of a complete run, in the order of its articles; every pass reads them anew.

    ``split``: the settings of the stage ``split``. ``held_out`` streams the problems
    of validation and test, perhaps those of several runs. ``sentences`` splits a text.
    """

    def __init__(
        self,
        sources: Sources,
        split: SplitConfig,
        held_out: Problems,
        sentences: Sentences,
        progress: Progress,
    ) -> None:
        self._sources, self._split, self._held_out = sources, split, held_out
        self._sentences, self._progress = sentences, progress

    def __len__(self) -> int:
        return sum(map(len, self._selection.kept.values()))

    def __iter__(self) -> Iterator[Problem]:
        return self._alternatives(self._selection.kept, self._with_text)

    @property
    def left_out(self) -> dict[str, int]:
        """Reason -> the number of alternatives that its test leaves out, in the order of ``REASONS``."""
        return self._selection.left_out

    @functools.cached_property
    def _selection(self) -> _Selection:
        left_out, kept = Counter(dict.fromkeys(REASONS, 0)), dict[str, list[int]]()
        held_out = _HeldOut(self._held_out, self._split.event_days)
        for record, reason in self._timely():
            numbers = range(len(record.alternatives))
            reasons = [reason or held_out.contact(record.outline(number)) for number in numbers]
            left_out.update(filter(None, reasons))
            kept[record.id] = [number for number in numbers if not reasons[number]]
        for article, number in sorted(self._telling(kept)):
            kept[article].remove(number)
            left_out[TOLD] += 1
        return _Selection({article: numbers for article, numbers in kept.items() if numbers}, dict(left_out))

    def _timely(self) -> Iterator[tuple[ProblemAlternatives, str]]:
        """Every article's alternatives, with the reason for which none of them is for training; empty if there is none."""
        omitted, boundary = omitted_problems(self._sources.assignments), self._boundary()
        for record in self._sources.records(self._progress):
            is_late = boundary is not None and (
                (record.date, record.id) >= boundary or self._split.is_within_gap(record.date, boundary[0])
            )
            yield record, LATE if is_late else OMITTED if record.id in omitted else ""

    def _boundary(self) -> tuple[dt.date, str] | None:
        """The key with which the held-out period begins; None if there is none."""
        if self._split.held_out_from is None and not any(self._sources.held_out()):
            return None
        return self._split.first_held_out(self._sources.strict_keys())

    def _telling(self, kept: Mapping[str, list[int]]) -> set[tuple[str, int]]:
        """Those of the kept alternatives that reveal a held-out answer in their passage, or whose answer is revealed."""

        def with_text() -> Iterator[Problem]:
            return self._alternatives(kept, self._with_text)

        def outlines() -> Iterator[Problem]:
            return self._alternatives(kept, ProblemAlternatives.outline)

        if not any(self._held_out()):
            return set()
        telling = (leak.teller for leak in questions_in_passages(self._held_out, with_text, self._sentences))
        revealed = chain(
            questions_in_passages(outlines, self._held_out, self._sentences),
            told_answers(outlines, self._held_out, self._split.event_days),
        )
        return {alternative_of(name) for name in chain(telling, (leak.told for leak in revealed))}

    def _alternatives(
        self, kept: Mapping[str, list[int]], problem: Callable[[ProblemAlternatives, int], Problem]
    ) -> Iterator[Problem]:
        for record in self._sources.records(self._progress):
            for number in kept.get(record.id, ()):
                yield _named(problem(record, number), number)

    def _with_text(self, record: ProblemAlternatives, number: int) -> Problem:
        return record.problem(number, self._article(record.passages[record.alternatives[number].passage].article))

    @functools.cached_property
    def _article(self) -> Callable[[str], Article]:
        find = self._sources.articles.find
        return functools.lru_cache(_KEPT_PASSAGES)(lambda name: cast(Article, find(name)))


def account(kept: int, left_out: Mapping[str, int]) -> str:
    """The number of training alternatives and how many each test left out, in words."""
    parts = ", ".join(f"{count:,} {REASONS[reason]}" for reason, count in left_out.items() if count)
    return f"{kept:,} training alternatives; left out: {parts or 'none'}"
