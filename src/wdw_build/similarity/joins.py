"""Exact similarity joins for the stages: near-duplicate questions, and sentences that overlap with a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from wdw_build.similarity.bags import Bags, Numbers, Places
from wdw_build.similarity.overlaps import Mask, by_rarity, pairs, sort

# For ceil() and floor() of products such as 0.8 * 5, which are not exact in binary.
_EPSILON = 1e-9


def _similar_pairs(bags: Bags, threshold: float) -> tuple[Numbers, Numbers]:
    """All pairs of bags that share at least ``threshold`` of the words of the smaller bag."""
    ordered = sort(bags, by_rarity(bags))
    needed = np.maximum(1, np.ceil(threshold * bags.sizes - _EPSILON)).astype(np.int64)
    batches = list(pairs(ordered, needed, ordered, len(bags.vocabulary)))
    firsts, seconds = zip(*batches, strict=True) if batches else ((), ())
    empty = np.zeros(0, dtype=np.int32)
    return np.concatenate([empty, *firsts]), np.concatenate([empty, *seconds])


def duplicates(bags: Bags, threshold: float, order: Sequence[int]) -> dict[int, int]:
    """Maps each removed bag to the first kept bag that it nearly duplicates.

    The bags are visited in ``order``. A bag is removed if it shares at least ``threshold`` of the words of the smaller bag
    with a bag kept before. Empty bags are kept.
    """
    positions = np.empty(len(bags), dtype=np.int64)
    positions[np.asarray(order, dtype=np.int64)] = np.arange(len(bags))
    first, second = (positions[numbers] for numbers in _similar_pairs(bags, threshold))
    pair_numbers = np.unique(np.maximum(first, second) * len(bags) + np.minimum(first, second))
    removed: dict[int, int] = {}
    for later, earlier in zip(*(part.tolist() for part in np.divmod(pair_numbers, max(1, len(bags)))), strict=True):
        if later != earlier and later not in removed and earlier not in removed:
            removed[later] = earlier
    return {order[later]: order[earlier] for later, earlier in removed.items()}


class SentenceFinder:
    """Finds sentences that share more than ``share`` of their words with any bag of a fixed collection."""

    def __init__(self, share: float, fixed: Bags) -> None:
        self._share, self._vocabulary = share, fixed.vocabulary
        self._vocabulary.learns = False
        self._ranks = by_rarity(fixed)
        self._fixed = sort(fixed, self._ranks)

    def sentences(self) -> Bags:
        """An empty collection for the sentences to test."""
        return Bags(self._vocabulary)

    def matches(self, sentences: Bags) -> Mask:
        """For each sentence, whether any bag of the fixed collection contains more than ``share`` of its words."""
        is_match = np.zeros(len(sentences), dtype=np.bool_)
        for matching, _ in self._batches(sentences):
            is_match[matching] = True
        return is_match

    def pairs(self, sentences: Bags) -> list[tuple[int, int]]:
        """Every (sentence, bag of the fixed collection) where the bag contains more than ``share`` of the sentence's words."""
        return sorted(
            {
                pair
                for batch in self._batches(sentences)
                for pair in zip(*(side.tolist() for side in batch), strict=True)
            }
        )

    def _batches(self, sentences: Bags) -> Iterator[tuple[Numbers, Numbers]]:
        needed: Places = np.floor(self._share * sentences.sizes + _EPSILON).astype(np.int64) + 1
        return pairs(sort(sentences, self._ranks), needed, self._fixed, len(self._vocabulary))
