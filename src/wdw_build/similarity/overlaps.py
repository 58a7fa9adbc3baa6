"""Exact containment join over word multisets: finds pairs of bags where one bag contains all but a few words of the other.

If at most d words of a bag may be missing from another bag, the bag is cut into d + 1 groups of words. By the pigeonhole
principle the other bag contains at least one whole group (Arasu et al. 2006, Deng et al. 2015). A group is a rare word and a
more frequent word, so that few bags contain both. The join looks up the groups among all pairs of words of the other bags,
and then counts the shared words of the resulting pairs of bags. The join misses no pair, takes a few numbers of memory for
each word, and handles millions of bags.

The rarer word of a group determines its partition. Each partition finds the pairs of bags that share one of its groups; a
small partition fits into the caches of the processor, so that several are faster than one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wdw_build.similarity.bags import UNKNOWN, Bags, Mask, Numbers, Places, element_codes

Keys = npt.NDArray[np.int64]
_RANKS, _STARTS = "ranks.npy", "starts.npy"
# Keys or pairs in memory at a time, and words sorted at a time.
_BATCH = 1 << 20
_MIX = np.uint64(0x9E3779B97F4A7C15)
# Slots of the Bloom-style filter for each key: with this many, few absent keys pass it.
_SLOTS_PER_KEY = 8


@dataclass(frozen=True)
class Ranks:
    """The rank of every element by its frequency: 0 for the rarest.

    ``codes``: of the elements, sorted; ``ranks``: of each of them. ``UNKNOWN`` is the rank of other elements.
    """

    codes: Places
    ranks: Numbers

    def of(self, codes: Places) -> Numbers:
        """The rank of every element code."""
        if not len(self.codes):
            return np.full(len(codes), UNKNOWN, dtype=np.int32)
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return np.where(self.codes[places] == codes, self.ranks[places], UNKNOWN)


@dataclass(frozen=True)
class Sorted:
    """Bags of element ranks, the rarest element first."""

    ranks: Numbers
    starts: Places

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Places:
        """The number of elements of each bag; elements without a rank are not counted."""
        return np.diff(self.starts)

    def write(self, folder: Path) -> None:
        """Write the bags into a folder."""
        np.save(folder / _RANKS, self.ranks)
        np.save(folder / _STARTS, self.starts)

    @classmethod
    def read(cls, folder: Path) -> Sorted:
        """The bags of a folder. The files are not mapped: over NFS, a mapped file that another host deletes ends the process."""
        return cls(*(np.load(folder / name) for name in (_RANKS, _STARTS)))

    def bags_at(self, places: Places) -> Numbers:
        """The bag of each place in ``ranks``."""
        return (np.searchsorted(self.starts, places, side="right") - 1).astype(np.int32)


def by_rarity(bags: Bags) -> Ranks:
    """The ranks of the elements by their frequency in these bags."""
    words = len(bags.vocabulary)
    counted = [
        np.unique(element_codes(numbers, starts, words)[1], return_counts=True)
        for numbers, starts in _batches(bags.numbers, bags.starts)
    ]
    none = np.zeros(0, dtype=np.int64)
    codes, places = np.unique(np.concatenate([none, *(codes for codes, _ in counted)]), return_inverse=True)
    counts = np.bincount(places, np.concatenate([none, *(counts for _, counts in counted)]), minlength=len(codes))
    ranks = np.empty(len(codes), dtype=np.int32)
    ranks[np.argsort(counts, kind="stable")] = np.arange(len(codes), dtype=np.int32)
    return Ranks(codes, ranks)


def sort(bags: Bags, ranks: Ranks) -> Sorted:
    """The bags with their elements sorted by rank."""
    sizes, ordered, radix = [], [], max(1, len(ranks.codes))
    for numbers, starts in _batches(bags.numbers, bags.starts):
        owners, codes = element_codes(numbers, starts, len(bags.vocabulary))
        elements = ranks.of(codes)
        owners, elements = owners[elements != UNKNOWN], elements[elements != UNKNOWN]
        keys = owners * radix + elements
        keys.sort()
        ordered.append((keys - owners * radix).astype(np.int32))
        sizes.append(np.bincount(owners, minlength=len(starts) - 1))
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(np.concatenate([[], *sizes]), dtype=np.int64)])
    return Sorted(np.concatenate([np.zeros(0, dtype=np.int32), *ordered]), starts)


def _batches(numbers: Numbers, starts: Places) -> Iterator[tuple[Numbers, Places]]:
    """Yield consecutive bags as (numbers, starts), with about ``_BATCH`` words at a time."""
    for part in _slices(np.diff(starts)):
        first = starts[part.start]
        yield numbers[first : starts[part.stop]], starts[part.start : part.stop + 1] - first


def _slices(sizes: Places) -> Iterator[slice]:
    """Yield consecutive slices of one element or more, whose sizes add up to about ``_BATCH``."""
    ends = np.cumsum(sizes)
    begin = 0
    while begin < len(sizes):
        before = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + _BATCH, side="right")))
        yield slice(begin, end)
        begin = end


class PostingBlock(NamedTuple):
    """Partition ``number`` of ``parts``."""

    number: int
    parts: int

    def ranks(self, radix: int) -> Mask:
        """For each rank below ``radix``, whether the groups belong to this partition whose rarer word has it."""
        mask: Mask = np.arange(radix) % self.parts == self.number
        return mask


WHOLE = PostingBlock(0, 1)


@dataclass(frozen=True)
class _Groups:
    """The groups of all small bags in a partition, by key.

    ``owners[starts[n]:starts[n + 1]]``: the bags with the group ``keys[n]``. ``slots``: a Bloom-style filter that rejects
    most absent keys. ``rarer``: whether a rank is that of the rarer word of any group.
    """

    keys: Keys
    starts: Places
    owners: Numbers
    slots: Mask
    rarer: Mask


def _slot(keys: Keys, slots: int) -> Places:
    """The slot of each key; ``slots`` is a power of two."""
    return ((keys.astype(np.uint64) * _MIX) >> np.uint64(65 - slots.bit_length())).astype(np.int64)


def _within(sizes: Places) -> Places:
    """0, 1, ... for each size."""
    ends = np.cumsum(sizes)
    return np.arange(ends[-1] if len(ends) else 0, dtype=np.int64) - np.repeat(ends - sizes, sizes)


def _groups(small: Sorted, missing: Places, radix: int, part: PostingBlock) -> _Groups:
    """Cut each bag into ``missing + 1`` groups; a bag with a negative number of ``missing`` words has no group.

    A group is (rank of the rarer word + 1) * radix + rank of the other word; a group of one word has it twice.
    """
    places = np.flatnonzero(part.ranks(radix)[small.ranks])
    bags = small.bags_at(places)
    are_anchors = places - small.starts[bags] <= missing[bags]
    anchors, owners = places[are_anchors], bags[are_anchors]
    partners = anchors + missing[owners] + 1
    partners = np.where(partners < small.starts[owners + 1], partners, anchors)
    all_keys = (small.ranks[anchors].astype(np.int64) + 1) * radix + small.ranks[partners]
    order = np.argsort(all_keys, kind="stable")
    keys, counts = np.unique(all_keys, return_counts=True)
    slots = np.zeros(2 << (_SLOTS_PER_KEY * len(keys)).bit_length(), dtype=np.bool_)
    slots[_slot(keys, len(slots))] = True
    rarer = np.zeros(radix, dtype=np.bool_)
    rarer[small.ranks[anchors]] = True
    return _Groups(keys, np.concatenate([[0], np.cumsum(counts)]), owners[order], slots, rarer)


def _probes(large: Sorted, rarer: Mask, radix: int) -> Iterator[tuple[Numbers, Keys]]:
    """Yield (bags, keys) in batches: for each place of a rarer word of a group, the groups of it and each later word."""
    places = np.flatnonzero(rarer[large.ranks])
    bags = large.bags_at(places)
    counts = large.starts[bags + 1] - places
    for part in _slices(counts):
        batch, size = places[part], counts[part]
        others = np.repeat(batch, size) + _within(size)
        keys = np.repeat((large.ranks[batch].astype(np.int64) + 1) * radix, size) + large.ranks[others]
        yield np.repeat(bags[part], size), keys


def _hits(groups: _Groups, large: Sorted, radix: int) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield (small bags, large bags) that share a group, in batches of bounded size."""
    for bags, keys in _probes(large, groups.rarer, radix):
        may_hit = np.flatnonzero(groups.slots[_slot(keys, len(groups.slots))])
        wanted = keys[may_hit]
        low = np.minimum(np.searchsorted(groups.keys, wanted), len(groups.keys) - 1)
        present = np.flatnonzero(groups.keys[low] == wanted)
        low, large_bags = low[present], bags[may_hit[present]]
        starts, counts = groups.starts[low], groups.starts[low + 1] - groups.starts[low]
        for part in _slices(counts):
            size = counts[part]
            yield groups.owners[np.repeat(starts[part], size) + _within(size)], np.repeat(large_bags[part], size)


