"""Problems joined with their baseline predictions, suppression decision and split assignment, and as flat rows.

The stages after ``dedup`` pass articles on in order, so the join is a merge of four streams and keeps one record of each in
memory.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from wdw_build.core.store.key_index import damaged
from wdw_build.dataset.tables import Table
from wdw_build.reading import BLANK
from wdw_build.records import AdversaryPredictions, Problem, Record, SplitAssignment, SuppressionDecision

TRAIN, TRAIN_RELAXED, VALIDATION, TEST = "train", "train.relaxed", "validation", "test"
# Splits as they are used: train.relaxed holds every problem of train.
SPLITS = (TRAIN, TRAIN_RELAXED, VALIDATION, TEST)
RELAXED_ONLY = "relaxed only"
# The dataset in parts that do not overlap: train.relaxed is the first two together.
PARTS = (TRAIN, RELAXED_ONLY, VALIDATION, TEST)

R = TypeVar("R", bound=Record)


def splits_of(assignment: SplitAssignment) -> tuple[str, ...]:
    """The splits that a problem belongs to. A strict training problem belongs to both training splits."""
    if assignment.split != TRAIN:
        return (assignment.split,)
    return (TRAIN, TRAIN_RELAXED) if assignment.level == "strict" else (TRAIN_RELAXED,)


class JoinedProblem(NamedTuple):
    """A problem after deduplication with the records that later stages made of it.

    A field is None if its stage rejected the problem, did not reach it, or has not been run. ``predictions`` are those for
    the problem; ``first_predictions`` are those for the first alternative of its article, which the paper would use.
    """

    problem: Problem
    predictions: AdversaryPredictions | None = None
    suppression: SuppressionDecision | None = None
    assignment: SplitAssignment | None = None
    first_predictions: AdversaryPredictions | None = None

    @property
    def id(self) -> str:
        """The problem's id, which is also that of its question and of its question's article."""
        return self.problem.id

    @property
    def answer(self) -> str:
        """The name of the right choice."""
        return self.problem.choices[self.problem.answer].name

    @property
    def in_dataset(self) -> bool:
        """Whether the problem is assigned to a split."""
        return self.assignment is not None

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits of ``SPLITS`` that the problem belongs to; none if it is not in the dataset."""
        return splits_of(self.assignment) if self.assignment is not None else ()

    @property
    def part(self) -> str:
        """The one part of ``PARTS`` that the problem belongs to; empty if it is not in the dataset."""
        if self.assignment is None:
            return ""
        return RELAXED_ONLY if self.assignment.level == "relaxed" else self.assignment.split

    @property
    def held_out(self) -> bool:
        """Whether the problem is in validation or test."""
        return self.assignment is not None and self.assignment.split != TRAIN

    @property
    def solved_by(self) -> tuple[str, ...]:
        """The baselines that chose the right answer."""
        if self.predictions is None:
            return ()
        answer = self.predictions.answer
        return tuple(name for name, choice in self.predictions.guesses.items() if choice == answer)


def joined(
    problem: Problem,
    predictions: AdversaryPredictions | None,
    decision: SuppressionDecision | None,
    assignment: SplitAssignment | None,
) -> JoinedProblem:
    """A problem with the records of its id."""
    if predictions is None:
        return JoinedProblem(problem, None, decision, assignment)
    return JoinedProblem(problem, predictions.of(problem.alternative), decision, assignment, predictions.of(0))


class _InOrder(Generic[R]):
    """One side of a merge join: gives the records of a table for ids that come in the same order."""

    def __init__(self, table: Table[R, Any]) -> None:
        self._table = table
        self._records = iter(table) if table.exists else iter(())
        self._next = next(self._records, None)

    def take(self, record_id: str) -> R | None:
        """The record of this id if it is the next one, else None."""
        record = self._next
        if record is None or record.id != record_id:
            return None
        self._next = next(self._records, None)
        return record

    def check_end(self) -> None:
        """Raise ``DamagedOutputError`` if a record is left: its id belongs to no problem, or is out of order."""
        if self._next is not None:
            raise damaged(
                self._table.output.folder / "manifest.json",
                f"the record of {self._next.id!r} belongs to no problem, or is out of order",
            )


def join(
    problems: Table[Problem, Any],
    predictions: Table[AdversaryPredictions, Any],
    decisions: Table[SuppressionDecision, Any],
    assignments: Table[SplitAssignment, Any],
) -> Iterator[JoinedProblem]:
    """Every problem of ``problems`` in order, joined. Raises ``DamagedOutputError`` if a table is in another order."""
    predicted, decided, assigned = _InOrder(predictions), _InOrder(decisions), _InOrder(assignments)
    for problem in problems:
        yield joined(problem, predicted.take(problem.id), decided.take(problem.id), assigned.take(problem.id))
    for stream in (predicted, decided, assigned):
        stream.check_end()


# ---- rows ------------------------------------------------------------------------------------------------------------


class ProblemRow(msgspec.Struct, frozen=True, kw_only=True):
    """One problem. ``question`` has ``XXX`` for the blank; ``answer`` is an index into ``choices``.

    ``solved_by`` names the baselines that chose the answer. A problem of ``train`` is also a row of ``train.relaxed``.
    """

    id: str
    split: str
    level: str
    date: dt.date
    source: str
    question: str
    deleted: str
    passage_id: str
    passage_date: dt.date
    passage_source: str
    passage_title: str
    passage: str
    choices: tuple[str, ...]
    answer: int
    window: int
    bm25: float
    event_score: float | None
    solved_by: tuple[str, ...]


def problem_rows(joined: JoinedProblem) -> Iterator[ProblemRow]:
    """A row for each split that the problem belongs to; none if it is not in the dataset."""
    problem, question, passage = joined.problem, joined.problem.question, joined.problem.passage
    for split in joined.splits:
        yield ProblemRow(
            id=problem.id,
            split=split,
            level=joined.assignment.level if joined.assignment else "",
            date=problem.date,
            source=question.source,
            question=f"{question.left}{BLANK}{question.right}",
            deleted=question.blank.text,
            passage_id=passage.article,
            passage_date=passage.date,
            passage_source=passage.source,
            passage_title=passage.title,
            passage=passage.text,
            choices=tuple(choice.name for choice in problem.choices),
            answer=problem.answer,
            window=problem.window,
            bm25=problem.score,
            event_score=problem.event_score,
            solved_by=joined.solved_by,
        )
