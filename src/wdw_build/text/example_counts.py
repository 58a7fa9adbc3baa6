"""Counts of the blocks of a corpus that can be added up, each with its first example."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import msgspec


class ExampleCounts(msgspec.Struct):
    """How often each kind occurs, and an example of the first occurrence."""

    counts: dict[str, int] = {}
    examples: dict[str, str] = {}

    def note(self, kind: str, example: str = "") -> None:
        """Count one occurrence."""
        self.counts[kind] = self.number(kind) + 1
        self.examples.setdefault(kind, example)

    def number(self, kind: str) -> int:
        """How often a kind occurs."""
        return self.counts.get(kind, 0)

    def add(self, later: Self) -> None:
        """Add the counts of a later block."""
        for kind, count in later.counts.items():
            self.counts[kind] = self.number(kind) + count
            self.examples.setdefault(kind, later.examples[kind])


def most_frequent_first(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """(name, count) pairs by decreasing count, equal counts by name."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
