"""How much more frequent each trait is among the strict problems than before suppression, and how frequent it may be.

Suppression prefers problems that baselines get wrong. Where odd documents mislead baselines, odd documents become more
frequent, which ``suppress.max_enrichment`` limits. Traits of fewer than ``LEAST`` problems are neither bounded nor reported:
by chance alone, one problem more changes their share a lot.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from wdw_build.core.dataset_size import Interval, wilson
from wdw_build.records import TraitShare
from wdw_build.selection.offers import Offered, Offers

# Problems before suppression.
LEAST = 20
# The probability that any interval excludes 1 although suppression ignores all traits.
_ERROR = 0.05
_DECIMALS = 3


def most_allowed(factor: float, count: int, problems: int) -> Fraction:
    """The largest share of a trait that ``count`` of ``problems`` problems have before suppression; 1: it has no bound."""
    if count < LEAST:
        return Fraction(1)
    return min(Fraction(1), Fraction(str(factor)).limit_denominator(1000) * Fraction(count, problems))


def bounded_traits(offers: Offers, factor: float) -> Iterator[tuple[int, int, Fraction]]:
    """The column of ``Offers.traits``, the value, and the largest share of each trait that is bounded."""
    first = np.unique(offers.article, return_index=True)[1]
    for column, values in enumerate(offers.traits[first].T):
        for value, count in enumerate(np.bincount(values).tolist()):
            allowed = most_allowed(factor, count, len(first))
            if allowed < 1:
                yield column, value, allowed


def trait_shares(offered: Offered, chosen: NDArray[np.int64]) -> tuple[TraitShare, ...]:
    """The shares of each value of each trait, before suppression and among the chosen alternatives.

    ``chosen``: (A,) the index of the chosen alternative of each article, -1 for none.
    """
    offers, selected = offered.offers, chosen[chosen >= 0]
    first = np.unique(offers.article, return_index=True)[1]
    numbers = list[tuple[str, str, int, int]]()
    for column, (trait, values) in enumerate(offered.traits.items()):
        before, after = (np.bincount(offers.traits[rows, column], minlength=len(values)) for rows in (first, selected))
        for value, count, chosen_count in zip(values, before.tolist(), after.tolist(), strict=True):
            numbers.append((trait, value, count, chosen_count))
    compared = sum(LEAST <= count < len(first) for _, _, count, _ in numbers)
    level = 1 - _ERROR / max(1, compared)
    return tuple(
        _share(trait, value, (count, len(first)), (chosen_count, len(selected)), level)
        for trait, value, count, chosen_count in numbers
    )


def _share(trait: str, value: str, before: tuple[int, int], chosen: tuple[int, int], level: float) -> TraitShare:
    """``before`` and ``chosen``: problems with the value, and all problems."""
    (count, problems), (selected, strict) = before, chosen
    ratio = low = high = None
    if count and strict:
        limits = selected / strict, *_interval(selected, strict, problems, level)
        ratio, low, high = (round(limit * problems / count, _DECIMALS) for limit in limits)
    differs = LEAST <= count < problems and low is not None and high is not None and not low <= 1 <= high
    return TraitShare(
        trait=trait, value=value, problems=count, strict=selected, ratio=ratio, low=low, high=high, differs=differs
    )


def _interval(selected: int, strict: int, problems: int, level: float) -> Interval:
    """The interval of a share among the strict problems, with the finite population correction.

    The more of all problems are strict, the less the shares can differ by chance.
    """
    if strict >= problems:
        return Interval(selected / strict, selected / strict)
    effective = strict * (problems - 1) / (problems - strict)
    return wilson(selected / strict * effective, effective, level)
