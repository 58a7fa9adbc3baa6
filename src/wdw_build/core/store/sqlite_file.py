"""SQLite files with one table, which one process writes once and any number of processes on any host then read without locks.

Locks do not work on every network file system, and a file that never changes needs none.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

# Neither a journal nor waiting for the disk: a file counts only when a rename has published it.
_CREATE = """
    PRAGMA page_size = {page_bytes};
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -65536;
    BEGIN;
    CREATE TABLE entries ({columns}) WITHOUT ROWID;
"""


def write_entries(path: Path, columns: str, rows: Iterable[Sequence[object]], page_bytes: int = 4096) -> int:
    """Write a new file with the table ``entries``; returns its number of rows. Memory does not grow with the number.

    ``columns``: SQL of the columns, with a primary key. Of rows with the same key, the first is kept. Sorted rows take less
    time and space. A file that is there, such as one that a killed process left, is replaced. Raises ``OSError`` if the file
    cannot be written.
    """
    if path.is_file():
        path.unlink()
    marks = ", ".join("?" * columns.count("NOT NULL"))
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.executescript(_CREATE.format(page_bytes=page_bytes, columns=columns))
            connection.executemany(f"INSERT OR IGNORE INTO entries VALUES ({marks})", rows)  # noqa: S608 (only question marks)
            count = connection.total_changes
            connection.execute(f"PRAGMA user_version = {count}")
            connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise _system_error(path, page_bytes, error) from error
    return count


def _system_error(path: Path, page_bytes: int, error: sqlite3.OperationalError) -> OSError:
    """The error of the system behind a failed write, which SQLite does not tell: that of one more write, if that fails, too."""
    try:
        with path.open("ab") as stream:
            stream.write(bytes(page_bytes))
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as system_error:
        return OSError(system_error.errno, system_error.strerror, str(path))
    return OSError(errno.EIO, str(error), str(path))


class EntriesFile:
    """A finished file, open for reading in any thread.

    Every method raises ``sqlite3.DatabaseError`` if the file is missing, or if it is found to be damaged.
    """

    def __init__(self, path: Path) -> None:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        weakref.finalize(self, self._connection.close)

    def select(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The rows of a query."""
        try:
            yield from self._connection.execute(query, values)
        except UnicodeDecodeError as error:
            # A damaged file may make SQLite's own message unreadable.
            raise sqlite3.DatabaseError(str(error)) from error

    def count(self) -> int:
        """The number of rows, without counting them."""
        ((count,), *_) = [*self.select("PRAGMA user_version"), *self.select("SELECT 1 FROM entries LIMIT 1")]
        return int(count)
