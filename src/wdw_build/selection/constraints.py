"""The constraints of one selection: rows for bounds and places of answers, and groups of which only some may be chosen.

A row adds up what each chosen alternative exceeds its allowance by. With three choices, a system may solve a third of a
problem: a right answer counts 2/3, a wrong one -1/3. In units of 1/3 these are the whole numbers 2 and -1, so sums are exact,
and a slack of half a problem is rounded down to one unit.

A group has the alternatives of an article, of a cap, or of a pair of problems that share an article. The caps limit problems with
the same passage, of the same event, or with the same answer. Two problems share an article if the question's article of one is
the passage of the other: that passage then opens with the other question, answer included.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from wdw_build.selection.enrichment import bounded_traits
from wdw_build.selection.offers import NONE, Offers, Terms

Ints = NDArray[np.int64]

# In problems: the slack of a bound on a system or a trait, and that of a place.
SLACK, PLACE_SLACK = 0.5, 1.0

# Why an article has no chosen alternative: the reasons of rejections.
PASSAGE, EVENT, ANSWER, SHARED = "passage-cap", "event-cap", "answer-cap", "shared-article"
_REASONS = ("", PASSAGE, EVENT, ANSWER, SHARED)


@dataclass(frozen=True)
class Rows:
    """low <= sum of matrix[kind of alternative] over the chosen alternatives <= high, for each of R rows."""

    names: tuple[str, ...]
    kind: Ints
    """(n,) the kind of each alternative; alternatives of one kind are equal in all rows"""
    matrix: Ints
    """(kinds, R) what one alternative of a kind adds to each row, in units"""
    unit: Ints
    """(R,) units of a problem"""
    slack: NDArray[np.float64]
    """(R,) in problems"""
    low: NDArray[np.float64]
    """(R,) in units; minus infinity for a row without a lower bound"""
    high: NDArray[np.float64]
    """(R,) in units"""

    def sums(self, alternatives: Ints) -> Ints:
        """(R,) the sum of each row over these alternatives, in units."""
        counts = np.bincount(self.kind[alternatives], minlength=len(self.matrix))
        return np.asarray(counts @ self.matrix)


def build_rows(offers: Offers, terms: Terms) -> Rows:
    """The rows of these terms.

    A bound for each system, at chance and for each number of choices one for each place, and one for each trait.
    """
    bounded = [] if terms.max_enrichment is None else list(bounded_traits(offers, terms.max_enrichment))
    ranks = offers.ranks if terms.two_sided else offers.ranks[:, :0]
    traits = offers.traits if bounded else offers.traits[:, :0]
    columns = np.column_stack([offers.choices, offers.solved, ranks, traits]).astype(np.int32)
    kinds, kind = np.unique(columns, axis=0, return_inverse=True)
    ends = np.cumsum([1, offers.solved.shape[1], ranks.shape[1]])
    choices, solved, places, values = np.split(kinds.astype(np.int64), ends, axis=1)
    rows = [*_rows(choices[:, 0], solved, places, terms), *_trait_rows(values, bounded)]
    unit = np.array([row.unit for row in rows], dtype=np.int64)
    slack = np.array([row.slack for row in rows])
    high = np.floor(slack * unit)
    is_two_sided = np.array([row.is_two_sided for row in rows], dtype=bool)
    return Rows(
        names=tuple(row.name for row in rows),
        kind=kind.reshape(-1),
        matrix=np.array([row.excess for row in rows], dtype=np.int64).reshape(len(rows), len(kinds)).T,
        unit=unit,
        slack=slack,
        low=np.where(is_two_sided, -high, -np.inf),
        high=high,
    )


class _Row(NamedTuple):
    """A row of ``Rows``. ``excess``: (kinds,) what one alternative of a kind adds to the row, in units."""

    name: str
    unit: int
    slack: float
    is_two_sided: bool
    excess: Ints


def _rows(choices: Ints, solved: Ints, ranks: Ints, terms: Terms) -> Iterator[_Row]:
    """The rows of systems and of places."""
    numbers = np.unique(choices).tolist()
    for system, right in enumerate(solved.T):
        for together in [[number] for number in numbers] if terms.by_choices else [numbers]:
            allowed = {number: terms.allowed(number) for number in together}
            unit = math.lcm(*(share.denominator for share in allowed.values()))
            units = np.array([int(unit * allowed.get(number, 0)) for number in choices.tolist()])
            name = f"system {system}" + (f", {together[0]} choices" if terms.by_choices else "")
            excess = np.where(np.isin(choices, together), unit * right - units, 0)
            yield _Row(name, unit, SLACK, terms.two_sided, excess)
    for ranking, places in enumerate(ranks.T):
        for number in numbers:
            for place in range(number):
                excess = np.where(choices == number, number * (places == place) - 1, 0)
                name = f"ranking {ranking}, {number} choices, place {place}"
                yield _Row(name, number, PLACE_SLACK, terms.two_sided, excess)


def _trait_rows(values: Ints, bounded: Iterable[tuple[int, int, Fraction]]) -> Iterator[_Row]:
    """The rows of bounded traits: a problem with the trait counts 1 less the share, another minus the share."""
    for column, value, share in bounded:
        excess = share.denominator * (values[:, column] == value) - share.numerator
        yield _Row(f"trait {column}, value {value}", share.denominator, SLACK, False, excess)


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
    passage_article = article_of[offers.passage]
    later = np.maximum(offers.day[offers.article], offers.day[passage_article])
    reading = np.flatnonzero((passage_article != NONE) & (passage_article != offers.article) & (later >= first_day))
    pair = passage_article[reading] * articles + offers.article[reading]
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
