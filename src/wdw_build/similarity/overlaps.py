"""Which bags of words stand, but for a few words, in which other bags: an exact join, made for millions of bags.

A bag of which at most d words may be missing from another is cut into d + 1 groups of words: one group at least stands there
whole (the pigeonhole principle, as in Arasu et al. 2006 and Deng et al. 2015). A group is a rare word and a less rare
one, so that few bags hold both. Groups are looked up among all pairs of words of the other bags; what is found passes a
filter of hashed words and is then counted in full. Nothing is missed, and memory is a few numbers a word.
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
_AT_ONCE = 1 << 21
_MIX = np.uint64(0x9E3779B97F4A7C15)
# Slots of the look-up's first test for each key; at this many, few of the keys that are none pass it.
_SLOTS_PER_KEY = 8


def _within(starts: Places) -> Places:
    """Of each element the position within its bag."""
    lengths = np.diff(starts)
    return np.arange(starts[-1], dtype=np.int64) - np.repeat(starts[:-1], lengths)


@dataclass(frozen=True)
class Sorted:
    """Bags whose elements are ranks, the rarest first, with a sketch of each: 256 bits, one set for each element."""

    ranks: Numbers
    starts: Places
    sketches: Words64

    @property
    def lengths(self) -> Places:
        """How many known elements each bag has."""
        return np.diff(self.starts)


def by_rarity(bags: Bags) -> Numbers:
    """The rank of every element of the vocabulary: 0 for the rarest in these bags."""
    counts = np.bincount(bags.numbers, minlength=len(bags.vocabulary))
    ranks = np.empty(len(counts), dtype=np.int32)
    ranks[np.argsort(counts, kind="stable")] = np.arange(len(counts), dtype=np.int32)
    return ranks


def sort(bags: Bags, ranks: Numbers) -> Sorted:
    """The bags with their elements in the order of the ranks."""
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
    """The groups of all small bags, sorted by key: ``owners`` are the bags; ``slots`` tells most keys that are none."""

    keys: Keys
    owners: Numbers
    slots: Mask

    def may_hold(self, keys: Keys) -> Mask:
        return self.slots[_slot(keys, len(self.slots))]


def _slot(keys: Keys, slots: int) -> Places:
    """The slot of each key; ``slots`` is a power of two."""
    return ((keys.astype(np.uint64) * _MIX) >> np.uint64(65 - slots.bit_length())).astype(np.int64)


def _groups(small: Sorted, missing: Places, radix: int) -> _Groups:
    """Cut each bag into ``missing + 1`` groups; bags of which more is missing already (below 0) have none."""
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
    """(bags, keys of a row for each bag): every word and every pair of words. Bags of one length go together."""
    lengths = large.lengths
    for length in np.unique(lengths[lengths > 0]):
        bags = np.flatnonzero(lengths == length)
        first, second = np.triu_indices(int(length), 1)
        rows = max(1, _AT_ONCE // (len(first) + int(length)))
        for at in range(0, len(bags), rows):
            some = bags[at : at + rows]
            words = large.ranks[large.starts[some][:, None] + np.arange(length)].astype(np.int64)
            yield some.astype(np.int32), np.hstack([words, (words[:, first] + 1) * radix + words[:, second]])


def _hits(groups: _Groups, large: Sorted, radix: int) -> Iterator[tuple[Numbers, Numbers]]:
    """(small bag, large bag) for every group that is found, in pieces of bounded size."""
    for bags, keys in _probes(large, radix):
        rows, columns = np.nonzero(groups.may_hold(keys))
        wanted = keys[rows, columns]
        low = np.searchsorted(groups.keys, wanted)
        counts = np.searchsorted(groups.keys, wanted, side="right") - low
        some = np.flatnonzero(counts)
        low, counts, found = low[some], counts[some], bags[rows[some]]
        ends = np.cumsum(counts)
        begin = 0
        while begin < len(counts):
            before = ends[begin - 1] if begin else 0
            end = max(begin + 1, int(np.searchsorted(ends, before + _AT_ONCE, side="right")))
            size = counts[begin:end]
            within = np.arange(ends[end - 1] - before) - np.repeat(ends[begin:end] - size - before, size)
            yield groups.owners[np.repeat(low[begin:end], size) + within], np.repeat(found[begin:end], size)
            begin = end


def _sketched(small: Sorted, missing: Places, large: Sorted, one: Numbers, other: Numbers) -> tuple[Numbers, Numbers]:
    """The pairs that may pass: no more bits of the small bag's sketch are missing than words may be."""
    over = np.zeros(len(one), dtype=np.int64)
    for word in range(_SKETCH_WORDS):
        over += np.bitwise_count(small.sketches[one, word] & ~large.sketches[other, word])
        kept = over <= missing[one]
        one, other, over = one[kept], other[kept], over[kept]
    return one, other


def _shared(small: Sorted, large: Sorted, one: Numbers, other: Numbers, radix: int) -> Places:
    """How many elements each pair of bags shares."""

    def laid_out(bags: Sorted, chosen: Numbers) -> tuple[Keys, Places]:
        size = bags.lengths[chosen]
        ends = np.cumsum(size)
        within = np.arange(ends[-1]) - np.repeat(ends - size, size)
        owners = np.repeat(np.arange(len(chosen), dtype=np.int64), size)
        return owners * radix + bags.ranks[np.repeat(bags.starts[chosen], size) + within], owners

    wanted, owners = laid_out(small, one)
    there, _ = laid_out(large, other)
    at = np.minimum(np.searchsorted(there, wanted), len(there) - 1)
    return np.bincount(owners[there[at] == wanted], minlength=len(one))


def pairs(small: Sorted, needed: Places, large: Sorted, vocabulary: int) -> Iterator[tuple[Numbers, Numbers]]:
    """(small bag, large bag) of every pair that shares ``needed[small]`` elements, 1 or more.

    A pair may come more than once. ``vocabulary`` is the number of ranks.
    """
    radix = max(1, vocabulary)
    missing = small.lengths - needed
    groups = _groups(small, missing, radix)
    step = _AT_ONCE // 64
    for one, other in _hits(groups, large, radix):
        one, other = _sketched(small, missing, large, one, other)
        both = np.unique(one.astype(np.int64) * len(large.lengths) + other)
        one, other = (part.astype(np.int32) for part in np.divmod(both, len(large.lengths)))
        for at in range(0, len(one), step):
            few, many = one[at : at + step], other[at : at + step]
            kept = _shared(small, large, few, many, radix) >= needed[few]
            if kept.any():
                yield few[kept], many[kept]
