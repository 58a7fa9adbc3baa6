"""Index of records by id: one sorted key file for all parts of an output, searched by bisection.

A key line is ``JSON string of the id, tab, part, tab, byte offset, tab, byte length``. Files are mapped or read in place,
so a look-up among ten million records touches a few pages, however many parts there are.

A truncated or changed file raises an error and never gives a wrong answer: the record that a look-up finds is compared
with the id. If the id is not found, the two key lines around its position are compared with their records. That is
sufficient, because a changed key line can mislead a bisection only by becoming one of these two lines.
"""

from __future__ import annotations

import functools
import heapq
import mmap
import os
import re
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from wdw_build.errors import DamagedOutputError, UsageError

KEYS = "records.keys"
_CHUNK = 1 << 24


class RecordLocation(NamedTuple):
    """Where a record's line is stored: the number of its part, and offset and length in bytes."""

    part: int
    offset: int
    length: int


class KeyLine(NamedTuple):
    """A line of a key file: the key, the numbers after it, and its byte range [start, end) without the newline."""

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


def key_of(record_id: str) -> bytes:
    """The sort key of an id: the id as a JSON string, which holds no tab and no newline."""
    return msgspec.json.encode(record_id)


def shown(key: bytes) -> str:
    """A key as text, for messages."""
    return key.decode(errors="replace")


def damaged(path: Path, what: str) -> DamagedOutputError:
    """The error for a changed or truncated file in the folder of a stage's output."""
    folder = path.resolve().parent
    # The store has store/STAGE/HASH; a copy of a run, without links to the store, has RUN/STAGE.
    stage = folder.parent.name if re.fullmatch("[0-9a-f]+", folder.name) else folder.name
    command = f"wdw-build run {stage} --force -c FILE"
    return DamagedOutputError(f"{path}: {what}", hint=f"the file was changed or truncated; make it again: {command}")


def write_keys(path: Path, part: int, keys: list[tuple[bytes, int, int]]) -> None:
    """Write the sorted key file of one part from (key, offset, length)."""
    with path.open("wb") as stream:
        for key, offset, length in sorted(keys):
            stream.write(b"%s\t%d\t%d\t%d\n" % (key, part, offset, length))


def merge_keys(path: Path, parts: Sequence[Path]) -> None:
    """Merge sorted key files into ``path``. Memory does not grow with the number of keys."""
    # No JSON string is a prefix of another, so lines sort as their keys do.
    with ExitStack() as stack, path.open("wb") as stream:
        stream.writelines(heapq.merge(*(stack.enter_context(part.open("rb")) for part in parts)))


