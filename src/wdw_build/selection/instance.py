"""The program of one selection in the form that both solvers read: free articles, in the order of their draws.

Alternatives that another alternative of the same article equals in every row and every cap are omitted, except for the best.
Groups that cannot exceed their cap are omitted too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.groups import Capped, counts
from wdw_build.selection.offers import NONE, Offers, Terms
from wdw_build.selection.rows import Rows

# What an alternative loses for each place behind the article's first, and what an article loses for a late draw.
_PER_POSITION, _PER_DRAW = 1e-4, 1e-5


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
    article = _renumbered(offers.article[source])
    groups, limits, labels = _binding(article, [capped.members[source] for capped in caps], room)
    weight = _weights(offers, terms, source)
    best = _without_equals(article, rows.kind[source], groups, weight)
    source, article = source[best], article[best]
    starts = np.append(np.flatnonzero(np.diff(article, prepend=-1)), len(article))
    low, high = _loosened(rows, fixed)
    return Instance(
        source=source,
        starts=starts,
        draw=offers.draw[offers.article[source[starts[:-1]]]],
        weight=weight[best],
        kind=rows.kind[source],
        matrix=rows.matrix.toarray(),
        low=low,
        high=high,
        groups=groups[best],
        room=limits,
        label=labels,
    )


def _renumbered(article: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers from 0 in the order of appearance, for adjacent equal values."""
    return np.cumsum(np.diff(article, prepend=article[:1]) != 0)


def _weights(offers: Offers, terms: Terms, source: NDArray[np.int64]) -> NDArray[np.float64]:
    """What each alternative adds to the objective."""
    first = np.searchsorted(offers.article, offers.article[source])
    weight = 1.0 + terms.event_weight * offers.event[source]
    return np.asarray(weight - _PER_POSITION * (source - first) - _PER_DRAW * offers.draw[offers.article[source]])


def _loosened(rows: Rows, fixed: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The limits of the rows for what is chosen beside the fixed alternatives, which may have broken the rows already."""
    sums = rows.sums(fixed)
    return np.minimum(rows.low - sums, 0.0), np.maximum(rows.high - sums, 0.0)


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
    pairs = np.unique(members[suspect] * (int(article.max(initial=0)) + 1) + _spread(article, members)[suspect])
    articles = np.bincount(pairs // (int(article.max(initial=0)) + 1), minlength=len(left))
    return np.flatnonzero(articles > left)


def _spread(article: NDArray[np.int64], members: NDArray[np.int64]) -> NDArray[np.int64]:
    """The article of each element of ``members``."""
    return np.broadcast_to(article[:, None], members.shape)


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
