"""A set of ids on disk, to find duplicate ids: exact, and memory does not grow with the number of ids."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CACHE_KB = 64 * 1024


class DuplicateIds:
    """A set of ids in an SQLite table."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.count = 0

    def __contains__(self, record_id: str) -> bool:
        return self._connection.execute("SELECT 1 FROM ids WHERE id = ?", (_key(record_id),)).fetchone() is not None

    def add(self, record_id: str) -> None:
        """Add an id that is not in the set."""
        self._connection.execute("INSERT INTO ids VALUES (?)", (_key(record_id),))
        self.count += 1


def _key(record_id: str) -> bytes:
    return record_id.encode("utf-8", "surrogatepass")


@contextmanager
def duplicate_ids(folder: Path) -> Iterator[DuplicateIds]:
    """An empty set of ids, in a temporary file of ``folder``."""
    path = folder / f".ids-{os.getpid()}.sqlite"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # Only this process reads the file, and a crash makes it useless: no journal, no waiting for the disk.
        for pragma in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "locking_mode = EXCLUSIVE",
            f"cache_size = -{_CACHE_KB}",
        ):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("CREATE TABLE ids (id BLOB PRIMARY KEY) WITHOUT ROWID")
        connection.execute("BEGIN")
        yield DuplicateIds(connection)
    finally:
        connection.close()
        path.unlink(missing_ok=True)
