"""Caps on how many problems share a passage, an event or an answer; problems are kept greedily in a given order.

Two problems with the same answer are of the same event if they share an article, as question or as passage. The relation is
not transitive: otherwise chains of articles would join a year of news about one person into one event. Memory holds a few
numbers for each problem; articles are numbered by 64-bit hashes of their ids.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from wdw_build.core.hashing import id_sum
from wdw_build.records import Problem
from wdw_build.text.names.people import persons

_ARRAYS, _NAMES = "entries.npz", "names.json"
PASSAGE, EVENT, ANSWER = "passage-cap", "event-cap", "answer-cap"


@dataclass(frozen=True)
class Limits:
    """The maximum number of problems with one passage, of one event, and with one answer; 0: no limit.

    An ``answer`` below 1 is a share of the kept problems; ``floor`` problems are then always allowed.
    """

    passage: int
    event: int
    answer: float
    floor: int

    def __bool__(self) -> bool:
        return bool(self.passage or self.event or self.answer)

    def most(self, kept: int) -> int:
        """The maximum number of problems with one answer if ``kept`` problems are kept."""
        if not self.answer:
            return kept
        if self.answer >= 1:
            return int(self.answer)
        return max(self.floor, math.floor(Fraction(str(self.answer)) * kept))


class Drop(NamedTuple):
    """Why a problem is dropped. ``other``: the kept problem of the same event; -1 for other reasons."""

    reason: str
    other: int = -1


class Entries:
    """Question, passage and answer of every problem, by its position in the input."""

    def __init__(self) -> None:
        self._questions, self._passages = array("Q"), array("Q")
        self._answers, self._names = array("q"), dict[str, int]()
        self._seen: Counter[str] = Counter()

    def add(self, problem: Problem) -> None:
        """Add a problem."""
        self._questions.append(id_sum(problem.id))
        self._passages.append(id_sum(problem.passage.article))
        name = problem.choices[problem.answer].name
        self._answers.append(self._names.setdefault(name, len(self._names)))
        self._seen.update(choice.name for choice in problem.choices)

    def write(self, folder: Path) -> None:
        """Write the entries into a folder."""
        np.savez(folder / _ARRAYS, asked=self._questions, read=self._passages, answers=self._answers)
        (folder / _NAMES).write_bytes(msgspec.json.encode((list(self._names), dict(self._seen))))

    def extend(self, folder: Path) -> None:
        """Add the entries of a folder, after those that are here."""
        names, seen = msgspec.json.decode((folder / _NAMES).read_bytes(), type=tuple[list[str], dict[str, int]])
        numbers = np.array([self._names.setdefault(name, len(self._names)) for name in names], dtype=np.int64)
        self._seen.update(seen)
        with np.load(folder / _ARRAYS) as arrays:
            self._questions.frombytes(arrays["asked"].tobytes())
            self._passages.frombytes(arrays["read"].tobytes())
            self._answers.frombytes(numbers[arrays["answers"]].tobytes())

    def groups(self) -> Groups:
        """The passage, events and answer of every problem, as numbers."""
        articles = np.array([self._passages, self._questions], dtype=np.uint64)
        numbers = _numbered(articles)
        person_of = persons(self._seen)
        names = sorted({person_of[name] for name in self._names})
        numbers_of = {name: number for number, name in enumerate(names)}
        by_name = np.array([numbers_of[person_of[name]] for name in self._names], dtype=np.int64)
        people = by_name[np.array(self._answers, dtype=np.int64)]
        events = _numbered(numbers * len(names) + people)
        return Groups(_array(numbers[0]), (_array(events[0]), _array(events[1])), _array(people), names)


def _numbered(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """An array of the same shape, with equal numbers, from 0, for equal values."""
    return np.unique(values, return_inverse=True)[1].reshape(values.shape).astype(np.int64)


def _array(values: npt.NDArray[np.int64]) -> array[int]:
    """A plain array, which reads single elements several times faster than NumPy and takes a quarter of a list's memory."""
    return array("q", values.tobytes())


class Groups(NamedTuple):
    """For each problem: the numbers of its passage, of its two events (article and answer), and of its answer."""

    passages: array[int]
    events: tuple[array[int], array[int]]
    people: array[int]
    names: list[str]

    def name(self, problem: int) -> str:
        """The answer of a problem."""
        return self.names[self.people[problem]]


class _KeptCounts:
    """The number of kept problems of each group."""

    def __init__(self, groups: Groups, limits: Limits, answer_limit: int) -> None:
        self._groups, self._limits, self._answer_limit = groups, limits, answer_limit
        problems = len(groups.passages)
        self._passages = array("q", bytes(16 * problems))
        self._events = array("q", bytes(16 * problems))
        self._last = array("q", bytes(16 * problems))
        self.people = array("q", bytes(8 * len(groups.names)))

    def drop(self, problem: int) -> Drop | None:
        """Keep the problem and return None, or the reason why a cap drops it."""
        limits, groups = self._limits, self._groups
        passage, person = groups.passages[problem], groups.people[problem]
        events = groups.events[0][problem], groups.events[1][problem]
        if limits.passage and self._passages[passage] >= limits.passage:
            return Drop(PASSAGE)
        if limits.event:
            for event in events:
                if self._events[event] >= limits.event:
                    return Drop(EVENT, self._last[event])
        if self.people[person] >= self._answer_limit:
            return Drop(ANSWER)
        self._passages[passage] += 1
        self.people[person] += 1
        for event in events:
            self._events[event] += 1
            self._last[event] = problem
        return None


def _run(order: Iterable[int], groups: Groups, limits: Limits, answer_limit: int) -> tuple[dict[int, Drop], array[int]]:
    """The problems to drop with this limit on problems with one answer, and the number of kept problems for each answer."""
    kept = _KeptCounts(groups, limits, answer_limit)
    return {problem: drop for problem in order if (drop := kept.drop(problem)) is not None}, kept.people


def _largest_limit(people: array[int], limits: Limits) -> int:
    """The largest limit on problems with one answer that is still allowed after every answer is cut to this limit."""
    sizes = np.array(people, dtype=np.int64)
    # The allowed number grows more slowly than the limit, so a binary search finds where it falls below the limit.
    numbers = range(int(sizes.max(initial=0)) + 1)
    return bisect_right(numbers, 0, key=lambda limit: limit > limits.most(int(np.minimum(sizes, limit).sum()))) - 1


def drops(order: Sequence[int], groups: Groups, limits: Limits) -> dict[int, Drop]:
    """The problems to drop. Problems that come first in ``order`` are kept first; the kept problems obey every limit.

    A share refers to the number of kept problems, which depends on the limit. The limit is lowered until the share is met.
    """
    dropped, people = _run(order, groups, limits, len(order))
    if not limits.answer:
        return dropped
    answer_limit = _largest_limit(people, limits)
    while True:
        dropped, people = _run(order, groups, limits, answer_limit)
        allowed = limits.most(len(order) - len(dropped))
        if max(people, default=0) <= allowed:
            return dropped
        answer_limit = min(answer_limit - 1, allowed)
