"""A few of many, drawn by seed and id alone: the same in every run, whatever stands beside them."""

from __future__ import annotations

import heapq
from typing import Generic, TypeVar

from wdw_build.core.hashing import uniform_hash

T = TypeVar("T")


class Drawn(Generic[T]):
    """The ``count`` things with the lowest draws of those that were offered; the others are not kept."""

    def __init__(self, count: int, seed: int) -> None:
        self._count, self._seed = count, seed
        self._offered = 0
        # Negated: the heap's first is the highest draw, the next to go. Things are told apart by their number.
        self._kept: list[tuple[float, str, int, T]] = []

    def offer(self, name: str, value: T) -> None:
        """Take ``value`` if its draw is among the lowest."""
        self._offered += 1
        entry = (-uniform_hash(self._seed, "report", name), name, self._offered, value)
        if len(self._kept) < self._count:
            heapq.heappush(self._kept, entry)
        elif entry[:3] > self._kept[0][:3]:
            heapq.heapreplace(self._kept, entry)

    def values(self) -> list[T]:
        """What was drawn, in the order of the names."""
        return [value for _, _, _, value in sorted(self._kept, key=lambda entry: entry[1:3])]