class Bytes(Protocol):
    """The bytes of key lines: a mapped file, or one that is read in place."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: slice, /) -> bytes: ...

    def find(self, wanted: bytes, start: int, /) -> int:
        """As ``bytes.find``, for a newline."""
        ...

    def rfind(self, wanted: bytes, start: int, end: int, /) -> int:
        """As ``bytes.rfind``, for a newline."""
        ...


def _mapped(path: Path) -> Bytes:
    """The bytes of a key file. Raises ``UsageError`` if it is missing, ``DamagedOutputError`` if its last line is truncated."""
    if not path.exists():
        raise UsageError(
            f"{path.parent} has no {path.name}: an earlier version made it, or the file was deleted",
            hint=f"make it again: wdw-build run {path.parent.resolve().parent.name} --force -c FILE",
        )
    if not path.stat().st_size:
        return b""
    with path.open("rb") as stream:
        content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    if content[-1:] != b"\n":
        raise damaged(path, "the last line is truncated")
    return content


class KeyLines:
    """Sorted key lines; each has a key and ``width`` numbers. ``content``: the lines; by default, the mapped file.

    Raises ``UsageError`` if the file is missing, ``DamagedOutputError`` for a line of any other form.
    """

    def __init__(self, path: Path, width: int, content: Bytes | None = None) -> None:
        self.path = path
        self._map = _mapped(path) if content is None else content
        self._pattern = re.compile(rb'("[^\t\n]*")' + rb"\t(\d{1,18})" * width)

    def line_at(self, start: int) -> KeyLine | None:
        """The line that begins at this byte; None at the end of the file."""
        if start >= len(self._map):
            return None
        end = self._map.find(b"\n", start)
        match = self._pattern.fullmatch(self._map[start:end])
        if match is None:
            raise damaged(self.path, f"no key at byte {start}")
        key, *numbers = match.groups()
        return KeyLine(key, tuple(map(int, numbers)), start, end)

    def line_before(self, start: int) -> KeyLine | None:
        """The line before the one that begins at this byte; None at the beginning of the file."""
        return self.line_at(self._map.rfind(b"\n", 0, start - 1) + 1) if start else None

    def lines_from(self, start: int) -> Iterator[KeyLine]:
        """The lines from this byte on. Raises ``DamagedOutputError`` if they are not sorted."""
        previous: KeyLine | None = None
        while (line := self.line_at(start)) is not None:
            if previous is not None and line.key < previous.key:
                raise damaged(self.path, f"the key at byte {start} is out of order")
            yield line
            previous, start = line, line.end + 1

    def lower_bound(self, key: bytes) -> int:
        """The byte at which the first line begins whose key is not less than ``key``."""
        low, high = 0, len(self._map)
        while low < high:
            start = self._map.rfind(b"\n", 0, (low + high) // 2) + 1
            end = self._map.find(b"\n", start)
            if end < 0:
                raise damaged(self.path, f"no line ends after byte {start}")
            if self._map[start:end].partition(b"\t")[0] < key:
                low = end + 1
            else:
                high = start
        return low

    @functools.cached_property
    def _count(self) -> int:
        return sum(self._map[start : start + _CHUNK].count(b"\n") for start in range(0, len(self._map), _CHUNK))

    def check_count(self, expected: int) -> None:
        """Raise ``DamagedOutputError`` if the number of lines is not ``expected``."""
        if self._count != expected:
            raise damaged(self.path, f"{self._count} keys for {expected} records")


class KeyLookup(NamedTuple):
    """The result of a look-up: the location of the record, or None and the key lines around the id's position."""

    location: RecordLocation | None
    before: KeyLine | None = None
    after: KeyLine | None = None


class KeyFile:
    """The key file of an output's records. Raises as ``KeyLines`` does."""

    def __init__(self, path: Path) -> None:
        self.lines = KeyLines(path, len(RecordLocation._fields))

    def __iter__(self) -> Iterator[tuple[bytes, RecordLocation]]:
        """Every key with its location, in the order of the keys."""
        for line in self.lines.lines_from(0):
            yield line.key, RecordLocation(*line.numbers)

    def find(self, record_id: str) -> KeyLookup:
        """Look an id up. The caller compares the result with the records."""
        key = key_of(record_id)
        start = self.lines.lower_bound(key)
        line = self.lines.line_at(start)
        if line is not None and line.key == key:
            return KeyLookup(RecordLocation(*line.numbers))
        return KeyLookup(None, self.lines.line_before(start), line)


class PartFile:
    """A file of records or rejections, open for reading any of its lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._file)
        self._size = os.fstat(self._file).st_size

    def line(self, key: bytes, offset: int, length: int) -> bytes:
        """The line of a key. Raises ``DamagedOutputError`` unless exactly that line is stored there."""
        if offset + length > self._size:
            raise damaged(self.path, f"it ends before byte {offset + length}, where {shown(key)} should end")
        # The byte before the line is read, too: it must be a newline.
        before = min(offset, 1)
        raw = os.pread(self._file, before + length, offset - before)
        line = raw[before:]
        is_whole_line = raw[:before] in (b"", b"\n") and line.find(b"\n") == length - 1
        if not (is_whole_line and _has_key(line, key)):
            raise damaged(self.path, f"the line at byte {offset} is not that of {shown(key)}, as its key file says")
        return line


def _has_key(line: bytes, key: bytes) -> bool:
    try:
        return key_of(id_of(line)) == key
    except (msgspec.MsgspecError, UnicodeError):
        return False
