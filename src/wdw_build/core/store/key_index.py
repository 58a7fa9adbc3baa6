"""Index of records by id: one sorted key file for all parts of an output, searched by bisection.

A key line is ``JSON string of the id, tab, part, tab, byte offset, tab, byte length``. A look-up among ten million
records reads about twenty pages, however many parts there are. The file is not mapped into memory: over NFS, a mapped file
that another host replaces ends the process.

A truncated or changed file raises an error and never gives a wrong answer: the record that a look-up finds is compared
with the id. If the id is not found, the two key lines around its position are compared with their records. That is
sufficient, because a changed key line can mislead a bisection only by becoming one of these two lines.
"""

from __future__ import annotations

import functools
import heapq
import os
import re
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from wdw_build.errors import DamagedOutputError, UsageError

KEYS = "records.keys"
_CHUNK = 1 << 20
_PAGE, _CACHED_PAGES, _CACHED_LINES = 1 << 12, 1 << 10, 1 << 13


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


class FileBytes:
    """The bytes [start, end) of an open file, read a page at a time. The last pages stay in memory."""

    def __init__(self, file: int, start: int, end: int) -> None:
        self._file, self._start, self._length = file, start, max(0, end - start)
        self._page = functools.lru_cache(_CACHED_PAGES)(self._read_page)

    def __len__(self) -> int:
        return self._length

    def _read_page(self, number: int) -> bytes:
        start = number * _PAGE
        return os.pread(self._file, min(_PAGE, self._length - start), self._start + start)

    def between(self, start: int, end: int) -> bytes:
        """The bytes [start, end)."""
        first, last = start // _PAGE, end // _PAGE
        pages = self._page(first)
        for number in range(first + 1, last + 1):
            pages += self._page(number)
        return pages[start - first * _PAGE : end - first * _PAGE]

    def newline_after(self, start: int) -> int:
        """The first newline at or after ``start``; -1 if there is none."""
        for number in range(start // _PAGE, -(-self._length // _PAGE)):
            place = self._page(number).find(b"\n", max(0, start - number * _PAGE))
            if place >= 0:
                return number * _PAGE + place
        return -1

    def newline_before(self, end: int) -> int:
        """The last newline before ``end``; -1 if there is none."""
        for number in range((end - 1) // _PAGE, -1, -1):
            place = self._page(number).rfind(b"\n", 0, end - number * _PAGE)
            if place >= 0:
                return number * _PAGE + place
        return -1


def _whole_file(path: Path) -> tuple[int, int]:
    """A file descriptor of a key file, and its size. Raises ``UsageError`` if the file is missing."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise UsageError(
            f"{path.parent} has no {path.name}: the output was made by an earlier version, or the file was deleted",
            hint=f"regenerate it: wdw-build run {path.parent.resolve().parent.name} --force -c FILE",
        ) from None
    return file, os.fstat(file).st_size


class KeyLines:
    """Sorted key lines; each has a key and ``width`` numbers. ``content``: the lines; by default, the whole file.

    Raises ``UsageError`` if the file is missing, ``DamagedOutputError`` for a line of any other form.
    """

    def __init__(self, path: Path, width: int, content: FileBytes | None = None) -> None:
        self.path = path
        if content is None:
            file, size = _whole_file(path)
            weakref.finalize(self, os.close, file)
            content = FileBytes(file, 0, size)
            if size and content.between(size - 1, size) != b"\n":
                raise damaged(path, "the last line is truncated")
        self._content = content
        # All searches begin with the same lines.
        self._around = functools.lru_cache(_CACHED_LINES)(self._line_around)
        self._pattern = re.compile(rb'("[^\t\n]*")' + rb"\t(\d{1,18})" * width)

    def line_at(self, start: int) -> KeyLine | None:
        """The line that begins at this byte; None at the end of the file."""
        if start >= len(self._content):
            return None
        end = self._line_end(start)
        return self._parsed(self._content.between(start, end), start)

    def _parsed(self, line: bytes, start: int) -> KeyLine:
        match = self._pattern.fullmatch(line)
        if match is None:
            raise damaged(self.path, f"no key at byte {start}")
        key, *numbers = match.groups()
        return KeyLine(key, tuple(map(int, numbers)), start, start + len(line))

    def line_before(self, start: int) -> KeyLine | None:
        """The line before the one that begins at this byte; None at the beginning of the file."""
        return self.line_at(self._content.newline_before(start - 1) + 1) if start else None

    def _line_end(self, start: int) -> int:
        """The newline of the line that begins at this byte. Each search ends, because it is never before ``start``."""
        end = self._content.newline_after(start)
        if end < 0:
            raise damaged(self.path, f"no line ends after byte {start}")
        return end

    def lines_from(self, start: int) -> Iterator[KeyLine]:
        """The lines of the whole file from this byte on. Raises ``DamagedOutputError`` if they are not sorted."""
        previous = b""
        with self.path.open("rb") as stream:
            stream.seek(start)
            for text in stream:
                if not text.endswith(b"\n"):
                    raise damaged(self.path, f"no line ends after byte {start}")
                line = self._parsed(text[:-1], start)
                if line.key < previous:
                    raise damaged(self.path, f"the key at byte {start} is out of order")
                yield line
                previous, start = line.key, line.end + 1

    def lower_bound(self, key: bytes) -> int:
        """The byte at which the first line begins whose key is not less than ``key``."""
        low, high = 0, len(self._content)
        while low < high:
            start, end, line = self._around((low + high) // 2)
            # No JSON string is a prefix of another, so a line is less than a key if its own key is.
            if line < key:
                low = end + 1
            else:
                high = start
        return low

    def _line_around(self, place: int) -> tuple[int, int, bytes]:
        """The line that has the byte ``place``: where it begins and ends, and its bytes."""
        start = self._content.newline_before(place) + 1
        end = self._line_end(start)
        return start, end, self._content.between(start, end)

    @functools.cached_property
    def _count(self) -> int:
        with self.path.open("rb") as stream:
            return sum(chunk.count(b"\n") for chunk in iter(functools.partial(stream.read, _CHUNK), b""))

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

    def between(self, start: int, end: int) -> bytes:
        """The bytes [start, end); fewer at the end of the file."""
        return os.pread(self._file, end - start, start)

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
