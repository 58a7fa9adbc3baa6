"""Exact containment join over word multisets: finds pairs of bags where one bag contains all but a few words of the other.

If at most d words of a bag may be missing from another bag, the bag is cut into d + 1 groups of words. By the pigeonhole
principle the other bag contains at least one whole group (Arasu et al. 2006, Deng et al. 2015). A group is a rare word and a
more frequent word, so that few bags contain both. The join looks up the groups among all pairs of words of the other bags,
filters the resulting pairs of bags by sketches, and then counts their shared words. The join misses no pair, takes a few
numbers of memory for each word, and handles millions of bags.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wdw_build.similarity.bags import Bags, Numbers, Places

Mask = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.int64]
Words64 = npt.NDArray[np.uint64]
_SKETCH_WORDS = 4
# Keys or pairs in memory at a time.
_BATCH = 1 << 21
_MIX = np.uint64(0x9E3779B97F4A7C15)
# Slots of the Bloom-style filter for each key: with this many, few absent keys pass it.
_SLOTS_PER_KEY = 8


def _within(starts: Places) -> Places:
    """The position of each element within its bag."""
    lengths = np.diff(starts)
    return np.arange(starts[-1], dtype=np.int64) - np.repeat(starts[:-1], lengths)


@dataclass(frozen=True)
class Sorted:
    """Bags of element ranks, the rarest element first. Each bag has a sketch of 256 bits; each element sets one bit."""

    ranks: Numbers
    starts: Places
    sketches: Words64

    @property
    def lengths(self) -> Places:
        """The number of elements of each bag; elements without a number are not counted."""
        return np.diff(self.starts)


def by_rarity(bags: Bags) -> Numbers:
    """The rank of every element of the vocabulary by its frequency in these bags: 0 for the rarest."""
    counts = np.bincount(bags.numbers, minlength=len(bags.vocabulary))
    ranks = np.empty(len(counts), dtype=np.int32)
    ranks[np.argsort(counts, kind="stable")] = np.arange(len(counts), dtype=np.int32)
    return ranks


def sort(bags: Bags, ranks: Numbers) -> Sorted:
    """The bags with their elements sorted by rank."""
    starts = bags.starts
    owners = np.repeat(np.arange(len(bags), dtype=np.int64), np.diff(starts))
    keys = owners * max(1, len(ranks)) + ranks[bags.numbers]
    keys.sort()
    ordered = (keys - owners * max(1, len(ranks))).astype(np.int32)
    bits = (ordered.astype(np.uint64) * _MIX) >> np.uint64(56)
    sketches = np.zeros((len(bags), _SKETCH_WORDS), dtype=np.uint64)
    np.bitwise_or.at(
        sketches, (owners, (bits >> np.uint64(6)).astype(np.int64)), np.uint64(1) << (bits & np.uint64(63))
    )
    return Sorted(ordered, starts, sketches)


@dataclass(frozen=True)
class _Groups:
    """The groups of all small bags, sorted by key.

    ``owners``: the bag of each group. ``slots``: a Bloom-style filter that rejects most absent keys.
    """

    keys: Keys
    owners: Numbers
    slots: Mask

    def may_hold(self, keys: Keys) -> Mask:
        return self.slots[_slot(keys, len(self.slots))]


def _slot(keys: Keys, slots: int) -> Places:
    """The slot of each key; ``slots`` is a power of two."""
    return ((keys.astype(np.uint64) * _MIX) >> np.uint64(65 - slots.bit_length())).astype(np.int64)


def _groups(small: Sorted, missing: Places, radix: int) -> _Groups:
    """Cut each bag into ``missing + 1`` groups; a bag with a negative number of ``missing`` words has no group."""
    groups = np.repeat(missing + 1, small.lengths)
    positions = _within(small.starts)
    anchors = np.flatnonzero(positions < groups)
    owners = np.repeat(np.arange(len(missing), dtype=np.int32), small.lengths)[anchors]
    partners = anchors + groups[anchors]
    paired = partners < small.starts[1:][owners]
    keys = small.ranks[anchors].astype(np.int64)
    keys[paired] = (keys[paired] + 1) * radix + small.ranks[partners[paired]]
    order = np.argsort(keys, kind="stable")
    slots = np.zeros(2 << (_SLOTS_PER_KEY * len(keys)).bit_length(), dtype=np.bool_)
    slots[_slot(keys, len(slots))] = True
    return _Groups(keys[order], owners[order], slots)


def _probes(large: Sorted, radix: int) -> Iterator[tuple[Numbers, Keys]]:
    """Yield (bags, keys) for batches of bags of equal length; a bag's row of keys covers every word and every pair of words."""
    lengths = large.lengths
    for length in np.unique(lengths[lengths > 0]):
        bags = np.flatnonzero(lengths == length)
        first, second = np.triu_indices(int(length), 1)
        rows = max(1, _BATCH // (len(first) + int(length)))
        for start in range(0, len(bags), rows):
            batch = bags[start : start + rows]
            words = large.ranks[large.starts[batch][:, None] + np.arange(length)].astype(np.int64)
            yield batch.astype(np.int32), np.hstack([words, (words[:, first] + 1) * radix + words[:, second]])


def _hits(groups: _Groups, large: Sorted, radix: int) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield (small bags, large bags) that share a group, in batches of bounded size."""
    for bags, keys in _probes(large, radix):
        rows, columns = np.nonzero(groups.may_hold(keys))
        wanted = keys[rows, columns]
        low = np.searchsorted(groups.keys, wanted)
        counts = np.searchsorted(groups.keys, wanted, side="right") - low
        present = np.flatnonzero(counts)
        low, counts, large_bags = low[present], counts[present], bags[rows[present]]
        ends = np.cumsum(counts)
        begin = 0
        while begin < len(counts):
            before = ends[begin - 1] if begin else 0
            end = max(begin + 1, int(np.searchsorted(ends, before + _BATCH, side="right")))
            size = counts[begin:end]
            within = np.arange(ends[end - 1] - before) - np.repeat(ends[begin:end] - size - before, size)
            yield groups.owners[np.repeat(low[begin:end], size) + within], np.repeat(large_bags[begin:end], size)
            begin = end


def _sketched(
    small: Sorted, missing: Places, large: Sorted, small_bags: Numbers, large_bags: Numbers
) -> tuple[Numbers, Numbers]:
    """The pairs whose large bag lacks at most as many sketch bits of the small bag as words may be missing."""
    absent = np.zeros(len(small_bags), dtype=np.int64)
    for word in range(_SKETCH_WORDS):
        absent += np.bitwise_count(small.sketches[small_bags, word] & ~large.sketches[large_bags, word])
        passes = absent <= missing[small_bags]
        small_bags, large_bags, absent = small_bags[passes], large_bags[passes], absent[passes]
    return small_bags, large_bags


def _shared(small: Sorted, large: Sorted, small_bags: Numbers, large_bags: Numbers, radix: int) -> Places:
    """The number of elements that each pair of bags shares."""

    def laid_out(bags: Sorted, chosen: Numbers) -> tuple[Keys, Places]:
        size = bags.lengths[chosen]
        ends = np.cumsum(size)
        within = np.arange(ends[-1]) - np.repeat(ends - size, size)
        owners = np.repeat(np.arange(len(chosen), dtype=np.int64), size)
        return owners * radix + bags.ranks[np.repeat(bags.starts[chosen], size) + within], owners

    wanted, owners = laid_out(small, small_bags)
    present, _ = laid_out(large, large_bags)
    places = np.minimum(np.searchsorted(present, wanted), len(present) - 1)
    return np.bincount(owners[present[places] == wanted], minlength=len(small_bags))


def pairs(small: Sorted, needed: Places, large: Sorted, vocabulary: int) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield (small bags, large bags), the pairs that share at least ``needed[small]`` elements (1 or more).

    A pair may be yielded more than once. ``vocabulary`` is the number of ranks.
    """
    radix = max(1, vocabulary)
    missing = small.lengths - needed
    groups = _groups(small, missing, radix)
    step = _BATCH // 64
    for one, other in _hits(groups, large, radix):
        one, other = _sketched(small, missing, large, one, other)
        pair_numbers = np.unique(one.astype(np.int64) * len(large.lengths) + other)
        one, other = (part.astype(np.int32) for part in np.divmod(pair_numbers, len(large.lengths)))
        for start in range(0, len(one), step):
            small_bags, large_bags = one[start : start + step], other[start : start + step]
            kept = _shared(small, large, small_bags, large_bags, radix) >= needed[small_bags]
            if kept.any():
                yield small_bags[kept], large_bags[kept]
