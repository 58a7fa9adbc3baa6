"""An append-only log of people's actions, in SQLite. Every state, undo included, is derived from the events.

A committed event survives a killed process and a power failure (write-ahead log with full synchronisation). Several
threads and processes may append at the same time; events have one order. Only the user who made a log can read it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from wdw_build.api import CorpusError

T = TypeVar("T")

_SCHEMA = """CREATE TABLE IF NOT EXISTS events (
  number INTEGER PRIMARY KEY, time REAL NOT NULL, person TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
  value TEXT NOT NULL)"""
_SECONDS_TO_WAIT = 10
_HINT = "if another program uses the file, wait; the file and its folder must be writable, and the disk must have space"
# An event whose content was deleted.
FORGOTTEN, FORGOTTEN_NAME = "forgotten", "(forgotten)"
# Takes back the event of the same person whose number is its value.
UNDONE = "undone"


class Event(msgspec.Struct, frozen=True):
    """One action of a person."""

    number: int
    """Place in the log, from 1."""
    time: float
    """Seconds since 1970 (UTC)."""
    person: str
    """Name of the person who acted."""
    kind: str
    """What was done, such as `answered` or `undone`."""
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


def standing(events: Iterable[Event]) -> list[Event]:
    """The events that were not taken back, without those that took them back."""
    by_number: dict[int, Event] = {}
    for event in events:
        if event.kind == UNDONE:
            by_number.pop(value_of(event, int), None)
        else:
            by_number[event.number] = event
    return list(by_number.values())


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log. SQLite does not wait by itself for others that switch at the same time."""
    end = time.monotonic() + _SECONDS_TO_WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


class EventLog:
    """The events of one file. Each call opens its own connection, so that any thread may call."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        """Create the file if it does not exist. Raises ``CorpusError`` if the file is no event log."""
        self.path, self._clock = path, clock
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(0o600)
        with self._connection() as connection:
            # The table comes last: a log that has it has its journal mode, too.
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone():
                _write_ahead(connection)
                connection.execute(_SCHEMA)

    def append(self, person: str, kind: str, subject: str = "", value: object = None) -> Event:
        """Append an event; it is on disk when this returns. ``value`` is any value that msgspec encodes."""
        encoded, now = msgspec.json.encode(value), round(self._clock(), 3)
        with self._connection() as connection:
            added = connection.execute(
                "INSERT INTO events (time, person, kind, subject, value) VALUES (?, ?, ?, ?, ?)",
                (now, person, kind, subject, encoded.decode()),
            )
            return Event(int(added.lastrowid or 0), now, person, kind, subject, msgspec.Raw(encoded))

    def events(self, person: str = "") -> list[Event]:
        """The events in their order, of one person or of all."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT number, time, person, kind, subject, value FROM events WHERE ? IN ('', person) ORDER BY number",
                [person],
            )
            return [
                Event(number, when, name, kind, subject, msgspec.Raw(value.encode()))
                for number, when, name, kind, subject, value in rows
            ]

    def forget(self, person: str, about: str) -> None:
        """Empty the events of a person, and those of the kind ``about`` whose subject is the person.

        The events keep their numbers, because others refer to them. Their contents are overwritten in the file.
        """
        with self._connection() as connection:
            connection.execute("PRAGMA secure_delete=ON")
            connection.execute(
                "UPDATE events SET time = 0, person = ?, kind = ?, subject = '', value = 'null' "
                "WHERE person = ? OR (kind = ? AND subject = ?)",
                (FORGOTTEN_NAME, FORGOTTEN, person, about, person),
            )
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection that commits every statement at once, and waits while another program writes."""
        try:
            address = f"{self.path.absolute().as_uri()}?mode=rw"
            connection = sqlite3.connect(address, timeout=_SECONDS_TO_WAIT, uri=True, isolation_level=None)
            with contextlib.closing(connection):
                connection.execute("PRAGMA synchronous=FULL")
                yield connection
        except sqlite3.DatabaseError as error:
            raise CorpusError(f"{self.path}: {error}", hint=_HINT) from error
