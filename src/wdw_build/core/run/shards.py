"""Shards of a stage's input: consecutive records, cut at the byte offsets (marks) in the manifest of the input."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wdw_build.core.store import jsonl
from wdw_build.core.store.output import MARK_EVERY, Output
from wdw_build.records import Record

_SHARDS = 16
KINDS = ("records", "rejections", "done")


@dataclass(frozen=True)
class PartSlice:
    """``count`` records of one part file, from the byte offset ``start``."""

    path: Path
    start: int
    count: int


@dataclass(frozen=True)
class Shard:
    """Records ``first`` to ``first + count`` of the input."""

    first: int
    count: int
    slices: tuple[PartSlice, ...]

    def records(self, kind: type[Record]) -> Iterator[Record]:
        """The shard's records, in order."""
        for part in self.slices:
            yield from jsonl.read(part.path, kind, part.start, part.count)


def shard_size(records: int, block: int, most: int) -> int:
    """About a sixteenth of the records in whole blocks, at most ``most``.

    It does not depend on the number of workers, because a run may resume with another number of workers.
    """
    blocks = -(-records // (_SHARDS * block))
    return max(block, min(blocks * block, most // block * block))


def cut(source: Output, size: int) -> list[Shard]:
    """Cut an input into shards of ``size`` records, a multiple of ``MARK_EVERY``; the last one may be shorter."""
    marks = [
        (part, mark, min(MARK_EVERY, part.records - number * MARK_EVERY))
        for part in source.manifest.parts
        for number, mark in enumerate(part.marks)
    ]
    per_shard = size // MARK_EVERY
    shards, first = [], 0
    for number in range(0, max(1, len(marks)), per_shard):
        slices = []
        # One slice for each part keeps a shard small: it is pickled for the workers.
        for part, in_part in itertools.groupby(marks[number : number + per_shard], key=lambda mark: mark[0].name):
            blocks = list(in_part)
            slices.append(PartSlice(source.folder / part, blocks[0][1], sum(count for _, _, count in blocks)))
        count = sum(part.count for part in slices)
        shards.append(Shard(first=first, count=count, slices=tuple(slices)))
        first += count
    return shards


def shard_path(staging: Path, shard: Shard, kind: str) -> Path:
    """The file of a shard of one of ``KINDS``. The name contains the size, because a run may resume with another size."""
    return staging / ".shards" / f"{shard.first:012d}-{shard.count}.{kind}"


def is_done(staging: Path, shard: Shard) -> bool:
    """Whether this run or an earlier one finished the shard."""
    # Checks all three files: a run that was killed while it deleted its shards may have left the counts without the records.
    return all(shard_path(staging, shard, kind).exists() for kind in KINDS)
