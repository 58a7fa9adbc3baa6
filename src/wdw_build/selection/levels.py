"""The strict and the relaxed level of suppression."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wdw_build.core.dataset_size import most_held_out
from wdw_build.ports import Solver
from wdw_build.records import AdversaryPredictions, BaselinePredictions
from wdw_build.selection.offers import Offers, Terms, offered, terms_of
from wdw_build.selection.program import choose, relaxed_number
from wdw_build.selection.settings import SplitConfig, SuppressConfig

# The held-out problems are not known before the problems are chosen. The first guess of their first day leaves so much more.
_MARGIN = 4 / 3


def choose_strict(
    offers: Offers, config: SuppressConfig, split: SplitConfig | None, solver: Solver
) -> tuple[NDArray[np.int64], Terms]:
    """The strict level, as ``choose`` returns it, and its terms. Only ``within-split`` needs ``split``.

    With ``shared_articles: within-split``, only training problems may share an article. The strict problems decide which days
    are held out, so an earlier day is tried if some were held out that are dated before the first guess.
    """
    terms = first_terms(offers, config, split)
    while True:
        chosen = choose(offers, terms, solver)
        if config.shared_articles != "within-split" or split is None or terms.apart_from is None:
            return chosen, terms
        held_out_from = _first_held_out(offers.day[chosen >= 0], split)
        if held_out_from >= terms.apart_from:
            return chosen, terms
        terms = replace(terms, apart_from=held_out_from)


def first_terms(offers: Offers, config: SuppressConfig, split: SplitConfig | None) -> Terms:
    """The terms of the strict level, with a first guess of the days that are held out."""
    if config.shared_articles != "within-split" or split is None:
        return terms_of(config, config.strict, 0 if config.shared_articles == "forbid" else None)
    return terms_of(config, config.strict, _first_held_out(offers.day, split, _MARGIN))


def relaxed_strict(
    find: Callable[[str], Any],
    predictions: Iterable[BaselinePredictions],
    config: SuppressConfig,
    split: SplitConfig,
    solver: Solver,
    seed: int,
) -> tuple[int, float]:
    """The number of articles with predictions, and about how many strict problems a choice keeps from them.

    ``predictions``: records of ``baselines`` or ``adversary``. ``find`` returns the record of ``dedup`` with an id.
    """
    found = offered(((find(one.id), one, *_left_out(one)) for one in predictions), seed)
    return len(found.ids), relaxed_number(found.offers, first_terms(found.offers, config, split), solver)


def _left_out(predictions: BaselinePredictions) -> tuple[frozenset[int], frozenset[str]]:
    """The alternatives that adversaries exclude, and the systems whose bound does not count the article."""
    if not isinstance(predictions, AdversaryPredictions):
        return frozenset(), frozenset()
    return frozenset(predictions.excluded), frozenset(predictions.unbounded)


def _first_held_out(days: NDArray[np.int64], split: SplitConfig, margin: float = 1.0) -> int:
    """The first day of the held-out period if the strict problems have these days; ``margin`` times as many are held out."""
    if split.held_out_from is not None:
        return split.held_out_from.toordinal()
    number = min(len(days), round(margin * most_held_out(len(days), split.held_out, split.max_share)))
    return int(np.sort(days)[-number]) if number else int(days.max(initial=0)) + 1