def _shared(small: Sorted, large: Sorted, small_bags: Numbers, large_bags: Numbers, radix: int) -> Places:
    """The number of elements that each pair of bags shares."""

    def laid_out(bags: Sorted, chosen: Numbers) -> tuple[Keys, Places]:
        size = bags.lengths[chosen]
        owners = np.repeat(np.arange(len(chosen), dtype=np.int64), size)
        return owners * radix + bags.ranks[np.repeat(bags.starts[chosen], size) + _within(size)], owners

    wanted, owners = laid_out(small, small_bags)
    present, _ = laid_out(large, large_bags)
    places = np.minimum(np.searchsorted(present, wanted), len(present) - 1)
    return np.bincount(owners[present[places] == wanted], minlength=len(small_bags))


def pairs(
    small: Sorted, needed: Places, large: Sorted, part: PostingBlock = WHOLE
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield (small bags, large bags) that share the elements that a small bag needs (1 or more).

    A partition finds some of the pairs, some more than once; all partitions find all pairs.
    """
    missing = small.lengths - needed
    radix = 1 + int(max(small.ranks.max(initial=0), large.ranks.max(initial=0)))
    groups = _groups(small, missing, radix, part)
    if not len(groups.keys):
        return
    step = _BATCH // 64
    for small_hits, large_hits in _hits(groups, large, radix):
        pair_numbers = np.unique(small_hits.astype(np.int64) * len(large) + large_hits)
        small_hits, large_hits = (part.astype(np.int32) for part in np.divmod(pair_numbers, max(1, len(large))))
        for start in range(0, len(small_hits), step):
            small_bags, large_bags = small_hits[start : start + step], large_hits[start : start + step]
            are_enough = _shared(small, large, small_bags, large_bags, radix) >= needed[small_bags]
            if are_enough.any():
                yield small_bags[are_enough], large_bags[are_enough]
