"""What models computed, by key, in one SQLite file that all processes of a store share.

A result depends only on its key, so it does not matter which process computed it, and a row that is there is never replaced.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from multiprocessing.util import Finalize
from pathlib import Path

from wdw_build.core.store.key_index import translated

# Results are written after this many seconds or results, whichever comes first.
_WRITE_SECONDS, _WRITE_RESULTS = 10.0, 512
# Another process holds the lock for a moment while it writes.
_LOCK_SECONDS = 120.0
_RETRY_SECONDS = 0.02
_CREATE = "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID"


class KeptResults:
    """The results of a file. Raises ``DamagedOutputError`` if the file is damaged, ``OSError`` if it cannot be used.

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
        with translated(self._path):
            found = self._open().execute("SELECT result FROM results WHERE key = ?", (key,)).fetchone()
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
        with translated(self._path), self._open() as connection:
            # Sorted: two processes that fill a file in one order keep its pages full.
            connection.executemany("INSERT OR IGNORE INTO results VALUES (?, ?)", sorted(self._pending.items()))
        self._pending = {}

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self._path, timeout=_LOCK_SECONDS, check_same_thread=False)
            # The last process to close the file writes its log into it, and deletes the log.
            Finalize(self, self._connection.close, exitpriority=0)
            self._prepare(self._connection)
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Set the journal and create the table.

        Processes that change the journal of a new file at once do not wait for each other, whatever the timeout: all but one
        of them fail, and try again.
        """
        last_try = time.monotonic() + _LOCK_SECONDS
        while True:
            try:
                connection.executescript(
                    f"PRAGMA journal_mode = {self._journal}; PRAGMA synchronous = NORMAL; {_CREATE}"
                )
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > last_try:
                    raise
                time.sleep(_RETRY_SECONDS)
