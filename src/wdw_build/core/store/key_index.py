"""Find a record by its id: a sorted key file for all parts of an output, searched by bisection.

A key line is ``JSON string of the id, tab, part, tab, byte offset, tab, byte length``. The files are mapped or read in
place, so that a look-up in ten million records touches a few pages only, however many parts there are.

A file that was cut off or changed is an error, never an answer: what a look-up ends on is compared with the records. A
line that misleads a bisection is one of the two lines that the bisection ends between: every line before it is then passed
over and every line after it is refused. So these two are looked at before an id is said to be absent.
"""

from __future__ import annotations

import heapq
import mmap
import os
import re
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from wdw_build.errors import DamagedOutputError

KEYS = "records.keys"
_CHUNK = 1 << 24


class Place(NamedTuple):
    """Where a record's line stands: the number of its part, and the bytes in it."""

    part: int
    offset: int
    length: int


class KeyLine(NamedTuple):
    """A line of a key file: the key, the numbers behind it, and its bytes [start, end), newline left out."""

    key: bytes
    numbers: tuple[int, ...]
    start: int
    end: int


class _Id(msgspec.Struct):
    id: str


_id_decoder = msgspec.json.Decoder(_Id)


def id_of(line: bytes) -> str:
    """The id of an encoded record or rejection."""
    return _id_decoder.decode(line).id


def damaged(path: Path, what: str) -> DamagedOutputError:
    """The error for a stored file that is not as it was written; its folder is a stage's output."""
    again = f"wdw-build run {path.resolve().parent.parent.name} --force -c FILE"
    return DamagedOutputError(f"{path}: {what}", hint=f"the file was changed or cut off; make it again: {again}")


def key_of(record_id: str) -> bytes:
    """The sort key: the id as JSON, so that tabs and newlines in ids cannot break the line form."""
    return msgspec.json.encode(record_id)


def shown(key: bytes) -> str:
    """A key as a message shows it."""
    return key.decode(errors="replace")


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


class KeyLines:
    """The lines of a key file, mapped; each holds a key and ``width`` numbers. Raises ``DamagedOutputError`` for other lines."""

    def __init__(self, path: Path, width: int) -> None:
        self.path = path
        self._map: mmap.mmap | bytes = b""
        self._form = re.compile(rb'("[^\t\n]*")' + rb"\t(\d{1,18})" * width)
        self._counted = -1
        if path.stat().st_size:
            with path.open("rb") as stream:
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            if self._map[-1:] != b"\n":
                raise damaged(path, "the last line is cut off")

    def at(self, start: int) -> KeyLine | None:
        """The line that begins at this byte; None at the end of the file."""
        if start >= len(self._map):
            return None
        end = self._map.find(b"\n", start)
        found = self._form.fullmatch(self._map[start:end])
        if found is None:
            raise damaged(self.path, f"no key stands at byte {start}")
        key, *numbers = found.groups()
        return KeyLine(key, tuple(map(int, numbers)), start, end)

    def before(self, start: int) -> KeyLine | None:
        """The line that ends before this byte, which is the beginning of a line; None at the beginning of the file."""
        return self.at(self._map.rfind(b"\n", 0, start - 1) + 1) if start else None

    def since(self, start: int) -> Iterator[KeyLine]:
        """The lines from this byte on. Raises ``DamagedOutputError`` if they are not sorted."""
        last: KeyLine | None = None
        while (line := self.at(start)) is not None:
            if last is not None and line.key < last.key:
                raise damaged(self.path, f"the key at byte {start} is out of order")
            yield line
            last, start = line, line.end + 1

    def first_from(self, key: bytes) -> int:
        """Where the first line begins whose key is not less than this one."""
        low, high = 0, len(self._map)
        while low < high:
            start = self._map.rfind(b"\n", 0, (low + high) // 2) + 1
            end = self._map.find(b"\n", start)
            if self._map[start:end].partition(b"\t")[0] < key:
                low = end + 1
            else:
                high = start
        return low

    def check_count(self, expected: int) -> None:
        """Raises ``DamagedOutputError`` if there are more or fewer lines."""
        if self._counted < 0:
            starts = range(0, len(self._map), _CHUNK)
            self._counted = sum(self._map[start : start + _CHUNK].count(b"\n") for start in starts)
        if self._counted != expected:
            raise damaged(self.path, f"{self._counted} keys for {expected} records")


class Found(NamedTuple):
    """What a look-up ended on: the place of the record, if there is one, else the lines beside where it would stand."""

    place: Place | None
    before: KeyLine | None = None
    after: KeyLine | None = None


class KeyFile:
    """An output's keys. Raises ``DamagedOutputError`` if a line that is needed is none."""

    def __init__(self, path: Path) -> None:
        self.lines = KeyLines(path, len(Place._fields))

    def __iter__(self) -> Iterator[tuple[bytes, Place]]:
        """Every key with its place, in the order of the keys."""
        for line in self.lines.since(0):
            yield line.key, Place(*line.numbers)

    def find(self, record_id: str) -> Found:
        """Where the record is. What is found is still to be compared with the records."""
        key = key_of(record_id)
        start = self.lines.first_from(key)
        line = self.lines.at(start)
        if line is not None and line.key == key:
            return Found(Place(*line.numbers))
        return Found(None, self.lines.before(start), line)


class PartFile:
    """A file of records or rejections, open for reading lines anywhere in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._file)
        self._size = os.fstat(self._file).st_size

    def line(self, key: bytes, offset: int, length: int) -> bytes:
        """The line of a key. Raises ``DamagedOutputError`` if another line, a part of one or none stands there."""
        if offset + length > self._size:
            raise damaged(self.path, f"it ends before byte {offset + length}, where {shown(key)} should end")
        early = min(offset, 1)
        raw = os.pread(self._file, early + length, offset - early)
        line = raw[early:]
        whole = raw[:early] in (b"", b"\n") and line.find(b"\n") == length - 1
        if not (whole and _has_key(line, key)):
            raise damaged(self.path, f"at byte {offset} the line of {shown(key)} should stand, as its key file says")
        return line


def _has_key(line: bytes, key: bytes) -> bool:
    try:
        return key_of(id_of(line)) == key
    except (msgspec.MsgspecError, UnicodeError):
        return False
