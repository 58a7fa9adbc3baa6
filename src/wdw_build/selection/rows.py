"""The rows of the program: linear conditions on the chosen alternatives, as one sparse matrix.

Many alternatives have the same numbers in all rows, because these depend only on the number of choices, on the systems that
are right and on the answer's places. Such alternatives are of one kind, and the matrix has a line for each kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wdw_build.selection.offers import Offers, Terms

# In problems: the slack of a system's bound, and that of a place.
SLACK, PLACE_SLACK = 0.5, 1.0
# Sums of fractions such as 1/3 are exact to far less than this; different sums differ by far more.
TOLERANCE = 1e-6
_LARGEST_KEY = 2**62


@dataclass(frozen=True)
class Rows:
    """low <= sum of matrix[kind of alternative] over the chosen alternatives <= high, for each row."""

    names: tuple[str, ...]
    kind: NDArray[np.int32]
    """(n,) the kind of each alternative"""
    matrix: csr_matrix
    """(kinds, rows) what one alternative of a kind adds to each row, in problems"""
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def sums(self, alternatives: NDArray[np.int64]) -> NDArray[np.float64]:
        """The sum of each row over these alternatives."""
        counts = np.bincount(self.kind[alternatives], minlength=self.matrix.shape[0])
        return np.asarray(self.matrix.T @ counts, dtype=np.float64)


def build_rows(offers: Offers, terms: Terms) -> Rows:
    """The rows of these terms."""
    kind, first = _kinds(offers, terms.uniform_ranks)
    choices, solved, ranks = offers.choices[first], offers.solved[first], offers.ranks[first]
    names, columns, low, high = [], [], [], []
    for name, column in _system_rows(choices, solved, terms):
        names.append(name)
        columns.append(column)
        low.append(-SLACK if terms.two_sided else -np.inf)
        high.append(SLACK)
    for name, column in _place_rows(choices, ranks) if terms.uniform_ranks else ():
        names.append(name)
        columns.append(column)
        low.append(-PLACE_SLACK)
        high.append(PLACE_SLACK)
    matrix = csr_matrix(np.array(columns).T if columns else (len(first), 0))
    return Rows(tuple(names), kind, matrix, np.array(low, dtype=np.float64), np.array(high, dtype=np.float64))


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


def _system_rows(
    choices: NDArray[np.int64], solved: NDArray[np.int8], terms: Terms
) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Name and values, one per kind, of each system's bound."""
    chance = 1.0 / np.maximum(choices, 1)
    if isinstance(terms.bound, str):
        allowed = chance
    else:
        # With few choices, guessing reaches more than the bound.
        allowed = np.maximum(terms.bound, chance) if terms.by_choices else np.full(len(choices), float(terms.bound))
    for system, right in enumerate(solved.T):
        excess = np.where(right < 0, 0.0, right - allowed)
        if not terms.by_choices:
            yield f"system {system}", excess
            continue
        for number in np.unique(choices):
            yield f"system {system}, {number} choices", np.where(choices == number, excess, 0.0)


def _place_rows(choices: NDArray[np.int64], ranks: NDArray[np.int8]) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Name and values, one per kind, of each place by each ranking."""
    for ranking, places in enumerate(ranks.T):
        for number in np.unique(choices):
            for place in range(number):
                excess = (places == place) - 1.0 / number
                yield f"ranking {ranking}, {number} choices, place {place}", np.where(choices == number, excess, 0.0)
