"""A store of values by key that many processes on many hosts share without a lock: a log-structured merge tree.

New values are collected in memory and published as an immutable segment by one rename. A look-up asks every segment. A
process merges its own segments as they grow, so that it has about log2(values) of them (O'Neil et al., "The log-structured
merge-tree", 1996); ``compact`` merges those of all processes. A merged segment is published before its sources are deleted.

A key may be in several segments, which hold equal values or values that are equally good. Two processes that merge the same
segments therefore waste time but lose nothing, and the lock of ``compact`` only saves work. The folder may be on NFS: a
reader that finds a segment gone lists the folder again.
"""

from __future__ import annotations

import contextlib
import functools
import heapq
import itertools
import os
import secrets
import socket
import sqlite3
import time
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from wdw_build.core.store.atomic_output import sync
from wdw_build.core.store.shared_files import exclusive
from wdw_build.core.store.sqlite_file import EntriesFile, write_entries

# Values are published after this many seconds or values, whichever comes first.
_PUBLISH_SECONDS, _PUBLISH_VALUES = 10.0, 512
# After a look-up without success, the folder is listed again if this many seconds have passed.
_LIST_SECONDS = 5.0
# With more segments than this, a process that publishes also merges the segments of the others.
_MANY = 64
# Segments merged at a time, and open between look-ups: a process may have 1024 open files.
_MERGED_AT_ONCE, _MOST_OPEN = 256, 128
# A list of a folder on NFS may be a few seconds old.
_TRIES, _WAIT_SECONDS = 5, 0.5
# Unfinished files of killed processes are deleted after a day.
_LEFT_SECONDS = 86_400.0
# ``checksum``: CRC-32 of key and value. Pages in which several annotations fit take a third less space.
_COLUMNS = "key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL, checksum INTEGER NOT NULL"
_PAGE_BYTES = 1 << 14

# Key, value and checksum.
_Row = tuple[bytes, bytes, int]


def _row(key: bytes, value: bytes) -> _Row:
    return key, value, zlib.crc32(value, zlib.crc32(key))


class Segment:
    """A segment; ``count``: its number of values. ``opened`` gives the open file of a path.

    Raises ``sqlite3.DatabaseError`` if the file is gone or damaged.
    """

    def __init__(self, path: Path, opened: Callable[[Path], EntriesFile] = EntriesFile) -> None:
        self.path, self._opened = path, opened
        self.count = opened(path).count()

    def find(self, key: bytes) -> bytes | None:
        """The value of a key, or None."""
        found = next(self._opened(self.path).select("SELECT * FROM entries WHERE key = ?", key), None)
        return found[1] if found is not None and self._is_intact(found) else None

    def rows(self) -> Iterator[_Row]:
        """Yield the rows in the order of the keys. Those that are damaged give a warning and are left out."""
        try:
            yield from filter(self._is_intact, self._opened(self.path).select("SELECT * FROM entries ORDER BY key"))
        except sqlite3.DatabaseError as error:
            _warn(f"{self.path}: {error}")

    def _is_intact(self, found: tuple[Any, ...]) -> bool:
        is_intact = all(isinstance(part, bytes) for part in found[:2]) and found == _row(*found[:2])
        if not is_intact:
            _warn(f"{self.path}: the checksum of {found[0]!r} is wrong")
        return is_intact


