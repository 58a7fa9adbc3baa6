"""Ids met before, kept on disk: memory does not grow with them, and no two ids are ever taken for one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CACHE_KB = 64 * 1024


class DuplicateIds:
    """A set of ids in a table."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.count = 0

    def __contains__(self, record_id: str) -> bool:
        return self._connection.execute("SELECT 1 FROM seen WHERE id = ?", (_key(record_id),)).fetchone() is not None

    def add(self, record_id: str) -> None:
        """Add an id that is not there."""
        self._connection.execute("INSERT INTO seen VALUES (?)", (_key(record_id),))
        self.count += 1


def _key(record_id: str) -> bytes:
    return record_id.encode("utf-8", "surrogatepass")


@contextmanager
def duplicate_ids(folder: Path) -> Iterator[DuplicateIds]:
    """An empty set of ids, in a file that is gone afterwards."""
    path = folder / f".seen-{os.getpid()}.sqlite"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # Nobody reads the file but this process, and nobody needs it after a crash: no journal, no waiting for the disk.
        for pragma in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "locking_mode = EXCLUSIVE",
            f"cache_size = -{_CACHE_KB}",
        ):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("CREATE TABLE seen (id BLOB PRIMARY KEY) WITHOUT ROWID")
        connection.execute("BEGIN")
        yield DuplicateIds(connection)
    finally:
        connection.close()
        path.unlink(missing_ok=True)
