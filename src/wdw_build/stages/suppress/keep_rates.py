"""Keep rates: cells, the linear program, and the selection of whole problems by its rates (paper, section 3).

T(C, m): problems with m choices that exactly the baselines in C solve. The linear program maximises the number of kept
problems while every baseline's accuracy on them is at most k. With k = ``chance`` the bound is the accuracy of guessing,
the sum of 1/m over the kept problems, which keeps the program linear. Many selections of the same size are optimal, so
small terms in the objective make the optimum unique, whichever solver looks for it (``tie_break``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from wdw_build.ports import LinearProgram

# A selection of whole problems may exceed a bound by at most half a problem.
SLACK = 0.5
# A problem counts 1 in the objective. These terms decide between selections of the same size, the largest term first.
_PER_FAILING_BASELINE, _PER_CHANCE, _PER_CELL = 1e-5, 1e-6, 1e-8


# The digit of a baseline whose bound does not count the problem.
UNBOUNDED = "-"


class Cell(NamedTuple):
    """Which baselines solve a problem (1, 0, or - if its bound does not count the problem), and its number of choices."""

    pattern: str
    choices: int

    @property
    def name(self) -> str:
        """A name for the solver's variable."""
        return f"a_{self.pattern.replace(UNBOUNDED, 'n')}_{self.choices}"


Bound = str | float


def allowance(bound: Bound, choices: int) -> float:
    """The part of one kept problem that a baseline may solve: 1/m at chance level, else the bound."""
    return 1.0 / choices if isinstance(bound, str) else float(bound)


def tie_break(cell: Cell, rank: float) -> float:
    """The weight of a problem of this cell beyond 1; ``rank`` is the cell's place in sorted order, in (0, 1].

    The terms prefer cells that fewer baselines solve, then cells with fewer choices, then cells that sort earlier. The last
    term leaves no tie: powers of e with different rational exponents are linearly independent over the rationals
    (Lindemann-Weierstrass), and all other numbers of the program are rational.
    """
    return _PER_FAILING_BASELINE * cell.pattern.count("0") + _PER_CHANCE / cell.choices + _PER_CELL * math.exp(-rank)


def linear_program(counts: Mapping[Cell, int], bound: Bound, least: Mapping[Cell, float]) -> LinearProgram:
    """The linear program of the keep rates; ``least`` are the rates of the level nested in this one."""
    cells = sorted(counts)
    objective = {
        cell.name: counts[cell] * (1.0 + tie_break(cell, rank / len(cells))) for rank, cell in enumerate(cells, 1)
    }
    width = len(cells[0].pattern) if cells else 0
    rows = {
        f"baseline_{number}": (
            {
                cell.name: counts[cell] * (int(cell.pattern[number]) - allowance(bound, cell.choices))
                for cell in cells
                if cell.pattern[number] != UNBOUNDED
            },
            0.0,
        )
        for number in range(width)
    }
    bounds = {cell.name: (min(1.0, least.get(cell, 0.0)), 1.0) for cell in cells}
    return LinearProgram(objective, rows, bounds)


@dataclass(frozen=True, slots=True)
class Entry:
    """The id of a problem, its cell, and the hash that is compared with its keep rate."""

    id: str
    cell: Cell
    draw: float


class _Level:
    """A set of kept problems with each baseline's excess over its bound, which every change updates.

    The excess is counted in an integer number of fractions of a problem. With floats, the order of the sum would decide
    whether the excess is more than half a problem.
    """

    def __init__(self, bound: Bound, cells: Iterable[Cell]) -> None:
        distinct = sorted(set(cells))
        fixed = None if isinstance(bound, str) else Fraction(str(bound))
        unit = 2 * (math.lcm(*(cell.choices for cell in distinct)) if fixed is None else fixed.denominator)
        self._steps = {
            cell: [
                _excess(digit, unit, fixed if fixed is not None else Fraction(1, cell.choices))
                for digit in cell.pattern
            ]
            for cell in distinct
        }
        self.slack = int(unit * Fraction(SLACK))
        self.kept: dict[str, Entry] = {}
        self.excess = [0] * (len(distinct[0].pattern) if distinct else 0)

    def change(self, entry: Entry, sign: int) -> None:
        """Add (+1) or remove (-1) a problem."""
        if sign > 0:
            self.kept[entry.id] = entry
        else:
            del self.kept[entry.id]
        for number, step in enumerate(self._steps[entry.cell]):
            self.excess[number] += sign * step

    def fits(self, entry: Entry) -> bool:
        """Whether adding a problem breaks no bound."""
        return all(over + step <= self.slack for over, step in zip(self.excess, self._steps[entry.cell], strict=True))


def _excess(digit: str, unit: int, allowed: Fraction) -> int:
    """What a problem adds to a baseline's excess over its bound, in fractions of 1/``unit``."""
    return 0 if digit == UNBOUNDED else int(digit) * unit - int(unit * allowed)


def within_bound(entries: Iterable[Entry], bound: Bound) -> bool:
    """Whether no baseline exceeds its bound on these problems by more than half a problem."""
    kept = list(entries)
    level = _Level(bound, (entry.cell for entry in kept))
    for entry in kept:
        level.change(entry, +1)
    return all(over <= level.slack for over in level.excess)


def select(
    entries: Sequence[Entry], rates: Mapping[Cell, float], bound: Bound, nested: frozenset[str]
) -> frozenset[str]:
    """The ids of the problems to keep: those drawn below their rate, repaired for the bounds.

    No bound is exceeded by more than half a problem. ``nested`` ids are always kept (the strict problems within the relaxed).
    """
    level = _Level(bound, (entry.cell for entry in entries))
    for entry in entries:
        if entry.id in nested or entry.draw < rates[entry.cell]:
            level.change(entry, +1)
    _drop(level, nested)
    _fill(level, entries, rates)
    return frozenset(level.kept)


def _drop(level: _Level, nested: frozenset[str]) -> None:
    """Remove problems until no bound is exceeded.

    Each step removes the problem with the highest draw that the baseline with the largest excess solves.
    """
    queues: dict[int, list[Entry]] = {}
    exhausted: set[int] = set()
    while open_bounds := [
        number for number, over in enumerate(level.excess) if over > level.slack and number not in exhausted
    ]:
        worst = max(open_bounds, key=lambda number: (level.excess[number], -number))
        if worst not in queues:
            queues[worst] = sorted(
                (entry for entry in level.kept.values() if entry.cell.pattern[worst] == "1" and entry.id not in nested),
                key=lambda entry: (entry.draw, entry.id),
            )
        queue = queues[worst]
        while queue and queue[-1].id not in level.kept:
            queue.pop()
        if queue:
            level.change(queue.pop(), -1)
        else:
            # All problems that are left belong to the nested level, which has met its own bound.
            exhausted.add(worst)


def _fill(level: _Level, entries: Sequence[Entry], rates: Mapping[Cell, float]) -> None:
    """Add problems that still fit, in the order of the distance between draw and keep rate."""
    missed = [entry for entry in entries if entry.id not in level.kept and rates[entry.cell] > 0]
    for entry in sorted(missed, key=lambda entry: (entry.draw - rates[entry.cell], entry.id)):
        if level.fits(entry):
            level.change(entry, +1)


def count(entries: Sequence[Entry]) -> Counter[Cell]:
    """T(C, m): the number of problems of each cell."""
    return Counter(entry.cell for entry in entries)
