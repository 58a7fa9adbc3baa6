"""Shards of a stage's input: runs of records whose limits follow the marks of the input's manifest."""

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
class Piece:
    """Records of one part: ``count`` from byte ``start``."""

    path: Path
    start: int
    count: int


@dataclass(frozen=True)
class Shard:
    """Records ``first`` to ``first + count`` of the input."""

    first: int
    count: int
    pieces: tuple[Piece, ...]

    def records(self, kind: type[Record]) -> Iterator[Record]:
        """The shard's records, in order."""
        for piece in self.pieces:
            yield from jsonl.read(piece.path, kind, piece.start, piece.count)


def shard_size(records: int, block: int, most: int) -> int:
    """About a sixteenth of the records in whole blocks, at most ``most``. Not a matter of workers: shards are resumed."""
    blocks = -(-records // (_SHARDS * block))
    return max(block, min(blocks * block, most // block * block))


def cut(source: Output, size: int) -> list[Shard]:
    """Cut an input into shards of ``size`` records (a multiple of the marks' distance); the last may be shorter."""
    marks = [
        (part, mark, min(MARK_EVERY, part.records - number * MARK_EVERY))
        for part in source.manifest.parts
        for number, mark in enumerate(part.marks)
    ]
    per_shard = size // MARK_EVERY
    shards, first = [], 0
    for at in range(0, max(1, len(marks)), per_shard):
        pieces = []
        # One piece for what a shard has of a part: shards travel to the workers.
        for part, own in itertools.groupby(marks[at : at + per_shard], key=lambda entry: entry[0].name):
            every = list(own)
            pieces.append(Piece(source.folder / part, every[0][1], sum(count for _, _, count in every)))
        count = sum(piece.count for piece in pieces)
        shards.append(Shard(first=first, count=count, pieces=tuple(pieces)))
        first += count
    return shards


def shard_path(staging: Path, shard: Shard, kind: str) -> Path:
    """The file of a shard: ``records``, ``rejections`` or ``done``. The name tells shards of another size apart."""
    return staging / ".shards" / f"{shard.first:012d}-{shard.count}.{kind}"


def is_done(staging: Path, shard: Shard) -> bool:
    """Whether the shard was finished, by this run or by one before it."""
    # All three: a run that was killed while it cleared its shards away may have left the counts and not the records.
    return all(shard_path(staging, shard, kind).exists() for kind in KINDS)
