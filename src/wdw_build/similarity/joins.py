"""Exact similarity joins over bags of words, for the stages: near-duplicates, and sentences that stand in a question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wdw_build.similarity.bags import Bags, Numbers, Places
from wdw_build.similarity.overlaps import Mask, by_rarity, pairs, sort

# Guards ceil() and floor() against products such as 0.8 * 5 that are not exact in binary.
_EPSILON = 1e-9


def _edges(bags: Bags, threshold: float) -> tuple[Numbers, Numbers]:
    """All pairs of bags that share ``threshold`` of the smaller one."""
    ordered = sort(bags, by_rarity(bags))
    needed = np.maximum(1, np.ceil(threshold * bags.sizes - _EPSILON)).astype(np.int64)
    found = list(pairs(ordered, needed, ordered, len(bags.vocabulary)))
    ones, others = zip(*found, strict=True) if found else ((), ())
    none = np.zeros(0, dtype=np.int32)
    return np.concatenate([none, *ones]), np.concatenate([none, *others])


def duplicates(bags: Bags, threshold: float, order: Sequence[int]) -> dict[int, int]:
    """Keep bags in that order unless an earlier kept one shares ``threshold`` of the smaller of the two.

    Returns, for each bag that is not kept, the first of the kept ones that it is a duplicate of. Empty bags are kept.
    """
    places = np.empty(len(bags), dtype=np.int64)
    places[np.asarray(order, dtype=np.int64)] = np.arange(len(bags))
    one, other = (places[numbers] for numbers in _edges(bags, threshold))
    both = np.unique(np.maximum(one, other) * len(bags) + np.minimum(one, other))
    dropped: dict[int, int] = {}
    for later, earlier in zip(*(part.tolist() for part in np.divmod(both, max(1, len(bags)))), strict=True):
        if later != earlier and later not in dropped and earlier not in dropped:
            dropped[later] = earlier
    return {order[later]: order[earlier] for later, earlier in dropped.items()}


class SentenceFinder:
    """Which sentences share more than a share of their own words with any of a fixed set of bags."""

    def __init__(self, share: float, fixed: Bags) -> None:
        self._share, self._vocabulary = share, fixed.vocabulary
        self._vocabulary.learns = False
        self._ranks = by_rarity(fixed)
        self._fixed = sort(fixed, self._ranks)

    def sentences(self) -> Bags:
        """An empty collection of sentences to ask about."""
        return Bags(self._vocabulary)

    def matches(self, sentences: Bags) -> Mask:
        """Whether some bag holds more than ``share`` of the sentence's words, for each sentence."""
        found = np.zeros(len(sentences), dtype=np.bool_)
        needed: Places = np.floor(self._share * sentences.sizes + _EPSILON).astype(np.int64) + 1
        for matching, _ in pairs(sort(sentences, self._ranks), needed, self._fixed, len(self._vocabulary)):
            found[matching] = True
        return found
