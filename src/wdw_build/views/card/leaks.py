"""Counts the leaks between problems within and between splits; ``similarity/leaks.py`` has the relations.

Problems of different splits with the same passage are counted by ``overlap.py``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

from wdw_build.dataset import TEST, TRAIN_RELAXED, VALIDATION
from wdw_build.records import Problem
from wdw_build.similarity.leaks import (
    ANSWER_TOLD,
    QUESTION_IN_PASSAGE,
    SHARED_PASSAGE,
    Leak,
    Problems,
    Sentences,
    left_out,
    questions_in_passages,
    shared_passages,
    told_answers,
)
from wdw_build.views.card.audit_results import LeakCount, LeakFacts

COUNTED = (TRAIN_RELAXED, VALIDATION, TEST)
KINDS = {
    QUESTION_IN_PASSAGE: "the question's sentence, with the deleted name, stands in the passage of the other problem",
    ANSWER_TOLD: "the other question names the answer and is about the same event",
    SHARED_PASSAGE: "the same passage",
}
_EXAMPLES = 3


class _Told:
    """The problems that are told, and the smallest pairs of ids as examples."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._examples: list[tuple[str, str]] = []

    def add(self, leak: Leak) -> None:
        self._ids.add(leak.told)
        self._examples = sorted({*self._examples, (leak.told, leak.teller)})[:_EXAMPLES]

    def close(self, kind: str, told_in: str, told_by: str) -> LeakCount:
        return LeakCount(kind, told_in, told_by, len(self._ids), tuple(self._examples))


class LeakCounter:
    """Finds the leaks among the problems; ``days`` is ``split.event_days``."""

    def __init__(self, days: int) -> None:
        self._days = days
        self._split_of: dict[str, str] = {}

    def add(self, problem: Problem, split: str) -> None:
        """Add a problem of ``train.relaxed``, ``validation`` or ``test``."""
        self._split_of[problem.id] = split

    def close(self, problems: Problems, sentences: Sentences) -> LeakFacts:
        """The counts. ``problems`` streams the problems that were added; ``sentences`` gives the sentences of a text."""
        told: defaultdict[tuple[str, str, str], _Told] = defaultdict(_Told)
        within_held_out = []
        for leak in self._found(problems, sentences):
            told_in, told_by = self._split_of[leak.told], self._split_of[leak.teller]
            if leak.relation != SHARED_PASSAGE or told_in == told_by:
                told[leak.relation, told_in, told_by].add(leak)
            if TRAIN_RELAXED not in (told_in, told_by):
                within_held_out.append(leak)
        return LeakFacts(
            counts=tuple(told[key].close(*key) for key in product(KINDS, COUNTED, COUNTED) if _is_counted(*key)),
            beyond_one_per_group=len(left_out(within_held_out, lambda _: 0.0)),
        )

    def _found(self, problems: Problems, sentences: Sentences) -> Iterator[Leak]:
        yield from questions_in_passages(problems, sentences)
        yield from told_answers(problems, self._days)
        groups = [{split} for split in COUNTED] + [{VALIDATION, TEST}]
        for splits in groups:
            yield from _both_ways(
                shared_passages(problem for problem in problems() if self._split_of[problem.id] in splits)
            )


def _both_ways(found: Iterator[Leak]) -> Iterator[Leak]:
    """Each problem of a shared passage is told by another one."""
    for leak in found:
        yield leak
        yield leak._replace(told=leak.teller, teller=leak.told)


def _is_counted(kind: str, told_in: str, told_by: str) -> bool:
    return kind != SHARED_PASSAGE or told_in == told_by
