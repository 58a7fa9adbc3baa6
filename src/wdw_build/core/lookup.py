"""Find a record by its id in a JSONL part: a sorted key file beside the part, searched by bisection.

A key line is ``JSON string of the id, tab, byte offset, tab, byte length``. The file is mapped, not read, so that a
look-up in a million records touches a few pages only.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

import msgspec


def key_of(record_id: str) -> bytes:
    """The sort key: the id as JSON, so that tabs and newlines in ids cannot break the line form."""
    return msgspec.json.encode(record_id)


def write_keys(path: Path, keys: list[tuple[bytes, int, int]]) -> None:
    """Write the key file of one part."""
    with path.open("wb") as stream:
        for key, offset, length in sorted(keys):
            stream.write(b"%s\t%d\t%d\n" % (key, offset, length))


class KeyFile:
    """One part's keys, mapped."""

    def __init__(self, path: Path) -> None:
        self._map: mmap.mmap | None = None
        if path.stat().st_size:
            with path.open("rb") as stream:
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)

    def __iter__(self) -> Iterator[tuple[bytes, int, int]]:
        """Every (key, offset, length), in the order of the keys."""
        start = 0
        while self._map is not None and (end := self._map.find(b"\n", start)) >= 0:
            key, offset, length = self._map[start:end].split(b"\t")
            yield key, int(offset), int(length)
            start = end + 1

    def find(self, record_id: str) -> tuple[int, int] | None:
        """(offset, length) of the record's line in the part, or None."""
        if self._map is None:
            return None
        wanted, low, high = key_of(record_id), 0, len(self._map)
        while low < high:
            start = self._map.rfind(b"\n", 0, (low + high) // 2) + 1
            end = self._map.find(b"\n", start)
            key, offset, length = self._map[start:end].split(b"\t")
            if key == wanted:
                return int(offset), int(length)
            if key < wanted:
                low = end + 1
            else:
                high = start
        return None
