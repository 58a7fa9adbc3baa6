"""The index of an output: an SQLite file with the place of each record and rejection, by id.

The key of an id is its JSON string. The n-th record has the row id n, so an output can be cut at any record.
"""

from __future__ import annotations

import contextlib
import errno
import sqlite3
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from wdw_build.errors import DamagedOutputError

INDEX = "index.sqlite"
# Neither a journal nor waiting for the disk: the file counts only when a rename has published its folder.
_CREATE = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -262144;
    BEGIN;
    CREATE TABLE records (key BLOB NOT NULL UNIQUE, part INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL);
    CREATE TABLE rejections (key BLOB NOT NULL, part INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL);
    CREATE INDEX rejections_by_key ON rejections (key);
"""


_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise ``DamagedOutputError`` or ``OSError`` in place of an error of SQLite on a file.

    The ``OSError`` is that of a full disk only if SQLite says so.
    """
    try:
        yield
    except sqlite3.Error as error:
        # The low byte of an extended code is the kind of error.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _DAMAGED:
            hint = "delete the file, and run the same command again: what it held is computed again"
            raise DamagedOutputError(f"{path}: {error}", hint=hint) from error
        raise OSError(errno.ENOSPC if code == sqlite3.SQLITE_FULL else errno.EIO, str(error), str(path)) from error


class RecordLocation(NamedTuple):
    """Where a line is stored: the number of its part (0 for a rejection), and offset and length in bytes."""

    part: int
    offset: int
    length: int


class _Id(msgspec.Struct):
    id: str


_id_decoder = msgspec.json.Decoder(_Id)


def id_of(line: bytes) -> str:
    """The id of an encoded record or rejection."""
    return _id_decoder.decode(line).id


def key_of(record_id: str) -> bytes:
    """The key of an id: the id as a JSON string."""
    return msgspec.json.encode(record_id)


class IndexWriter:
    """Writes the index of an output. Raises ``OSError`` if the file cannot be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.executescript(_CREATE)

    def add_record(self, record_id: str, location: RecordLocation) -> bool:
        """Add a record; false, and nothing is added, if a record has this id already."""
        return self._insert("INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?)", record_id, location)

    def add_rejection(self, record_id: str, location: RecordLocation) -> None:
        """Add a rejection; an id may have several."""
        self._insert("INSERT INTO rejections VALUES (?, ?, ?, ?)", record_id, location)

    def _insert(self, statement: str, record_id: str, location: RecordLocation) -> bool:
        with translated(self._path):
            return self._connection.execute(statement, (key_of(record_id), *location)).rowcount == 1

    def close(self) -> None:
        """Finish the file."""
        with contextlib.closing(self._connection), translated(self._path):
            self._connection.execute("COMMIT")


class KeyIndex:
    """The index of an output, open for reading in any thread."""

    def __init__(self, path: Path) -> None:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        weakref.finalize(self, self._connection.close)

    def record(self, record_id: str) -> RecordLocation | None:
        """The location of a record."""
        return next(self._select("SELECT part, offset, length FROM records WHERE key = ?", key_of(record_id)), None)

    def record_number(self, number: int) -> RecordLocation | None:
        """The location of a record by its number, from 0."""
        return next(self._select("SELECT part, offset, length FROM records WHERE rowid = ?", number + 1), None)

    def rejections(self, record_id: str) -> list[RecordLocation]:
        """The locations of the rejections of an id, in order."""
        query = "SELECT part, offset, length FROM rejections WHERE key = ? ORDER BY rowid"
        return list(self._select(query, key_of(record_id)))

    def _select(self, query: str, value: object) -> Iterator[RecordLocation]:
        return map(RecordLocation._make, self._connection.execute(query, (value,)))
