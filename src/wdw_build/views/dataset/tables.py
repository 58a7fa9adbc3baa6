"""What a run gives out: a stage's output as a typed table, one id in every stage, joined problems, and samples.

A sample is drawn by hash: which records it has depends on the seed and on the set of names, not on their order.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any, Generic, NamedTuple, TypeVar, cast

import msgspec

from wdw_build.core.hashing import uniform_hash
from wdw_build.core.section import Section
from wdw_build.core.stage import Stage
from wdw_build.core.store.manifest import Manifest
from wdw_build.core.store.output import Output
from wdw_build.errors import UsageError
from wdw_build.records import AdversaryPredictions, Problem, Record, Rejection, SplitAssignment, SuppressionDecision

R = TypeVar("R", bound=Record)
C = TypeVar("C", bound=Section)
T = TypeVar("T")

WRITTEN, REJECTED, NOT_REACHED, NOT_RUN = "written", "rejected", "not-reached", "not-run"
TRAIN, TRAIN_RELAXED, VALIDATION, TEST = "train", "train.relaxed", "validation", "test"
# Splits as they are used: train.relaxed holds every problem of train.
SPLITS = (TRAIN, TRAIN_RELAXED, VALIDATION, TEST)
# The part of train.relaxed that is not in train.
RELAXED_ONLY = "relaxed only"


class Table(Generic[R, C]):
    """The records of type ``R`` that one stage of a run wrote with settings of type ``C``, and its rejections.

    If the stage has no output, look-ups by id find nothing, ``len`` is 0, and everything else raises ``UsageError``.
    """

    def __init__(self, run: str, stage: Stage, output: Output | None) -> None:
        self.stage = stage
        self._run, self._output = run, output

    def __repr__(self) -> str:
        state = f"{len(self)} {self.stage.writes.__name__}" if self.exists else "not run"
        return f"<Table {self.name} of run {self._run!r}: {state}>"

    @property
    def name(self) -> str:
        """The stage's name, as users type it."""
        return self.stage.name

    @property
    def exists(self) -> bool:
        """Whether the stage has an output."""
        return self._output is not None

    @property
    def output(self) -> Output:
        """The stored output. Raises ``UsageError`` if the stage has none."""
        if self._output is None:
            raise UsageError(f"run {self._run!r} has no output of {self.name}", hint="wdw-build all -c FILE")
        return self._output

    @property
    def manifest(self) -> Manifest:
        """The output's manifest: counts, hashes, and what the output was made from."""
        return self.output.manifest

    @property
    def settings(self) -> C:
        """The settings that the output was made with; the defaults if this version no longer accepts them."""
        try:
            return cast(C, msgspec.convert(self.manifest.ingredients.config, self.stage.config))
        except msgspec.ValidationError:
            return cast(C, self.stage.config())

    def __len__(self) -> int:
        return self.manifest.written if self.exists else 0

    def __iter__(self) -> Iterator[R]:
        return cast(Iterator[R], self.output.records())

    def find(self, record_id: str) -> R | None:
        """The record with this id, or None."""
        return cast(R | None, self._output.find(record_id)) if self._output is not None else None

    def __getitem__(self, record_id: str) -> R:
        record = self.find(record_id)
        if record is None:
            raise KeyError(f"{self.name} of run {self._run!r} has no record {record_id!r}")
        return record

    def __contains__(self, record_id: object) -> bool:
        return (
            isinstance(record_id, str) and self._output is not None and self._output.index.record(record_id) is not None
        )

    def rejections(self, reason: str = "") -> Iterator[Rejection]:
        """Every rejection in order, or only those with one reason."""
        return (rejection for rejection in self.output.rejections() if reason in ("", rejection.reason))

    def rejections_of(self, record_id: str) -> tuple[Rejection, ...]:
        """The rejections of one id; more than one only where an article is filed twice."""
        return tuple(self._output.rejections_of(record_id)) if self._output is not None else ()

    def all_of(self, record_id: str) -> list[R | Rejection]:
        """The record of an id, if there is one, and after it the id's rejections."""
        record = self.find(record_id)
        records: list[Any] = [] if record is None else [record]
        return [*records, *self.rejections_of(record_id)]


class Outcome(NamedTuple):
    """What one stage made of an id. An article that is filed twice has a record and a rejection in ``ingest``."""

    table: Table[Any, Any]
    record: Record | None
    rejections: tuple[Rejection, ...]

    @property
    def state(self) -> str:
        """``written``, ``rejected``, ``not-reached`` (an earlier stage ended it) or ``not-run``."""
        if not self.table.exists:
            return NOT_RUN
        if self.record is not None:
            return WRITTEN
        return REJECTED if self.rejections else NOT_REACHED


class History(NamedTuple):
    """The outcomes of one id, in the order of the stages."""

    id: str
    outcomes: tuple[Outcome, ...]


class HashSample(Generic[T]):
    """Bottom-k sample: keeps the ``count`` values whose names have the lowest hashes under ``seed`` and ``purpose``.

    Memory holds ``count`` values. Samples with different purposes are independent of each other.

    >>> sample = HashSample(2, seed=0, purpose="report")
    >>> for article in run.articles: sample.offer(article.id, article)
    >>> sample.by_name()
    """

    def __init__(self, count: int, seed: int, purpose: str) -> None:
        self._count, self._seed, self._purpose = count, seed, purpose
        self.offered = 0
        # Hashes are negated, so the first entry of the heap has the highest hash and is dropped next. A number orders equal names.
        self._kept: list[tuple[float, str, int, T]] = []

    def offer(self, name: str, value: T) -> None:
        """Keep ``value`` if the hash of its name is among the lowest so far."""
        self.offered += 1
        entry = (-uniform_hash(self._seed, self._purpose, name), name, self.offered, value)
        if len(self._kept) < self._count:
            heapq.heappush(self._kept, entry)
        elif self._kept and entry[:3] > self._kept[0][:3]:
            heapq.heapreplace(self._kept, entry)

    def by_name(self) -> list[T]:
        """The values, sorted by name."""
        return [value for *_, value in sorted(self._kept, key=lambda entry: entry[1:3])]

    def by_hash(self) -> list[T]:
        """The values in random order: from the lowest hash to the highest."""
        return [value for *_, value in sorted(self._kept, key=lambda entry: (-entry[0], entry[1], entry[2]))]


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
