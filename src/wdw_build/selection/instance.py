"""The program of one selection in the form that both solvers read: free articles, in the order of their draws.

Alternatives that another alternative of the same article equals in every row and every cap are omitted, except for the best.
Groups that cannot exceed their cap are omitted too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wdw_build.selection.offers import NONE, Capped, Offers, Terms, counts

# In problems: the slack of a system's bound, and that of a place.
SLACK, PLACE_SLACK = 0.5, 1.0
# Sums of fractions such as 1/3 are exact to far less than this; different sums differ by far more.
TOLERANCE = 1e-6
_LARGEST_KEY = 2**62
# What an alternative loses for each place behind the article's first, and what an article loses for a late draw.
_PER_POSITION, _PER_DRAW = 1e-4, 1e-5


# ---- rows -----------------------------------------------------------------------------------------------------------


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


# ---- the instance ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instance:
    """k alternatives of B articles, R rows, and G groups.

    The alternatives of article b are ``starts[b]:starts[b + 1]``, at least one.
    """

    source: NDArray[np.int64]
    """(k,) the index of each alternative in the offers"""
    starts: NDArray[np.int64]
    """(B + 1,)"""
    draw: NDArray[np.float64]
    """(B,)"""
    weight: NDArray[np.float64]
    """(k,) what the alternative adds to the objective"""
    kind: NDArray[np.int32]
    """(k,)"""
    matrix: NDArray[np.float64]
    """(kinds, R)"""
    low: NDArray[np.float64]
    """(R,) the least sum of each row; minus infinity for none"""
    high: NDArray[np.float64]
    groups: NDArray[np.int32]
    """(k, g) the groups of each alternative; G for no group"""
    room: NDArray[np.int64]
    """(G + 1,) how many alternatives of each group may be chosen; the last element has no limit"""
    label: NDArray[np.int64]
    """(G + 1,) a number of each group that is the same in all instances of the same offers and caps; the last is -1"""

    @property
    def article(self) -> NDArray[np.int32]:
        """(k,) the article of each alternative."""
        return np.repeat(np.arange(len(self.draw), dtype=np.int32), np.diff(self.starts))

    def sums(self, current: NDArray[np.int64]) -> NDArray[np.float64]:
        """(R,) the sums of the rows. ``current``: (B,) the chosen alternative of each article, -1 for none."""
        used = np.bincount(self.kind[current[current >= 0]], minlength=len(self.matrix))
        return np.asarray(used @ self.matrix)

    def excess(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """(R,) what these sums of the rows exceed the bounds by; 0 for a row that is met."""
        return np.maximum(np.maximum(sums - self.high, self.low - sums), 0.0)

    def used(self, current: NDArray[np.int64]) -> NDArray[np.int64]:
        """(G + 1,) the number of chosen alternatives of each group."""
        return np.bincount(self.groups[current[current >= 0]].ravel(), minlength=len(self.room))

    def part(self, free: NDArray[np.bool_], current: NDArray[np.int64]) -> Instance:
        """The instance of these articles, if all others stay as they are."""
        fixed = np.where(free, NONE, current)
        sums = self.sums(fixed)
        of_free = np.repeat(free, np.diff(self.starts))
        sizes = np.diff(self.starts)[free]
        room = self.room - self.used(fixed)
        room[-1] = self.room[-1]
        return Instance(
            source=np.flatnonzero(of_free),
            starts=np.append(0, np.cumsum(sizes)),
            draw=self.draw[free],
            weight=self.weight[of_free],
            kind=self.kind[of_free],
            matrix=self.matrix,
            low=np.minimum(self.low - sums, self.high - sums),
            high=self.high - sums,
            groups=self.groups[of_free],
            room=room,
            label=self.label,
        )


def build_instance(offers: Offers, terms: Terms, rows: Rows, caps: list[Capped], kept: NDArray[np.int64]) -> Instance:
    """The instance of the articles without a kept alternative."""
    fixed = kept[kept >= 0]
    possible = kept[offers.article] < 0
    room = [capped.limit - counts(capped, fixed) for capped in caps]
    for capped, left in zip(caps, room, strict=True):
        possible &= ~np.append(left <= 0, False)[capped.members].any(axis=1)
    source = np.flatnonzero(possible)
    by_draw = np.lexsort((source, offers.article[source], offers.draw[offers.article[source]]))
    source = source[by_draw]
    article = np.cumsum(np.diff(offers.article[source], prepend=offers.article[source][:1]) != 0)
    groups, limits, labels = _binding(article, [capped.members[source] for capped in caps], room)
    weight = _weights(offers, terms, source)
    best = _without_equals(article, rows.kind[source], groups, weight)
    source, article = source[best], article[best]
    starts = np.append(np.flatnonzero(np.diff(article, prepend=-1)), len(article))
    sums = rows.sums(fixed)
    return Instance(
        source=source,
        starts=starts,
        draw=offers.draw[offers.article[source[starts[:-1]]]],
        weight=weight[best],
        kind=rows.kind[source],
        matrix=rows.matrix.toarray(),
        # What is fixed may have broken the rows already.
        low=np.minimum(rows.low - sums, 0.0),
        high=np.maximum(rows.high - sums, 0.0),
        groups=groups[best],
        room=limits,
        label=labels,
    )


def _weights(offers: Offers, terms: Terms, source: NDArray[np.int64]) -> NDArray[np.float64]:
    """What each alternative adds to the objective."""
    first = np.searchsorted(offers.article, offers.article[source])
    weight = 1.0 + terms.event_weight * offers.event[source]
    return np.asarray(weight - _PER_POSITION * (source - first) - _PER_DRAW * offers.draw[offers.article[source]])


def _binding(
    article: NDArray[np.int64], members: list[NDArray[np.int64]], room: list[NDArray[np.int64]]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """The groups with more articles than room, renumbered over all caps, their room and their labels."""
    columns: list[NDArray[np.int64]] = []
    limits: list[NDArray[np.int64]] = []
    labels: list[NDArray[np.int64]] = []
    size = before = 0
    for numbers, left in zip(members, room, strict=True):
        tight = _tight(article, numbers, left)
        renumbered = np.full(len(left) + 1, NONE, dtype=np.int64)
        renumbered[tight] = size + np.arange(len(tight))
        size += len(tight)
        limits.append(left[tight])
        labels.append(before + tight)
        before += len(left)
        columns += [renumbered[column] for column in numbers.T] if len(tight) else []
    groups = np.stack(columns, axis=1) if columns else np.zeros((len(article), 0), dtype=np.int64)
    groups[groups == NONE] = size
    room_of = np.concatenate([*limits, [len(article)]]).astype(np.int64)
    return groups.astype(np.int32), room_of, np.concatenate([*labels, [NONE]]).astype(np.int64)


def _tight(article: NDArray[np.int64], members: NDArray[np.int64], left: NDArray[np.int64]) -> NDArray[np.int64]:
    """The groups with alternatives of more articles than there is room for."""
    present = members >= 0
    many = np.bincount(members[present], minlength=len(left)) > left
    suspect = present & np.append(many, False)[members]
    radix = int(article.max(initial=0)) + 1
    pairs = np.unique(members[suspect] * radix + np.broadcast_to(article[:, None], members.shape)[suspect])
    articles = np.bincount(pairs // radix, minlength=len(left))
    return np.flatnonzero(articles > left)


def _without_equals(
    article: NDArray[np.int64], kind: NDArray[np.int32], groups: NDArray[np.int32], weight: NDArray[np.float64]
) -> NDArray[np.int64]:
    """The alternatives that no better alternative of the article equals in all rows and groups, in the given order."""
    order = np.lexsort((-weight, *groups.T, kind, article))
    differs = np.diff(article[order], prepend=-1) != 0
    differs |= np.diff(kind[order], prepend=-1) != 0
    for column in groups.T:
        differs |= np.diff(column[order], prepend=-1) != 0
    return np.sort(order[differs])
