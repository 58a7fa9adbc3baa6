"""A problem joined with its baseline predictions, suppression decision and split assignment."""

from __future__ import annotations

from typing import NamedTuple

from wdw_build.records import AdversaryPredictions, Problem, SplitAssignment, SuppressionDecision

TRAIN, TRAIN_RELAXED, VALIDATION, TEST = "train", "train.relaxed", "validation", "test"
# Splits as they are used: train.relaxed holds every problem of train.
SPLITS = (TRAIN, TRAIN_RELAXED, VALIDATION, TEST)
# The part of train.relaxed that is not in train.
RELAXED_ONLY = "relaxed only"


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
        """The splits of ``SPLITS`` that the problem belongs to; a strict training problem belongs to both training splits."""
        if self.assignment is None:
            return ()
        if self.assignment.split != TRAIN:
            return (self.assignment.split,)
        return (TRAIN, TRAIN_RELAXED) if self.assignment.level == "strict" else (TRAIN_RELAXED,)

    @property
    def part(self) -> str:
        """The problem's split without overlap: its split, or ``RELAXED_ONLY``; empty if it is not in the dataset."""
        if self.assignment is None:
            return ""
        return RELAXED_ONLY if self.assignment.level == "relaxed" else self.assignment.split

    @property
    def solved_by(self) -> tuple[str, ...]:
        """The baselines and adversaries that chose the right answer."""
        return self.predictions.solvers if self.predictions is not None else ()
