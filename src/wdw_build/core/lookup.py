"""Find a record by its id: a sorted key file for all parts of an output, searched by bisection.

A key line is ``JSON string of the id, tab, part, tab, byte offset, tab, byte length``. The files are mapped or read in
place, so that a look-up in ten million records touches a few pages only, however many parts there are.
"""

from __future__ import annotations

import heapq
import mmap
import os
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

KEYS = "records.keys"


class Place(NamedTuple):
    """Where a record's line stands: the number of its part, and the bytes in it."""

    part: int
    offset: int
    length: int


def key_of(record_id: str) -> bytes:
    """The sort key: the id as JSON, so that tabs and newlines in ids cannot break the line form."""
    return msgspec.json.encode(record_id)


def write_keys(path: Path, part: int, keys: list[tuple[bytes, int, int]]) -> None:
    """Write the sorted keys of one part."""
    with path.open("wb") as stream:
        for key, offset, length in sorted(keys):
            stream.write(b"%s\t%d\t%d\t%d\n" % (key, part, offset, length))


def merge_keys(path: Path, parts: Sequence[Path]) -> None:
    """Merge sorted files of keys into one, and remove them. Memory does not grow with them."""
    # No JSON string is the beginning of another, so lines sort as their keys do.
    with ExitStack() as stack, path.open("wb") as stream:
        stream.writelines(heapq.merge(*(stack.enter_context(part.open("rb")) for part in parts)))
    for part in parts:
        part.unlink()


class KeyFile:
    """An output's keys, mapped."""

    def __init__(self, path: Path) -> None:
        self._map: mmap.mmap | None = None
        if path.stat().st_size:
            with path.open("rb") as stream:
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)

    def __iter__(self) -> Iterator[tuple[bytes, Place]]:
        """Every key with its place, in the order of the keys."""
        start = 0
        while self._map is not None and (end := self._map.find(b"\n", start)) >= 0:
            key, *place = self._map[start:end].split(b"\t")
            yield key, Place(*map(int, place))
            start = end + 1

    def find(self, record_id: str) -> Place | None:
        """Where the record is, or None."""
        if self._map is None:
            return None
        wanted, low, high = key_of(record_id), 0, len(self._map)
        while low < high:
            start = self._map.rfind(b"\n", 0, (low + high) // 2) + 1
            end = self._map.find(b"\n", start)
            key, *place = self._map[start:end].split(b"\t")
            if key == wanted:
                return Place(*map(int, place))
            if key < wanted:
                low = end + 1
            else:
                high = start
        return None


class PartFile:
    """A part of an output, open for reading lines anywhere in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._file)

    def line(self, place: Place) -> bytes:
        """The bytes of a record's line."""
        return os.pread(self._file, place.length, place.offset)
