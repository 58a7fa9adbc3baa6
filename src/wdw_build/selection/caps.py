"""Groups of alternatives that a cap limits: those with the same passage, of the same event, or with the same answer.

Also why an article has no chosen alternative, as far as caps are the reason.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.offers import ANSWER, EVENT, PASSAGE, Limits, Offers, Terms


class Capped(NamedTuple):
    """Groups with the same limit. An alternative has one group, or two: events by question and by passage.

    ``members``: (n, 1 or 2) group numbers from 0; -1 for no second group. ``reason``: what a cap is called in rejections.
    """

    reason: str
    members: NDArray[np.int64]
    limit: int


def capped_groups(offers: Offers, limits: Limits, answer_limit: int) -> list[Capped]:
    """The groups of all caps that are set. ``answer_limit``: the most alternatives with one answer (see ``Limits.most``)."""
    groups = []
    if limits.passage:
        groups.append(Capped(PASSAGE, _numbered(offers.passage)[:, None], limits.passage))
    if limits.event:
        groups.append(Capped(EVENT, _events(offers), limits.event))
    if limits.answer:
        groups.append(Capped(ANSWER, _numbered(offers.person)[:, None], answer_limit))
    return groups


def _events(offers: Offers) -> NDArray[np.int64]:
    """(n, 2) the events of each alternative: its passage with the person, and its question with the person."""
    people = int(offers.person.max(initial=0)) + 1
    keys = np.concatenate([offers.passage, offers.question]) * people + np.tile(offers.person, 2)
    events = _numbered(keys).reshape(2, -1).T.copy()
    events[offers.passage == offers.question, 1] = -1
    return events


def _numbered(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Equal numbers, from 0, for equal values."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def counts(capped: Capped, alternatives: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of these alternatives in each group."""
    members = capped.members[alternatives].ravel()
    return np.bincount(members[members >= 0], minlength=int(capped.members.max(initial=-1)) + 1)


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
    # (caps, n) whether a group of the alternative is full; the last element is that of -1.
    full = np.stack(
        [np.append(counts(capped, kept) >= capped.limit, False)[capped.members].any(axis=1) for capped in groups]
    )
    within = np.zeros(len(chosen), dtype=bool)
    within[offers.article[~full.any(axis=0)]] = True
    articles, first = np.unique(offers.article, return_index=True)
    return {
        int(article): groups[int(np.argmax(full[:, index]))].reason
        for article, index in zip(articles, first, strict=True)
        if chosen[article] < 0 and not within[article]
    }
