"""Exact similarity joins for the stages: near-duplicate questions, and sentences that overlap with a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from wdw_build.similarity.bags import Bags, Mask, Numbers, Places
from wdw_build.similarity.overlaps import PostingBlock, Sorted, by_rarity, pairs, sort

# For ceil() and floor() of products such as 0.8 * 5, which are not exact in binary.
_EPSILON = 1e-9
# Bags in one partition of a join, about. Groups of so many fit into the caches of a processor.
_BAGS_IN_PART = 1 << 15
_PAIRS = "pairs.npy"

# The first and the second bags of pairs.
Pairs = tuple[Numbers, Numbers]


def partitions(bags: int) -> int:
    """The number of partitions of a join of so many bags with themselves."""
    return max(1, -(-bags // _BAGS_IN_PART))


def similar_pairs(bags: Sorted, threshold: float, part: PostingBlock) -> Pairs:
    """The pairs of bags of a partition that share at least ``threshold`` of the words of the smaller bag; pairs may repeat."""
    needed = np.maximum(1, np.ceil(threshold * bags.lengths - _EPSILON)).astype(np.int64)
    similar = list[Pairs]()
    for small, large in pairs(bags, needed, bags, part):
        is_similar = (small != large) & (bags.lengths[small] <= bags.lengths[large])
        similar.append((small[is_similar], large[is_similar]))
    return joined(similar)


def joined(sources: Iterable[tuple[Numbers, Numbers]]) -> Pairs:
    """Pairs from several sources in one."""
    firsts, seconds = list[Numbers](), list[Numbers]()
    for first, second in sources:
        firsts.append(first)
        seconds.append(second)
    empty = np.zeros(0, dtype=np.int32)
    return np.concatenate([empty, *firsts]), np.concatenate([empty, *seconds])


def write_pairs(folder: Path, bag_pairs: Pairs) -> None:
    """Write the pairs of a partition into a folder."""
    np.save(folder / _PAIRS, np.stack(bag_pairs))


def read_pairs(folders: Iterable[Path]) -> Pairs:
    """The pairs of all partitions."""
    return joined(tuple(np.load(folder / _PAIRS)) for folder in folders)


def greedy(bag_pairs: Pairs, order: Sequence[int]) -> dict[int, int]:
    """Maps each removed bag to the first kept bag that it is similar to, given all pairs of similar bags.

    The bags are visited in ``order``. A bag is removed if it is similar to a bag kept before.
    """
    positions = np.empty(len(order), dtype=np.int64)
    positions[np.asarray(order, dtype=np.int64)] = np.arange(len(order))
    first, second = (positions[side] for side in bag_pairs)
    pair_numbers = np.unique(np.maximum(first, second) * len(order) + np.minimum(first, second))
    removed: dict[int, int] = {}
    for later, earlier in zip(*(part.tolist() for part in np.divmod(pair_numbers, max(1, len(order)))), strict=True):
        if later not in removed and earlier not in removed:
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
        # Few sentences of a corpus have enough words of the collection at all.
        chosen = np.flatnonzero(sentences.known >= needed)
        ordered = sort(sentences.selected(chosen), self._ranks)
        for found, bags in pairs(ordered, needed[chosen], self._fixed):
            yield chosen[found].astype(np.int32), bags
