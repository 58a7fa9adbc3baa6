"""Why an article has no chosen alternative, as far as caps are the reason."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.groups import capped_groups, full_members
from wdw_build.selection.offers import Offers, Terms


def cap_reasons(offers: Offers, terms: Terms, chosen: NDArray[np.int64]) -> dict[int, str]:
    """The cap that excludes each article without a chosen alternative, if caps exclude all of its alternatives.

    ``chosen``: (A,) the index of the chosen alternative of each article, -1 for none. The reason is ``passage-cap``,
    ``event-cap`` or ``answer-cap``: the first cap that the article's first alternative is over. Articles with an alternative
    within all caps are absent, because the bounds exclude it; so are articles without alternatives.
    """
    kept = chosen[chosen >= 0]
    groups = capped_groups(offers, terms.limits, terms.limits.most(len(kept)))
    if not groups:
        return {}
    full = np.stack([full_members(capped, kept) for capped in groups])
    within = np.zeros(len(chosen), dtype=bool)
    within[offers.article[~full.any(axis=0)]] = True
    articles, first = np.unique(offers.article, return_index=True)
    return {
        int(article): groups[int(np.argmax(full[:, index]))].reason
        for article, index in zip(articles, first, strict=True)
        if chosen[article] < 0 and not within[article]
    }
