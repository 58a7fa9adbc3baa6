"""Index of records or rejections by id, in an SQLite file (``sqlite_file``).

The key of an id is its JSON string.

A damaged file raises an error and never gives a wrong answer: the line that a look-up finds is compared with the id, and
before an id counts as absent, the whole file is compared with its SHA-256 in ``files.json``, once in each process.
"""

from __future__ import annotations

import functools
import os
import re
import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from wdw_build.core.hashing import file_sha256
from wdw_build.core.store.file_list import read_file_list
from wdw_build.core.store.sqlite_file import EntriesFile, write_entries
from wdw_build.errors import DamagedOutputError, UsageError

RECORD_KEYS, REJECTION_KEYS = "records.keys", "rejections.keys"
_COLUMNS = (
    "key BLOB NOT NULL, part INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, "
    "PRIMARY KEY (key, part, offset)"
)

_Natural = Annotated[int, Meta(ge=0)]


class RecordLocation(NamedTuple):
    """Where a line is stored: the number of its part (0 for a rejection), and offset and length in bytes."""

    part: _Natural
    offset: _Natural
    length: _Natural


class _Id(msgspec.Struct):
    id: str


_id_decoder = msgspec.json.Decoder(_Id)


def id_of(line: bytes) -> str:
    """The id of an encoded record or rejection."""
    return _id_decoder.decode(line).id


def key_of(record_id: str) -> bytes:
    """The sort key of an id: the id as a JSON string."""
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


def write_keys(path: Path, rows: Iterable[tuple[bytes, int, int, int]]) -> int:
    """Write an index from (key, part, offset, length), in any order; returns the number of rows.

    Memory does not grow with the number of rows.
    """
    return write_entries(path, _COLUMNS, rows)


class KeyIndex:
    """The index of an output's records or rejections.

    Raises ``UsageError`` if the file is missing, ``DamagedOutputError`` if it is found to be damaged.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.open("rb").close()
        except FileNotFoundError:
            raise UsageError(
                f"{path.parent} has no {path.name}: the output was made by an earlier version, or the file was deleted",
                hint=f"regenerate it: wdw-build run {path.parent.resolve().parent.name} --force -c FILE",
            ) from None
        self.path = path
        self._file = EntriesFile(path)

    def find(self, record_id: str) -> list[RecordLocation]:
        """The locations of an id, in order. Those of a damaged file may be wrong or missing: see ``check``."""
        query = "SELECT part, offset, length FROM entries WHERE key = ? ORDER BY part, offset"
        try:
            return msgspec.convert(list(self._file.select(query, key_of(record_id))), list[RecordLocation])
        except (sqlite3.Error, msgspec.ValidationError) as error:
            raise damaged(self.path, str(error)) from error

    def __iter__(self) -> Iterator[tuple[bytes, RecordLocation]]:
        """Every key with its location, in the order of the keys, after ``check``."""
        self.check()
        for key, *location in self._file.select("SELECT * FROM entries ORDER BY key, part, offset"):
            yield key, RecordLocation(*location)

    def check(self) -> None:
        """Raise ``DamagedOutputError`` unless the file is as it was written."""
        if not self._is_whole:
            raise damaged(self.path, "the file is not as it was written")

    @functools.cached_property
    def _is_whole(self) -> bool:
        listed = (read_file_list(self.path.parent) or {}).get(self.path.name)
        return listed is not None and listed.sha256 == file_sha256(self.path)


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
