"""Counts by cell of suppression and by adversary, before suppression and after it.

Before suppression, an article counts with its first alternative; after it, with the selected alternative.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from wdw_build.records import AdversaryPredictions, SuppressionDecision
from wdw_build.stages.suppress import cell_of


class CellTotals(NamedTuple):
    """The problems of one cell; ``relaxed`` includes ``strict``.

    ``problems`` counts articles by their first alternative, ``strict`` and ``relaxed`` by the selected one, so that a cell may
    keep more problems than it had.
    """

    problems: int
    strict: int
    relaxed: int


def adversary_of(name: str, adversaries: Collection[str]) -> str:
    """The adversary of an entry of predictions, which may have the number of a round (`shallow-2`); empty for a baseline."""
    if name in adversaries:
        return name
    base, _, number = name.rpartition("-")
    return base if base in adversaries and number.isdecimal() else ""


class _Judged(NamedTuple):
    """What is counted of a problem that an adversary answered."""

    name: str
    bounded: bool
    choices: int
    right: bool


class AdversaryCounts:
    """Counts of the problems that ``adversaries`` answered; each round of an adversary counts as one more adversary."""

    def __init__(self, adversaries: Collection[str]) -> None:
        self._adversaries = adversaries
        # Counts before suppression, of strict and of kept problems.
        self._counts: defaultdict[_Judged, list[int]] = defaultdict(lambda: [0, 0, 0])

    def add(
        self, first: AdversaryPredictions, selected: AdversaryPredictions, decision: SuppressionDecision | None
    ) -> None:
        """Count an article for each adversary: its first alternative, and with a decision the selected one."""
        self._add(first, (1, 0, 0))
        if decision is not None:
            self._add(selected, (0, int(decision.strict), 1))

    def _add(self, predictions: AdversaryPredictions, levels: tuple[int, int, int]) -> None:
        for name, guess in predictions.guesses.items():
            if adversary_of(name, self._adversaries):
                is_right, is_bounded = guess == predictions.answer, name not in predictions.unbounded
                counts = self._counts[_Judged(name, is_bounded, predictions.choices, is_right)]
                counts[:] = map(sum, zip(counts, levels, strict=True))

    @property
    def names(self) -> list[str]:
        """The adversaries, and for each further round the name with its number (`shallow-2`), in the order of the records."""
        return list(dict.fromkeys(judged.name for judged in self._counts))

    def means(self, name: str, bounded: bool, value: Callable[[int, bool], float]) -> tuple[float, float, float]:
        """The mean of ``value(choices, solved)`` before suppression and over strict and kept problems, as ``CellCounts.mean``.

        The problems are those that the adversary's bound counts, or those that it does not count.
        """
        of_name = ((judged, counts) for judged, counts in self._counts.items() if judged[:2] == (name, bounded))
        return _means([(value(judged.choices, judged.right), counts) for judged, counts in of_name])

    def problems(self, name: str, bounded: bool) -> int:
        """The number of problems that the adversary's bound counts, or does not count, before suppression."""
        return sum(counts[0] for judged, counts in self._counts.items() if judged[:2] == (name, bounded))


class CellCounts:
    """Counts by cell: a pattern (1 for each baseline that solved the problem) and a number of choices."""

    def __init__(self) -> None:
        self.baselines: tuple[str, ...] = ()
        """The baselines, then the adversaries: one for each digit of a pattern."""
        # Counts before suppression, of strict and of kept problems.
        self._counts: defaultdict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0, 0])

    def add(self, first: AdversaryPredictions, decision: SuppressionDecision | None) -> None:
        """Count an article by the predictions for its first alternative, and by its decision if an alternative was selected."""
        self.baselines = tuple(first.guesses)
        cell = cell_of(first)
        self._counts[cell.pattern, cell.choices][0] += 1
        if decision is not None:
            kept = self._counts[decision.cell, decision.choices]
            kept[1] += decision.strict
            kept[2] += 1

    @property
    def choices(self) -> list[int]:
        """The numbers of choices that occur."""
        return sorted({choices for _, choices in self._counts})

    @property
    def strict(self) -> int:
        """Problems that the strict level keeps."""
        return sum(strict for _, strict, _ in self._counts.values())

    @property
    def rows(self) -> dict[str, dict[int, CellTotals]]:
        """Pattern -> number of choices -> totals; patterns with few solving baselines come first."""
        rows: dict[str, dict[int, CellTotals]] = defaultdict(dict)
        for cell in sorted(self._counts, key=lambda cell: (cell[0].count("1"), cell)):
            pattern, choices = cell
            rows[pattern][choices] = CellTotals(*self._counts[cell])
        return rows

    def mean(self, value: Callable[[str, int], float]) -> tuple[float, float, float]:
        """The mean of ``value(pattern, choices)`` before suppression and over strict and kept problems; 0 if there are none.

        Before suppression, an article counts with its first alternative.
        """
        return _means(
            [(value(pattern, size), cell) for pattern, row in self.rows.items() for size, cell in row.items()]
        )


def _means(rows: Sequence[tuple[float, Sequence[int]]]) -> tuple[float, float, float]:
    """The means of values before suppression and over strict and kept problems, given with their counts; 0 if there are none."""
    before, strict, kept = (
        math.fsum(value * counts[at] for value, counts in rows) / max(1, sum(counts[at] for _, counts in rows))
        for at in range(3)
    )
    return before, strict, kept
