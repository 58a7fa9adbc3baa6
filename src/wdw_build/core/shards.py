"""Shards of a stage's input: runs of records whose limits follow the marks of the input's manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wdw_build.core import jsonl
from wdw_build.core.store import MARK_EVERY, Output
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
    pieces = [
        Piece(source.folder / part.name, mark, min(MARK_EVERY, part.records - number * MARK_EVERY))
        for part in source.manifest.parts
        for number, mark in enumerate(part.marks)
    ]
    per_shard = size // MARK_EVERY
    groups = [tuple(pieces[at : at + per_shard]) for at in range(0, len(pieces), per_shard)] or [()]
    shards, first = [], 0
    for group in groups:
        count = sum(piece.count for piece in group)
        shards.append(Shard(first=first, count=count, pieces=group))
        first += count
    return shards


def shard_path(staging: Path, shard: Shard, kind: str) -> Path:
    """The file of a shard: ``records``, ``rejections`` or ``done``. The name tells shards of another size apart."""
    return staging / ".shards" / f"{shard.first:012d}-{shard.count}.{kind}"


def is_done(staging: Path, shard: Shard) -> bool:
    """Whether the shard was finished, by this run or by one before it."""
    # All three: a run that was killed while it cleared its shards away may have left the counts and not the records.
    return all(shard_path(staging, shard, kind).exists() for kind in KINDS)
