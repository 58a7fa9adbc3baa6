"""An append-only log of what people did, in SQLite. State is derived from the events, so undo and history need no more.

A committed event survives a killed process and a power failure (write-ahead log with full synchronisation). Several
threads and processes may append at the same time; events have one order. A log in a folder that cannot be written to, such
as that of a published run, can be read.

The names of people are events too, with the passphrases that they may choose. A passphrase keeps one annotator from writing
under the name of another. It is stored as a scrypt hash (RFC 7914).
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sqlite3
import threading
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from wdw_build.errors import CorpusError, UsageError

T = TypeVar("T")

_SCHEMA = """CREATE TABLE IF NOT EXISTS events (
  number INTEGER PRIMARY KEY, time REAL NOT NULL, person TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
  value TEXT NOT NULL)"""
_SECONDS_TO_WAIT = 10
# SQLite does not wait for a lock when it changes the journal mode, and the first requests of a server come together.
_OPENING = threading.Lock()


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
        path.parent.mkdir(parents=True, exist_ok=True)
        with _OPENING, self._connection() as connection:
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone() is None:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute(_SCHEMA)

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def append(self, person: str, kind: str, subject: str = "", value: object = None) -> Event:
        """Append an event; it is on disk when this returns. ``value`` is any value that msgspec encodes."""
        encoded, now = msgspec.json.encode(value), round(self._clock(), 3)
        with self._connection() as connection:
            added = connection.execute(
                "INSERT INTO events (time, person, kind, subject, value) VALUES (?, ?, ?, ?, ?)",
                (now, person, kind, subject, encoded.decode()),
            )
            number = int(added.lastrowid or 0)
        return Event(number, now, person, kind, subject, msgspec.Raw(encoded))

    def events(self, person: str = "") -> list[Event]:
        """The events in their order, of one person or of all."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT number, time, person, kind, subject, value FROM events WHERE ? IN ('', person) ORDER BY number",
                [person],
            ).fetchall()
        return [
            Event(number, when, name, kind, subject, msgspec.Raw(value.encode()))
            for number, when, name, kind, subject, value in rows
        ]

    def _address(self) -> str:
        """The URI of the file. SQLite reads a WAL database in a read-only folder only if it takes the file as immutable."""
        has_changes = self._path.with_name(f"{self._path.name}-wal").exists()
        is_immutable = not has_changes and not os.access(self._path.parent, os.W_OK)
        return f"{self._path.absolute().as_uri()}?immutable={int(is_immutable)}"

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are committed when the block ends."""
        try:
            connection = sqlite3.connect(self._address(), timeout=_SECONDS_TO_WAIT, uri=True)
            try:
                connection.execute("PRAGMA synchronous=FULL")
                with connection:
                    yield connection
            finally:
                connection.close()
        except sqlite3.DatabaseError as error:
            raise CorpusError(
                f"{self._path}: {error}",
                hint="check the free space and the permissions of its folder; copy the file before you repair it",
            ) from error


# ---- people ---------------------------------------------------------------------------------------------------------

# The kind of the event; its value is ``SignedIn``.
SIGNED_IN = "signed-in"
LONGEST_NAME = 40
# scrypt's work factors: about 50 ms and 16 MiB a hash.
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1
_SALT_BYTES = 16


class SignedIn(msgspec.Struct, frozen=True):
    """Value of the event ``signed-in``. The passphrase is kept with the first one of a person."""

    salt: str = ""
    """Salt of the passphrase (hex); empty without a passphrase."""
    passphrase: str = ""
    """scrypt hash of the passphrase (hex); empty without one."""


def checked_name(text: str) -> str:
    """A name with single spaces.

    Raises ``UsageError`` unless it has 1 to 40 printable characters and begins with a letter or a digit; names in brackets,
    such as `(all)`, have other meanings in scores.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name[:1].isalnum() or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"a name has 1 to {LONGEST_NAME} printable characters and begins with a letter or a digit",
            hint="choose another name",
        )
    return name


def canonical_name(events: Iterable[Event], text: str) -> str:
    """The name as the person first wrote it; case and forms of letters do not matter. Raises ``UsageError`` as above."""
    name = checked_name(text)
    known = (event.person for event in events if event.kind == SIGNED_IN)
    return next((other for other in known if _compared(other) == _compared(name)), name)


def _compared(name: str) -> str:
    """A name without case and compatibility forms, such as full-width letters and ligatures (Unicode's NFKC)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def sign_in(log: EventLog, text: str, passphrase: str) -> str:
    """Sign a person in and return the name. The first sign-in may choose a passphrase, which later ones must repeat.

    Raises ``UsageError`` if the name is not allowed or the passphrase is wrong, or given for a name that has none.
    """
    events = log.events()
    name = canonical_name(events, text)
    first = next((event for event in events if event.kind == SIGNED_IN and event.person == name), None)
    if first is None:
        salt = secrets.token_hex(_SALT_BYTES)
        value = SignedIn(salt, _hash(passphrase, salt)) if passphrase else SignedIn()
        log.append(name, SIGNED_IN, value=value)
        return name
    chosen: SignedIn = value_of(first, SignedIn)
    if passphrase and not chosen.passphrase:
        raise UsageError(
            f"{name} has signed in before, and without a passphrase", hint="leave it out, or choose another name"
        )
    if chosen.passphrase and not hmac.compare_digest(_hash(passphrase, chosen.salt), chosen.passphrase):
        raise UsageError(
            f"{name} has signed in before, and with another passphrase", hint="repeat it, or choose another name"
        )
    log.append(name, SIGNED_IN, value=SignedIn())
    return name


def _hash(passphrase: str, salt: str) -> str:
    given = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(given, salt=bytes.fromhex(salt), n=_COST, r=_BLOCK, p=_PARALLEL).hex()
