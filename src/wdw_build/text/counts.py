"""Counts of parts of a corpus, which are added up: in memory with an example each, or in sorted files.

A line of a file is ``key, tab, count``. A key holds no line break; the lines are sorted by key.
"""

from __future__ import annotations

import heapq
import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self, TextIO

import msgspec

# Files that are open at a time. More files are summed in several passes.
_AT_ONCE = 256


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


def write_counts(path: Path, counts: Mapping[str, int]) -> None:
    """Write counts into a file."""
    _write(path, sorted(counts.items()))


def summed_counts(paths: Sequence[Path], folder: Path) -> Iterator[tuple[str, int]]:
    """Yield each key with the sum of its counts in all files, in the order of the keys. ``folder``: for temporary files."""
    with ExitStack() as stack:
        if len(paths) > _AT_ONCE:
            between = Path(stack.enter_context(TemporaryDirectory(dir=folder)))
            sums = [between / str(start) for start in range(0, len(paths), _AT_ONCE)]
            for path, start in zip(sums, range(0, len(paths), _AT_ONCE), strict=True):
                _write(path, summed_counts(paths[start : start + _AT_ONCE], folder))
            yield from summed_counts(sums, folder)
            return
        files = [read_counts(stack.enter_context(path.open(encoding="utf-8", newline="\n"))) for path in paths]
        for key, equal in itertools.groupby(heapq.merge(*files), key=operator.itemgetter(0)):
            yield key, sum(count for _, count in equal)


def _write(path: Path, counts: Iterable[tuple[str, int]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{key}\t{count}\n" for key, count in counts)


def read_counts(stream: TextIO) -> Iterator[tuple[str, int]]:
    """Yield (key, count) for each line."""
    for line in stream:
        key, _, count = line.rpartition("\t")
        yield key, int(count)
