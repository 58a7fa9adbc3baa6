"""An append-only log of what people did, in SQLite. State is derived from the events, so undo and history need no more.

A committed event survives a killed process and a power failure (write-ahead log with full synchronisation). Several
threads and processes may append at the same time; events have one order. A log in a folder that cannot be written to, such
as that of a published run, can be read. Only the user who made a log can read it: it holds answers and passphrase hashes.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from wdw_build.errors import CorpusError
from wdw_study.private_files import private_folder

T = TypeVar("T")

_SCHEMA = """CREATE TABLE IF NOT EXISTS events (
  number INTEGER PRIMARY KEY, time REAL NOT NULL, person TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
  value TEXT NOT NULL)"""
_SECONDS_TO_WAIT = 10
_SECONDS_BETWEEN_TRIES = 0.02
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_NOT_ALLOWED = "the file and its folder must be yours and writable: check their permissions"
_DAMAGED = "the file is no log of events, or is damaged: copy it before you repair it, or use an earlier copy"
# What to do about SQLite's primary result codes.
_HINTS = {
    **dict.fromkeys(_BUSY, "another program is using the file; nothing is damaged: wait and try again"),
    **dict.fromkeys((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM), _NOT_ALLOWED),
    **dict.fromkeys((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB), _DAMAGED),
    sqlite3.SQLITE_FULL: "free some space on its disk; what was saved before is kept",
}
# An event whose content was deleted.
FORGOTTEN, FORGOTTEN_NAME = "forgotten", "(forgotten)"
_OTHER_CAUSE = "check the disk of the file, its free space and its permissions"


class Event(msgspec.Struct, frozen=True):
    """One action of a person."""

    number: int
    """Place in the log, from 1."""
    time: float
    """Seconds since 1970 (UTC)."""
    person: str
    """Name of the person who acted."""
    kind: str
    """What was done, such as `answer` or `undo`."""
    subject: str
    """Id of the problem, passage or question that the action is about; empty if it is about none."""
    value: msgspec.Raw
    """What was given, as JSON; its form depends on the kind."""


def value_of(event: Event, kind: type[T] | Any) -> T:
    """The value of an event. Raises ``CorpusError`` if it has another type."""
    try:
        value: T = msgspec.json.decode(event.value, type=kind)
    except msgspec.MsgspecError as error:
        raise CorpusError(
            f"event {event.number} ({event.kind}): {error}",
            hint="the log of events was changed; restore it from a copy",
        ) from error
    return value


class EventLog:
    """The events of one file. Each call opens its own connection, so that any thread may call."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        """Create the file if it does not exist. Raises ``CorpusError`` if the file is no event log."""
        self._path, self._clock = path, clock
        # Events are never changed, so each is read once.
        self._known: list[Event] = []
        self._reading = threading.Lock()
        if not path.exists():
            private_folder(path.parent)
            with contextlib.suppress(OSError):
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        self._use(_create)

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def append(self, person: str, kind: str, subject: str = "", value: object = None) -> Event:
        """Append an event; it is on disk when this returns. ``value`` is any value that msgspec encodes."""
        return self._use(lambda connection: self._insert(connection, person, kind, subject, value))

    def append_if(
        self, holds: Callable[[Sequence[Event]], bool], person: str, kind: str, subject: str = "", value: object = None
    ) -> Event | None:
        """Append an event if ``holds`` is true of all events before it; None if it is false.

        No other process and no other thread appends between the check and the event.
        """

        def work(connection: sqlite3.Connection) -> Event | None:
            connection.execute("BEGIN IMMEDIATE")
            event = None
            if holds(_events_after(connection, 0)):
                event = self._insert(connection, person, kind, subject, value)
            connection.execute("COMMIT")
            return event

        return self._use(work)

    def events(self, person: str = "") -> list[Event]:
        """The events in their order, of one person or of all. Only events since the last call are read from the file."""
        with self._reading:
            last = self._known[-1].number if self._known else 0
            self._known += self._use(lambda connection: _events_after(connection, last))
            return [event for event in self._known if person in ("", event.person)]

    def forget(self, person: str, about: Sequence[str] = ()) -> int:
        """Empty the events of a person, and those of ``about``'s kinds whose subject the person is; how many they are.

        The events keep their numbers, because others refer to them. What they held is overwritten in the file. Programs that
        have the log open still know it.
        """

        def work(connection: sqlite3.Connection) -> int:
            connection.execute("PRAGMA secure_delete=ON")
            marks = ",".join("?" * len(about))
            emptied = connection.execute(
                f"UPDATE events SET time = 0, person = ?, kind = ?, subject = '', value = 'null' "  # noqa: S608 (marks only)
                f"WHERE person = ? OR (kind IN ({marks}) AND subject = ?)",
                (FORGOTTEN_NAME, FORGOTTEN, person, *about, person),
            ).rowcount
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return emptied

        with self._reading:
            self._known.clear()
            return self._use(work)

    def _insert(self, connection: sqlite3.Connection, person: str, kind: str, subject: str, value: object) -> Event:
        encoded, now = msgspec.json.encode(value), round(self._clock(), 3)
        added = connection.execute(
            "INSERT INTO events (time, person, kind, subject, value) VALUES (?, ?, ?, ?, ?)",
            (now, person, kind, subject, encoded.decode()),
        )
        return Event(int(added.lastrowid or 0), now, person, kind, subject, msgspec.Raw(encoded))

    def _address(self) -> str:
        """The URI of the file. SQLite reads a WAL database in a read-only folder only if it takes the file as immutable."""
        has_changes = self._path.with_name(f"{self._path.name}-wal").exists()
        is_immutable = not has_changes and not os.access(self._path.parent, os.W_OK)
        return f"{self._path.absolute().as_uri()}?immutable={int(is_immutable)}"

    def _use(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What ``work`` returns for a new connection. Repeats the work while the file is locked, for up to ten seconds.

        SQLite's own wait is not enough: it gives up at once where waiting might be a deadlock, as when several processes
        open a new log, and while the last connection of another process closes.
        """
        deadline = time.monotonic() + _SECONDS_TO_WAIT
        while True:
            try:
                return self._try(work, max(deadline - time.monotonic(), 0))
            except sqlite3.DatabaseError as error:
                # The extended codes have the primary one in their lowest byte.
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if code not in _BUSY or time.monotonic() >= deadline:
                    raise CorpusError(f"{self._path}: {error}", hint=_HINTS.get(code, _OTHER_CAUSE)) from error
            time.sleep(_SECONDS_BETWEEN_TRIES)

    def _try(self, work: Callable[[sqlite3.Connection], T], seconds: float) -> T:
        # Without an isolation level, each statement outside a transaction is committed at once.
        connection = sqlite3.connect(self._address(), timeout=seconds, uri=True, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous=FULL")
            return work(connection)
        finally:
            # An open transaction is rolled back.
            connection.close()


def _create(connection: sqlite3.Connection) -> None:
    # The table comes last: a log that has it has its journal mode, too.
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone() is None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(_SCHEMA)


def _events_after(connection: sqlite3.Connection, number: int) -> list[Event]:
    rows = connection.execute(
        "SELECT number, time, person, kind, subject, value FROM events WHERE number > ? ORDER BY number", [number]
    ).fetchall()
    return [
        Event(number, when, name, kind, subject, msgspec.Raw(value.encode()))
        for number, when, name, kind, subject, value in rows
    ]