class Segments:
    """The values of a folder, by key. A damaged segment or value gives a warning, and counts as absent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._segments: dict[str, Segment] = {}
        self._opened = functools.lru_cache(_MOST_OPEN)(EntriesFile)
        self._own: set[str] = set()
        self._unreadable: set[str] = set()
        self._pending: dict[bytes, bytes] = {}
        self._listed = -_LIST_SECONDS
        self._published = time.monotonic()

    def find(self, name: str) -> bytes | None:
        """The value of a key, or None."""
        key = name.encode()
        if key in self._pending:
            return self._pending[key]
        value = self._find(key)
        if value is None and time.monotonic() - self._listed >= _LIST_SECONDS:
            self._list()
            value = self._find(key)
        return value

    def _find(self, key: bytes) -> bytes | None:
        for seconds in (0.0, *[_WAIT_SECONDS] * _TRIES):
            lost = False
            for segment in list(self._segments.values()):
                try:
                    if (value := segment.find(key)) is not None:
                        return value
                except sqlite3.DatabaseError as error:
                    lost = True
                    self._forget(segment.path, error)
            if not lost:
                return None
            # Another process merged the segment. The merged segment is listed at once on this host, later over NFS.
            time.sleep(seconds)
            self._list()
        return None

    def _forget(self, path: Path, error: sqlite3.DatabaseError) -> None:
        """Use a segment no longer: it is gone, or else damaged."""
        self._segments.pop(path.name, None)
        if path.exists():
            self._unreadable.add(path.name)
            _warn(f"{path}: {error}")

    def _list(self) -> None:
        """Open the segments that are new in the folder, and forget those that are gone."""
        self._listed = time.monotonic()
        for _ in range(_TRIES):
            names = self._names()
            self._segments = {name: self._segments[name] for name in names if name in self._segments}
            new = [name for name in names if name not in self._segments and name not in self._unreadable]
            gone = [name for name in new if not self._open(name)]
            # Another process merged them after they were listed, into a segment that is not listed yet.
            if not gone:
                break
        self._own &= self._segments.keys()

    def _names(self) -> list[str]:
        # A list that was read while another process merged may have neither a merged segment nor its sources.
        names: list[str] | None = None
        while names != (names := sorted(path.name for path in self._folder.glob("*.sqlite"))):
            pass
        return names

    def _open(self, name: str) -> bool:
        """Open a segment, unless it is damaged; false if it is gone."""
        path = self._folder / name
        try:
            self._segments[name] = Segment(path, self._opened)
        except sqlite3.DatabaseError as error:
            self._forget(path, error)
        return name in self._segments or name in self._unreadable

    def add(self, values: Iterable[tuple[str, bytes]]) -> None:
        """Add values. They are published now if they are many, or if the last time was ten seconds ago."""
        self._pending.update((name.encode(), value) for name, value in values)
        if len(self._pending) >= _PUBLISH_VALUES or time.monotonic() - self._published >= _PUBLISH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Publish what was added."""
        self._published = time.monotonic()
        if not self._pending:
            return
        self._own.add(self._publish(itertools.starmap(_row, sorted(self._pending.items()))))
        self._pending = {}
        due = due_for_merging([self._segments[name] for name in self._own if name in self._segments])
        if len(due) > 1:
            self._own.add(self._merge(due))
        if len(self._segments) > _MANY:
            self.compact()

    def _publish(self, rows: Iterable[_Row]) -> str:
        """Write sorted rows into a new segment; returns its name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(6)}.sqlite"
        unfinished = self._folder / f".{name}.tmp"
        try:
            write_entries(unfinished, _COLUMNS, rows, _PAGE_BYTES)
            sync(unfinished)
            unfinished.rename(self._folder / name)
        finally:
            unfinished.unlink(missing_ok=True)
        if not self._open(name):
            self._list()
        return name

    def _merge(self, segments: Sequence[Segment]) -> str:
        """Merge segments into one and delete them; returns its name."""
        merged = self._publish(heapq.merge(*(segment.rows() for segment in segments)))
        for segment in segments:
            segment.path.unlink(missing_ok=True)
            self._segments.pop(segment.path.name, None)
            self._own.discard(segment.path.name)
        return merged

    def compact(self) -> None:
        """Publish what was added, and merge the segments of all processes, unless another process is merging them.

        A segment larger than all smaller ones together stays as it is, so that a few new values do not rewrite a large store.
        """
        self.flush()
        if not self._folder.exists():
            return
        with self.locked() as is_alone:
            if not is_alone:
                return
            self._list()
            while len(due := due_for_merging([*self._segments.values()])[:_MERGED_AT_ONCE]) > 1:
                self._merge(due)
            self._delete_unfinished()

    def _delete_unfinished(self) -> None:
        for path in self._folder.glob(".*.sqlite.tmp"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > _LEFT_SECONDS:
                    path.unlink()

    def locked(self) -> AbstractContextManager[bool]:
        """Hold the folder's lock; false if another process holds it. Raises as ``exclusive`` does."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return exclusive(self._folder / ".lock")


def due_for_merging(segments: Sequence[Segment]) -> list[Segment]:
    """The most small segments of which the largest has no more values than the others together; empty if there are none."""
    ordered = sorted(segments, key=lambda segment: (segment.count, segment.path.name))
    due, total = 0, 0
    for number, segment in enumerate(ordered):
        if number and segment.count <= total:
            due = number + 1
        total += segment.count
    return ordered[:due]


def _warn(what: str) -> None:
    warnings.warn(f"{what}; what it held is made again", RuntimeWarning, stacklevel=2)
