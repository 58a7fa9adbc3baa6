"""Shards: the parts of a stage's work, each of which is one task.

A stage's input is cut into consecutive records; the corpus into the blocks of its reader; a step over partitions into numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from wdw_build.core.hashing import FileVersion, has_version, hashed_version
from wdw_build.core.store.output import Output
from wdw_build.errors import CorpusError
from wdw_build.records import Record

_SHARDS = 16


class Shard(Protocol):
    """A part of a stage's work. It pickles small."""

    @property
    def name(self) -> str:
        """The name of the task's folder. Names sort in the order of the shards."""
        ...

    @property
    def count(self) -> int:
        """The number of records; 0 if it is unknown."""
        ...

    def records(self, reader: Any) -> Iterator[Any]:
        """The records, in order. ``reader`` reads the corpus; only shards of the corpus use it."""
        ...


@dataclass(frozen=True)
class RecordShard:
    """Records ``first`` to ``first + count`` of a stage's output."""

    output: Output
    first: int
    count: int

    @property
    def name(self) -> str:
        """See ``Shard.name``. The name contains the size, because a run may resume with another size."""
        return f"{self.first:012d}-{self.count}"

    def records(self, reader: Any = None) -> Iterator[Record]:
        """See ``Shard.records``."""
        return self.output.records_from(self.first, self.count)


@dataclass(frozen=True)
class CorpusBlock:
    """Block ``number`` of the corpus, as its reader cut it. ``versions``: its files as they were when they were hashed."""

    number: int
    block: Any
    count: int = 0
    versions: tuple[tuple[str, FileVersion], ...] = ()

    @classmethod
    def of(cls, number: int, block: Any) -> CorpusBlock:
        """A block of files that this process has hashed."""
        versions = ((file, hashed_version(file)) for file in getattr(block, "files", ()))
        return cls(number, block, versions=tuple((file, version) for file, version in versions if version))

    @property
    def name(self) -> str:
        """See ``Shard.name``."""
        return f"{self.number:07d}"

    @property
    def size(self) -> int:
        """The block's bytes on disk; 0 if its reader does not say."""
        return getattr(self.block, "size", 0)

    def records(self, reader: Any) -> Iterator[Any]:
        """See ``Shard.records``. Raises ``CorpusError`` if a file is no longer the one that was hashed.

        The output would otherwise be stored under the hash of the former file.
        """
        yield from reader.read() if self.block is None else reader.read(self.block)
        for file, version in self.versions:
            if not has_version(Path(file), version):
                raise CorpusError(
                    f"{file} was changed while the corpus was read",
                    hint="when the file is complete, run the same command again",
                )


@dataclass(frozen=True)
class Numbers:
    """Numbers in place of records: that of a partition of a step, or none for a step that runs once."""

    name: str
    numbers: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """See ``Shard.count``."""
        return len(self.numbers)

    def records(self, reader: Any = None) -> Iterator[int]:
        """See ``Shard.records``."""
        return iter(self.numbers)


def shard_size(records: int, block: int, most: int) -> int:
    """About a sixteenth of the records in whole blocks, at most ``most``.

    It does not depend on the number of workers, because a run may resume with another number of workers.
    """
    blocks = -(-records // (_SHARDS * block))
    return max(block, min(blocks * block, most // block * block))


def cut(source: Output, size: int) -> list[RecordShard]:
    """Cut an input into shards of ``size`` records; the last one may be shorter. An empty input is one shard."""
    total = source.manifest.written
    return [RecordShard(source, first, min(size, total - first)) for first in range(0, max(1, total), size)]
