"""Reads consecutive records of a part, and compares them with the manifest before any of them is used.

The manifest has a CRC-32 of each block of ``MARK_EVERY`` records. A shard can therefore check what it reads without reading
the whole part, and a changed byte or a lost record never reaches a stage.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from wdw_build.core.store import jsonl
from wdw_build.core.store.key_index import damaged
from wdw_build.core.store.manifest import PartInfo
from wdw_build.records import Record

R = TypeVar("R", bound=Record)

# Shards begin at the first record of a block, so this divides the block size of every stage.
MARK_EVERY = 64


@dataclass(frozen=True)
class PartSlice:
    """``count`` records of a part file, from the byte offset ``start``. It pickles small.

    ``size``: the bytes of the whole part. ``checksums``: CRC-32 of each block from ``start``; the last one may be shorter.
    """

    path: Path
    start: int
    count: int
    size: int
    checksums: tuple[int, ...]

    def records(self, kind: type[R]) -> Iterator[R]:
        """The records. Raises ``DamagedOutputError`` before the first record of a block that is not as it was written."""
        check_size(self.path, self.size)
        with self.path.open("rb") as stream:
            offset = stream.seek(self.start)
            for number, checksum in enumerate(self.checksums):
                lines = list(itertools.islice(stream, min(MARK_EVERY, self.count - number * MARK_EVERY)))
                block, place = b"".join(lines), f"{self.path}, records from byte {offset}"
                check_block(self.path, offset, block, checksum)
                for line in lines:
                    yield jsonl.decode(line, kind, place)
                offset += len(block)


def whole_part(folder: Path, part: PartInfo) -> PartSlice:
    """All records of a part."""
    return PartSlice(folder / part.name, 0, part.records, part.bytes, part.checksums)


def check_block(path: Path, offset: int, block: bytes, checksum: int) -> None:
    """Raise ``DamagedOutputError`` if the block at this byte of a part has not the CRC-32 ``checksum``."""
    if zlib.crc32(block) != checksum:
        raise damaged(path, f"the records from byte {offset} are not those that were written")


def check_size(path: Path, size: int) -> None:
    """Raise ``DamagedOutputError`` if a file is missing, or has not ``size`` bytes."""
    try:
        actual = path.stat().st_size
    except FileNotFoundError:
        raise damaged(path, "the file is missing") from None
    if actual != size:
        raise damaged(path, f"the file has {actual} bytes, but {size} were written")
