"""The rows of one selection: what bounds and places of answers allow, in whole units.

A row adds up what each chosen alternative exceeds its allowance by. With three choices, a system may solve a third of a
problem: a right answer counts 2/3, a wrong one -1/3. In units of 1/3 these are the whole numbers 2 and -1, so sums are exact,
and a slack of half a problem is rounded down to one unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.enrichment import bounded_traits
from wdw_build.selection.offers import Offers, Terms

# In problems: the slack of a bound on a system or a trait, and that of a place.
SLACK, PLACE_SLACK = 0.5, 1.0


@dataclass(frozen=True)
class Rows:
    """low <= sum of matrix[kind of alternative] over the chosen alternatives <= high, for each of R rows."""

    names: tuple[str, ...]
    kind: NDArray[np.int64]
    """(n,) the kind of each alternative; alternatives of one kind are equal in all rows"""
    matrix: NDArray[np.int64]
    """(kinds, R) what one alternative of a kind adds to each row, in units"""
    unit: NDArray[np.int64]
    """(R,) units of a problem"""
    slack: NDArray[np.float64]
    """(R,) in problems"""
    low: NDArray[np.float64]
    """(R,) in units; minus infinity for a row without a lower bound"""
    high: NDArray[np.float64]
    """(R,) in units"""

    def sums(self, alternatives: NDArray[np.int64]) -> NDArray[np.int64]:
        """(R,) the sum of each row over these alternatives, in units."""
        counts = np.bincount(self.kind[alternatives], minlength=len(self.matrix))
        return np.asarray(counts @ self.matrix)


def build_rows(offers: Offers, terms: Terms) -> Rows:
    """The rows of these terms.

    A bound for each system, at chance and for each number of choices one for each place, and one for each trait.
    """
    bounded = [] if terms.max_enrichment is None else list(bounded_traits(offers, terms.max_enrichment))
    ranks = offers.ranks if terms.two_sided else offers.ranks[:, :0]
    traits = offers.traits if bounded else offers.traits[:, :0]
    columns = np.column_stack([offers.choices, offers.solved, ranks, traits]).astype(np.int32)
    kinds, kind = np.unique(columns, axis=0, return_inverse=True)
    ends = np.cumsum([1, offers.solved.shape[1], ranks.shape[1]])
    choices, solved, places, values = np.split(kinds.astype(np.int64), ends, axis=1)
    rows = [*_rows(choices[:, 0], solved, places, terms), *_trait_rows(values, bounded)]
    unit = np.array([row[1] for row in rows], dtype=np.int64)
    slack = np.array([row[2] for row in rows])
    high = np.floor(slack * unit)
    is_two_sided = (
        np.arange(len(rows)) < len(rows) - len(bounded) if terms.two_sided else np.zeros(len(rows), dtype=bool)
    )
    return Rows(
        names=tuple(row[0] for row in rows),
        kind=kind.reshape(-1),
        matrix=np.array([row[3] for row in rows], dtype=np.int64).reshape(len(rows), len(kinds)).T,
        unit=unit,
        slack=slack,
        low=np.where(is_two_sided, -high, -np.inf),
        high=high,
    )


def _rows(
    choices: NDArray[np.int64], solved: NDArray[np.int64], ranks: NDArray[np.int64], terms: Terms
) -> Iterator[tuple[str, int, float, NDArray[np.int64]]]:
    """The name of each row, the units of a problem, the slack, and what one alternative of each kind adds, in units."""
    numbers = np.unique(choices).tolist()
    for system, right in enumerate(solved.T):
        for together in [[number] for number in numbers] if terms.by_choices else [numbers]:
            allowed = {number: terms.allowed(number) for number in together}
            unit = math.lcm(*(share.denominator for share in allowed.values()))
            units = np.array([int(unit * allowed.get(number, 0)) for number in choices.tolist()])
            name = f"system {system}" + (f", {together[0]} choices" if terms.by_choices else "")
            yield name, unit, SLACK, np.where(np.isin(choices, together), unit * right - units, 0)
    for ranking, places in enumerate(ranks.T):
        for number in numbers:
            for place in range(number):
                excess = np.where(choices == number, number * (places == place) - 1, 0)
                yield f"ranking {ranking}, {number} choices, place {place}", number, PLACE_SLACK, excess


def _trait_rows(
    values: NDArray[np.int64], bounded: Iterable[tuple[int, int, Fraction]]
) -> Iterator[tuple[str, int, float, NDArray[np.int64]]]:
    """The rows of bounded traits, as ``_rows``: a problem with the trait counts 1 less the share, another minus the share."""
    for column, value, share in bounded:
        unit = share.denominator
        yield f"trait {column}, value {value}", unit, SLACK, unit * (values[:, column] == value) - share.numerator
