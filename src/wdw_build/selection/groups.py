"""Groups of alternatives of which only some may be chosen: the alternatives of an article, caps, and pairs that share an article.

The caps limit problems with the same passage, of the same event, or with the same answer. Two problems share an article if
the question's article of one is the passage of the other: that passage then opens with the other question, answer included.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from wdw_build.selection.offers import NONE, Offers, Terms

# Why an article has no chosen alternative: the reasons of rejections.
PASSAGE, EVENT, ANSWER, SHARED = "passage-cap", "event-cap", "answer-cap", "shared-article"
_REASONS = ("", PASSAGE, EVENT, ANSWER, SHARED)

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Groups:
    """G groups that could exceed their limit, in the order of ``_REASONS``."""

    members: csr_array
    """(n, G) 1 where an alternative is in a group"""
    limit: Ints
    """(G,) the most chosen alternatives of each group"""
    reason: Ints
    """(G,) index of the reason in ``_REASONS``"""

    def used(self, alternatives: Ints) -> Ints:
        """(G,) how many of these alternatives are in each group."""
        return np.bincount(self.members[alternatives].indices, minlength=len(self.limit))

    def limits(self, most: int) -> Ints:
        """(G,) the limits if ``most`` alternatives may have the same answer."""
        return np.where(self.reason == _REASONS.index(ANSWER), most, self.limit)


def build_groups(offers: Offers, terms: Terms) -> Groups:
    """All groups of these terms. The limit of an answer is the lowest that its share allows (see ``Limits.most``)."""
    alternatives, groups, limits, reasons = [], [], list[int](), list[int]()
    for reason, limit, alternative, group in _families(offers, terms):
        group = np.unique(group, return_inverse=True)[1]
        is_tight = np.bincount(group) > limit
        may_exceed = is_tight[group]
        alternatives.append(alternative[may_exceed].astype(np.int32))
        groups.append((np.cumsum(is_tight)[group[may_exceed]] - 1 + len(limits)).astype(np.int32))
        limits += [limit] * int(is_tight.sum())
        reasons += [_REASONS.index(reason)] * int(is_tight.sum())
    entries = np.concatenate(alternatives), np.concatenate(groups)
    members = csr_array((np.ones(len(entries[0]), dtype=np.int8), entries), shape=(len(offers.article), len(limits)))
    members.data[:] = 1  # an alternative whose question and passage are the same article is twice in its event
    return Groups(members, np.array(limits, dtype=np.int64), np.array(reasons, dtype=np.int64))


def _families(offers: Offers, terms: Terms) -> Iterator[tuple[str, int, Ints, Ints]]:
    """For each kind of group: its reason, its limit, and pairs of an alternative and the number of a group."""
    alternatives, limits = np.arange(len(offers.article)), terms.limits
    yield "", 1, alternatives, offers.article
    if limits.passage:
        yield PASSAGE, limits.passage, alternatives, offers.passage
    if limits.event:
        people = int(offers.person.max(initial=0)) + 1
        articles = np.concatenate([offers.passage, offers.question])
        yield EVENT, limits.event, np.tile(alternatives, 2), articles * people + np.tile(offers.person, 2)
    if limits.answer:
        # A share of fewer kept problems is a lower limit: no group that could exceed the lowest one may be missing.
        yield ANSWER, limits.most(0), alternatives, offers.person
    if terms.apart_from is not None:
        yield SHARED, 1, *_sharing(offers, terms.apart_from)


def _sharing(offers: Offers, first_day: int) -> tuple[Ints, Ints]:
    """Pairs of an alternative and the number of a group: an article with alternatives whose passage it is.

    A group has all alternatives of the one article, and those of the other with this passage, if the later of the two
    articles is dated ``first_day`` or later.
    """
    alternatives, articles = np.arange(len(offers.article)), len(offers.draw)
    article_of = np.full(int(max(offers.question.max(initial=0), offers.passage.max(initial=0))) + 1, NONE)
    article_of[offers.question] = offers.article
    asked = article_of[offers.passage]
    later = np.maximum(offers.day[offers.article], offers.day[asked])
    reading = np.flatnonzero((asked != NONE) & (asked != offers.article) & (later >= first_day))
    pair = asked[reading] * articles + offers.article[reading]
    pairs = np.unique(pair)
    ones = np.ones(len(alternatives), dtype=np.int8)
    of_article = csr_array((ones, (offers.article, alternatives)), shape=(articles, len(alternatives)))
    own = of_article[pairs // articles].tocoo()
    return np.concatenate([own.col, reading]), np.concatenate([pairs[own.row], pair])


def cap_reasons(offers: Offers, terms: Terms, chosen: Ints) -> dict[int, str]:
    """Why caps exclude all alternatives of an article: the first cap that its first alternative would exceed.

    ``chosen``: (A,) the index of the chosen alternative of each article, -1 for none. Articles with an alternative within all
    caps are absent, because the bounds exclude it; so are articles without alternatives.
    """
    groups, selected = build_groups(offers, terms), chosen[chosen >= 0]
    is_full = groups.used(selected) >= groups.limits(terms.limits.most(len(selected)))
    is_possible = np.zeros(len(chosen), dtype=bool)
    is_possible[offers.article[groups.members @ is_full.astype(np.int64) == 0]] = True
    reasons = {}
    for article, first in zip(*np.unique(offers.article, return_index=True), strict=True):
        if chosen[article] < 0 and not is_possible[article]:
            numbers = groups.members[[first]].indices
            reasons[int(article)] = _REASONS[groups.reason[numbers[is_full[numbers]]].min()]
    return reasons
