"""The solver for large sets: prices, a draw, and a search over few articles that meets every row."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.instance import Instance
from wdw_build.selection.offers import NONE
from wdw_build.selection.prices import TEMPERATURES, Prices, drop_contested, fit, mixed, sample
from wdw_build.selection.search import Search

# The first prices come from this number of articles; all articles then correct them.
SAMPLE = 30_000
_STEPS, _CORRECTIONS = 300, 15
# Each round draws this share of the articles of the round before again, until so few are left that a search meets the rows.
_SHARE, _SEARCHED = 0.2, 1500
_MOVES = 4000


@dataclass(frozen=True)
class Choice:
    """A choice that meets rows and caps, and the prices that led to it.

    ``current``: (B,) the alternative of each article, -1 for none. ``sources``: the same as sorted indices in the offers.
    """

    current: NDArray[np.int64]
    sources: NDArray[np.int64]
    row_prices: NDArray[np.float64]
    group_prices: Mapping[int, float]
    """by label"""


def approximate(instance: Instance, earlier: Choice | None = None) -> Choice:
    """A choice near the best one that meets the caps; ``meet_rows`` makes it meet the rows.

    ``earlier``: a choice for slightly different caps, which shortens the way.
    """
    articles = len(instance.draw)
    prices, current = Prices.zero(instance), np.full(articles, NONE, dtype=np.int64)
    if not articles:
        return _choice(instance, current, prices)
    order = mixed(instance.draw, 0)
    share, lost = 1.0, np.zeros(articles, dtype=bool)
    temperatures, steps = TEMPERATURES, _STEPS
    if earlier is not None:
        prices.rows = earlier.row_prices.copy()
        prices.groups = np.array([earlier.group_prices.get(label, 0.0) for label in instance.label.tolist()])
        current, lost = _within_caps(instance, earlier)
        share, temperatures, steps = _SHARE, TEMPERATURES[1:], round(_CORRECTIONS / _SHARE)
    elif articles > SAMPLE:
        fit(_sampled(instance, order < SAMPLE / articles), prices, TEMPERATURES, _STEPS)
        # The sample has given no prices to groups, so that these still need several temperatures.
        temperatures = TEMPERATURES[1 if instance.groups.shape[1] else -1 :]
        steps = _CORRECTIONS
    first = prices
    for number in itertools.count():
        free = (order < share) | lost
        part = instance.part(free, current)
        # A few articles that make up for an error have extreme prices, which would mislead the next round.
        prices = first if number == 0 else first.copy()
        drawn, lost[free] = sample(part, fit(part, prices, temperatures, min(_STEPS, steps)), 2 * number + 1)
        current[free] = np.where(drawn >= 0, part.source[drawn], NONE)
        if share * articles <= _SEARCHED / _SHARE:
            return _choice(instance, current, first)
        share *= _SHARE
        # Fewer articles must make up for what more articles are off by, and steps cost less.
        temperatures, steps = TEMPERATURES[-1:], round(_CORRECTIONS / share)
    raise AssertionError


def _choice(instance: Instance, current: NDArray[np.int64], prices: Prices) -> Choice:
    groups = {int(label): float(price) for label, price in zip(instance.label, prices.groups, strict=True) if price}
    return Choice(current, np.sort(instance.source[current[current >= 0]]), prices.rows, groups)


def _within_caps(instance: Instance, earlier: Choice) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The earlier choice without what the caps forbid now, and which articles have lost their alternative."""
    used = np.flatnonzero(np.isin(instance.source, earlier.sources))
    current = np.full(len(instance.draw), NONE, dtype=np.int64)
    current[instance.article[used]] = used
    return current, drop_contested(instance, current, 0)


def _sampled(instance: Instance, free: NDArray[np.bool_]) -> Instance:
    """The instance of a sample of the articles. Caps are ignored: they concern few articles of a sample."""
    part = instance.part(free, np.full(len(free), NONE, dtype=np.int64))
    return replace(part, groups=np.zeros((len(part.weight), 0), dtype=np.int32))


def meet_rows(instance: Instance, choice: Choice) -> NDArray[np.int64]:
    """(B,) a choice that meets all rows and caps and differs for few articles; for more if few are not enough."""
    articles, current = len(choice.current), choice.current.copy()
    order = mixed(instance.draw, 0)
    sums = instance.sums(current)
    excess = float(instance.excess(sums).sum())
    # A move lowers the excess by a problem or two.
    moves, share = _MOVES + round(4 * excess), max(_SEARCHED, 4 * excess) / max(articles, 1)
    while articles:
        free = order < share
        part = instance.part(free, current)
        position = np.full(len(instance.weight) + 1, NONE, dtype=np.int64)
        position[part.source] = np.arange(len(part.source))
        search = Search(part, position[current[free]])
        search.run(moves)
        if search.best is not None:
            current[free] = np.where(search.best >= 0, part.source[search.best], NONE)
            return current
        if share >= 1:
            return _from_nothing(instance)
        share *= 4
    return current


def _from_nothing(instance: Instance) -> NDArray[np.int64]:
    """A choice by a search that starts with no alternative, which meets all rows: they are loosened for what is kept."""
    search = Search(instance, np.full(len(instance.draw), NONE, dtype=np.int64))
    search.run(_MOVES)
    return search.current if search.best is None else search.best
