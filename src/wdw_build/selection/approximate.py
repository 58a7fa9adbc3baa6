"""The solver for large sets: prices, a draw, and a search over few articles that meets every row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.instance import Instance
from wdw_build.selection.offers import NONE
from wdw_build.selection.prices import TEMPERATURES, Prices, fit
from wdw_build.selection.sampling import mixed, sample
from wdw_build.selection.search import Search

# The first prices come from this number of articles; all articles then correct them.
_SAMPLE = 30_000
_STEPS, _CORRECTIONS = 300, 60
# Each round draws this share of the articles of the round before again, until so few are left that a search meets the rows.
_SHARE, _SEARCHED = 0.2, 1500
_MOVES = 4000


def approximate(instance: Instance) -> NDArray[np.int64]:
    """(B,) a choice that meets all rows and caps: the alternative of each article, -1 for none."""
    articles = len(instance.draw)
    current = np.full(articles, NONE, dtype=np.int64)
    if not articles:
        return current
    prices = Prices.zero(instance)
    order = mixed(instance.draw, 0)
    if articles > _SAMPLE and not instance.groups.shape[1]:
        fit(_sampled(instance, order < _SAMPLE / articles), prices, TEMPERATURES, _STEPS)
    share, lost, salt = 1.0, np.zeros(articles, dtype=bool), 1
    while True:
        free = (order < share) | lost
        part = instance.part(free, current)
        first = salt == 1 and not prices.rows.any()
        rates = fit(part, prices, TEMPERATURES if first else TEMPERATURES[-1:], _STEPS if first else _CORRECTIONS)
        current[free], lost[free] = _in_whole(part, *sample(part, rates, salt))
        if free.sum() <= _SEARCHED or share * articles <= _SEARCHED:
            break
        share *= _SHARE
        salt += 2
    return _searched(instance, current, order)


def _sampled(instance: Instance, free: NDArray[np.bool_]) -> Instance:
    """The instance of a sample of the articles. Its rows have the slack of the whole."""
    return instance.part(free, np.full(len(free), NONE, dtype=np.int64))


def _in_whole(
    part: Instance, drawn: NDArray[np.int64], lost: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    return np.where(drawn >= 0, part.source[drawn], NONE), lost


def _searched(instance: Instance, current: NDArray[np.int64], order: NDArray[np.float64]) -> NDArray[np.int64]:
    """Meet the rows by changing few articles; more articles if these are too few."""
    articles = len(current)
    share = _SEARCHED / articles
    while True:
        free = order < share
        part = instance.part(free, current)
        inverse = np.full(len(instance.weight) + 1, NONE, dtype=np.int64)
        inverse[part.source] = np.arange(len(part.source))
        search = Search(part, inverse[current[free]])
        search.run(_MOVES)
        if search.best is not None:
            current = current.copy()
            current[free] = np.where(search.best >= 0, part.source[search.best], NONE)
            return current
        if share >= 1:
            # No alternative at all meets every row.
            return np.full(articles, NONE, dtype=np.int64)
        share *= 4
