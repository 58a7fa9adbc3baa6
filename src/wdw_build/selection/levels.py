"""The strict level of suppression."""

from __future__ import annotations

import datetime as dt

import numpy as np
from numpy.typing import NDArray

from wdw_build.ports import Solver
from wdw_build.selection.offers import Offers, Terms, terms_of
from wdw_build.selection.program import choose
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
    terms = strict_terms(offers.day, config, split)
    while True:
        chosen = choose(offers, terms, solver)
        actual = strict_terms(offers.day[chosen >= 0], config, split, margin=1.0)
        if terms.apart_from is None or actual.apart_from is None or actual.apart_from >= terms.apart_from:
            return chosen, terms
        terms = actual


def strict_terms(
    days: NDArray[np.int64], config: SuppressConfig, split: SplitConfig | None, margin: float = _MARGIN
) -> Terms:
    """The terms of the strict level if its problems have these days; ``margin`` times as many problems are held out."""
    apart_from = 0 if config.shared_articles == "forbid" else None
    if config.shared_articles == "within-split" and split is not None:
        keys = [(dt.date.fromordinal(day), "") for day in days.tolist()]
        apart_from = split.first_held_out(keys, margin)[0].toordinal()
    return terms_of(config, config.strict, apart_from)
