"""What models computed, by key, in one SQLite file that all processes of a store share.

A result depends only on its key, so it does not matter which process computed it, and a row that is there is never replaced.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
import warnings
from collections.abc import Iterable
from pathlib import Path

# Results are written after this many seconds or results, whichever comes first.
_WRITE_SECONDS, _WRITE_RESULTS = 10.0, 512
# Another process holds the lock for a moment while it writes.
_LOCK_SECONDS = 120.0


class KeptResults:
    """The results of a file. A damaged file is put aside with a warning, and its results are computed again.

    ``network``: the processes may be on several hosts. A write-ahead log, which lets others read during a write, needs memory
    that all processes share.
    """

    def __init__(self, path: Path, *, network: bool = False) -> None:
        self._path, self._journal = path, "DELETE" if network else "WAL"
        self._connection: sqlite3.Connection | None = None
        self._pending: dict[bytes, bytes] = {}
        self._written = time.monotonic()

    def find(self, key: bytes) -> bytes | None:
        """The result of a key, or None."""
        if key in self._pending:
            return self._pending[key]
        try:
            found = self._open().execute("SELECT result FROM results WHERE key = ?", (key,)).fetchone()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            self._put_aside(error)
            return None
        return None if found is None else found[0]

    def add(self, results: Iterable[tuple[bytes, bytes]]) -> None:
        """Add results, which are written together now and then."""
        self._pending.update(results)
        if len(self._pending) >= _WRITE_RESULTS or time.monotonic() - self._written >= _WRITE_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what was added."""
        self._written = time.monotonic()
        if not self._pending:
            return
        try:
            with self._open() as connection:
                # Sorted: two processes that fill a file in one order keep its pages full.
                connection.executemany("INSERT OR IGNORE INTO results VALUES (?, ?)", sorted(self._pending.items()))
        except sqlite3.OperationalError as error:
            raise OSError(f"{self._path}: {error}") from error
        except sqlite3.DatabaseError as error:
            self._put_aside(error)
            self.flush()
        self._pending = {}

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._path, timeout=_LOCK_SECONDS, check_same_thread=False)
            connection.execute(f"PRAGMA journal_mode = {self._journal}")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID"
            )
            self._connection = connection
        return self._connection

    def _put_aside(self, error: sqlite3.DatabaseError) -> None:
        """Rename the damaged file, unless another process did so, and begin a new one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        aside = self._path.with_name(f"{self._path.name}.damaged-{os.getpid()}-{time.time_ns()}")
        with contextlib.suppress(FileNotFoundError):
            self._path.rename(aside)
            for suffix in ("-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            warnings.warn(
                f"{self._path}: {error}; it is now {aside.name}, and what it held is computed again",
                RuntimeWarning,
                stacklevel=3,
            )
