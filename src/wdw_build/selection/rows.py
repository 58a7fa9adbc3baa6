"""The rows of one selection: what bounds and places of answers allow, in whole units.

A row adds up what each chosen alternative exceeds its allowance by. With three choices, a system may solve a third of a
problem: a right answer counts 2/3, a wrong one -1/3. In units of 1/3 these are the whole numbers 2 and -1, so sums are exact,
and a slack of half a problem is rounded down to one unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.offers import Offers, Terms

# In problems: the slack of a system's bound, and that of a place.
SLACK, PLACE_SLACK = 0.5, 1.0
_LARGEST_KEY = 2**62


@dataclass(frozen=True)
class Rows:
    """low <= sum of matrix[kind of alternative] over the chosen alternatives <= high, for each of R rows."""

    names: tuple[str, ...]
    kind: NDArray[np.int32]
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
    """The rows of these terms: a bound for each system, and with ``uniform_ranks`` one for each place of the answer."""
    kind, first = _kinds(offers, terms.uniform_ranks)
    # A bound of three decimals has units of a thousandth, beyond eight bits.
    choices, solved, ranks = offers.choices[first], offers.solved[first].astype(np.int64), offers.ranks[first]
    rows = list(_system_rows(choices, solved, terms))
    slack = [SLACK] * len(rows)
    if terms.uniform_ranks:
        rows += _place_rows(choices, ranks)
        slack += [PLACE_SLACK] * (len(rows) - len(slack))
    unit = np.array([row[1] for row in rows], dtype=np.int64)
    high = np.floor(np.array(slack) * unit)
    return Rows(
        names=tuple(row[0] for row in rows),
        kind=kind,
        matrix=np.array([row[2] for row in rows], dtype=np.int64).reshape(len(rows), len(first)).T,
        unit=unit,
        slack=np.array(slack),
        low=-high if terms.two_sided else np.full(len(rows), -np.inf),
        high=high,
    )


# A row: its name, the units of a problem, and what one alternative of each kind adds, in units.
_Row = tuple[str, int, NDArray[np.int64]]


def _system_rows(choices: NDArray[np.int64], solved: NDArray[np.int64], terms: Terms) -> Iterator[_Row]:
    for system, right in enumerate(solved.T):
        counted = np.where(right < 0, 0, 1)
        if terms.by_choices:
            for number in np.unique(choices).tolist():
                # With few choices, guessing reaches more than the bound.
                allowed = max(terms.allowed(number), Fraction(1, number))
                unit = allowed.denominator
                excess = counted * (unit * right - allowed.numerator)
                yield f"system {system}, {number} choices", unit, np.where(choices == number, excess, 0)
            continue
        share = {number: terms.allowed(number) for number in np.unique(choices).tolist()}
        unit = math.lcm(*(allowed.denominator for allowed in share.values()))
        units = np.array([int(share[number] * unit) for number in choices.tolist()], dtype=np.int64)
        yield f"system {system}", unit, counted * (unit * right - units)


def _place_rows(choices: NDArray[np.int64], ranks: NDArray[np.int8]) -> Iterator[_Row]:
    for ranking, places in enumerate(ranks.T):
        for number in np.unique(choices).tolist():
            for place in range(number):
                excess = number * (places == place) - 1
                yield f"ranking {ranking}, {number} choices, place {place}", number, np.where(
                    choices == number, excess, 0
                )


def _kinds(offers: Offers, with_ranks: bool) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The kind of each alternative, and the first alternative of each kind."""
    columns = [offers.choices, *(offers.solved.T + 1), *(offers.ranks.T if with_ranks else ())]
    key = np.zeros(len(offers.article), dtype=np.int64)
    size = 1
    for column in columns:
        width = int(column.max(initial=0)) + 1
        if size * width > _LARGEST_KEY:
            key = np.unique(key, return_inverse=True)[1]
            size = int(key.max(initial=0)) + 1
        key = key * width + column
        size *= width
    _, first, kind = np.unique(key, return_index=True, return_inverse=True)
    return kind.astype(np.int32), first.astype(np.int64)
