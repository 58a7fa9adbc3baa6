"""The linear program over keep rates, and the selection of whole problems by these rates (paper, section 3).

A cell (C, m) holds the problems with m choices that exactly the baselines in C solve. The program maximises the number
of problems kept, while every baseline's accuracy on them is at most k. With k = ``chance`` the bound is the chance
accuracy of the kept problems, the sum of 1/m, and the program is still linear. Many selections of the same size are
optimal, so small terms in the objective make the optimum unique, whichever solver finds it (``tie_break``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from wdw_build.ports import LinearProgram

# Selecting whole problems may exceed a bound by at most half a problem.
SLACK = 0.5
# A problem counts 1 in the objective. These terms decide between selections of the same size, the larger one first.
_PER_FAILING_BASELINE, _PER_CHANCE, _PER_CELL = 1e-5, 1e-6, 1e-8


class Cell(NamedTuple):
    """Which baselines solve a problem (one digit each), and its number of choices."""

    pattern: str
    choices: int

    @property
    def name(self) -> str:
        """A name for the solver's variable."""
        return f"a_{self.pattern}_{self.choices}"


Bound = str | float


def allowance(bound: Bound, choices: int) -> float:
    """The number of problems that a baseline may solve for each one kept: 1/m, or the fixed bound."""
    return 1.0 / choices if isinstance(bound, str) else float(bound)


def tie_break(cell: Cell, rank: float) -> float:
    """What a problem of this cell is worth beyond 1; ``rank`` is the cell's place in sorted order, in (0, 1].

    Preferred are cells that fewer baselines solve, then cells with fewer choices, then cells that sort earlier. The last
    term leaves no tie: powers of e with different rational exponents are linearly independent over the rationals
    (Lindemann-Weierstrass), and all other numbers of the program are rational.
    """
    return _PER_FAILING_BASELINE * cell.pattern.count("0") + _PER_CHANCE / cell.choices + _PER_CELL * math.exp(-rank)


def linear_program(counts: Mapping[Cell, int], bound: Bound, least: Mapping[Cell, float]) -> LinearProgram:
    """The program over the keep rates of cells; ``least`` holds the rates of the level nested in this one."""
    cells = sorted(counts)
    objective = {
        cell.name: counts[cell] * (1.0 + tie_break(cell, rank / len(cells))) for rank, cell in enumerate(cells, 1)
    }
    width = len(cells[0].pattern) if cells else 0
    rows = {
        f"baseline_{number}": (
            {cell.name: counts[cell] * (int(cell.pattern[number]) - allowance(bound, cell.choices)) for cell in cells},
            0.0,
        )
        for number in range(width)
    }
    bounds = {cell.name: (min(1.0, least.get(cell, 0.0)), 1.0) for cell in cells}
    return LinearProgram(objective, rows, bounds)


@dataclass(frozen=True, slots=True)
class Entry:
    """A problem, its cell, and its draw in [0, 1)."""

    id: str
    cell: Cell
    draw: float


class _Level:
    """The problems kept, and how far each baseline exceeds its bound on them.

    The excess is counted in whole fractions of a problem. With floats, whether it exceeds half a problem could depend on
    the order of the sum.
    """

    def __init__(self, bound: Bound, cells: Iterable[Cell]) -> None:
        every = sorted(set(cells))
        fixed = None if isinstance(bound, str) else Fraction(str(bound))
        unit = 2 * (math.lcm(*(cell.choices for cell in every)) if fixed is None else fixed.denominator)
        self._steps = {
            cell: [
                int(solved) * unit - int(unit * (fixed if fixed is not None else Fraction(1, cell.choices)))
                for solved in cell.pattern
            ]
            for cell in every
        }
        self.slack = int(unit * Fraction(SLACK))
        self.kept: dict[str, Entry] = {}
        self.excess = [0] * (len(every[0].pattern) if every else 0)

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


def select(
    entries: Sequence[Entry], rates: Mapping[Cell, float], bound: Bound, nested: frozenset[str]
) -> frozenset[str]:
    """The ids kept: those with a draw below their rate, adjusted until no bound is exceeded by more than half a problem.

    ``nested`` ids are always kept: the strict problems are relaxed problems too.
    """
    level = _Level(bound, (entry.cell for entry in entries))
    for entry in entries:
        if entry.id in nested or entry.draw < rates[entry.cell]:
            level.change(entry, +1)
    _drop(level, nested)
    _fill(level, entries, rates)
    return frozenset(level.kept)


def _drop(level: _Level, nested: frozenset[str]) -> None:
    """Remove problems of the baseline that exceeds its bound most, the highest draw first, until none exceeds it."""
    queues: dict[int, list[Entry]] = {}
    while level.excess and max(level.excess) > level.slack:
        worst = level.excess.index(max(level.excess))
        if worst not in queues:
            queues[worst] = sorted(
                (entry for entry in level.kept.values() if entry.cell.pattern[worst] == "1" and entry.id not in nested),
                key=lambda entry: (entry.draw, entry.id),
            )
        queue = queues[worst]
        while queue and queue[-1].id not in level.kept:
            queue.pop()
        if not queue:
            return
        level.change(queue.pop(), -1)


def _fill(level: _Level, entries: Sequence[Entry], rates: Mapping[Cell, float]) -> None:
    """Add problems that still fit, those first whose draw missed the rate by the least."""
    missed = [entry for entry in entries if entry.id not in level.kept and rates[entry.cell] > 0]
    for entry in sorted(missed, key=lambda entry: (entry.draw - rates[entry.cell], entry.id)):
        if level.fits(entry):
            level.change(entry, +1)


def count_cells(entries: Sequence[Entry]) -> Counter[Cell]:
    """The number of problems in each cell: T(C, m)."""
    return Counter(entry.cell for entry in entries)
