"""Samples by hash: which records are drawn depends on the seed and on the set of names, not on their order."""

from __future__ import annotations

import heapq
from typing import Generic, TypeVar

from wdw_build.core.hashing import uniform_hash

T = TypeVar("T")


class HashSample(Generic[T]):
    """Bottom-k sample: keeps the ``count`` values whose names have the lowest hashes under ``seed`` and ``purpose``.

    Memory holds ``count`` values. Samples with different purposes are independent of each other.

    >>> sample = HashSample(2, seed=0, purpose="report")
    >>> for article in run.articles: sample.offer(article.id, article)
    >>> sample.by_name()
    """

    def __init__(self, count: int, seed: int, purpose: str) -> None:
        self._count, self._seed, self._purpose = count, seed, purpose
        self.offered = 0
        # Hashes are negated, so the first entry of the heap has the highest hash and is dropped next. A number orders equal names.
        self._kept: list[tuple[float, str, int, T]] = []

    def offer(self, name: str, value: T) -> None:
        """Keep ``value`` if the hash of its name is among the lowest so far."""
        self.offered += 1
        entry = (-uniform_hash(self._seed, self._purpose, name), name, self.offered, value)
        if len(self._kept) < self._count:
            heapq.heappush(self._kept, entry)
        elif self._kept and entry[:3] > self._kept[0][:3]:
            heapq.heapreplace(self._kept, entry)

    def by_name(self) -> list[T]:
        """The values, sorted by name."""
        return [value for *_, value in sorted(self._kept, key=lambda entry: entry[1:3])]

    def by_hash(self) -> list[T]:
        """The values in random order: from the lowest hash to the highest."""
        return [value for *_, value in sorted(self._kept, key=lambda entry: (-entry[0], entry[1], entry[2]))]
