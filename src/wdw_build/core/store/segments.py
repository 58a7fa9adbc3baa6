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
import errno
import heapq
import operator
import os
import secrets
import socket
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from wdw_build.core.store.key_index import key_of
from wdw_build.core.store.segment_file import Segment, key_hashes, write_segment
from wdw_build.core.store.shared_files import exclusive
from wdw_build.errors import DamagedOutputError

# Values are published after this many seconds or values, whichever comes first.
_PUBLISH_SECONDS, _PUBLISH_VALUES = 10.0, 512
# After a look-up without success, the folder is listed again if this many seconds have passed.
_LIST_SECONDS = 5.0
# With more segments than this, a process that publishes also merges the segments of the others.
_MANY = 128
# Segments merged at a time, each of which is an open file.
_MERGED_AT_ONCE = 256
# A list of a folder on NFS may be a few seconds old.
_TRIES, _WAIT_SECONDS = 5, 0.5
# Unfinished files of killed processes are deleted after a day.
_LEFT_SECONDS = 86_400.0
_GONE = {errno.ENOENT, errno.ESTALE}


class Segments:
    """The values of a folder, by key. A damaged segment or value gives a warning, and counts as absent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._segments: dict[str, Segment] = {}
        self._own: set[str] = set()
        self._unreadable: set[str] = set()
        self._pending: dict[bytes, bytes] = {}
        self._listed = -_LIST_SECONDS
        self._published = time.monotonic()

    def find(self, name: str) -> bytes | None:
        """The value of a key, or None."""
        key = key_of(name)
        if key in self._pending:
            return self._pending[key]
        value = self._find(key)
        if value is None and time.monotonic() - self._listed >= _LIST_SECONDS:
            self._list()
            value = self._find(key)
        return value

    def _find(self, key: bytes) -> bytes | None:
        hashes = key_hashes(key)
        for seconds in (0.0, *[_WAIT_SECONDS] * _TRIES):
            gone: list[Path] = []
            value = self._find_listed(key, [one for one in self._segments.values() if one.may_hold(hashes)], gone)
            if value is not None or not gone:
                return value
            # Another process merged the segment. The merged segment is listed at once on this host, later over NFS.
            time.sleep(seconds)
            self._list()
        return None

    def _find_listed(self, key: bytes, segments: Iterable[Segment], gone: list[Path]) -> bytes | None:
        """The value of a key in these segments, or None; adds the segments that are gone to ``gone``."""
        for segment in segments:
            try:
                if (value := segment.find(key)) is not None:
                    return value
            except DamagedOutputError as error:
                _warn(error.message)
            except OSError as error:
                if error.errno not in _GONE:
                    raise
                gone.append(segment.path)
        return None

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
        while names != (names := sorted(path.name for path in self._folder.glob("*.segment"))):
            pass
        return names

    def _open(self, name: str) -> bool:
        """Open a segment, unless it is unreadable; false if it is gone."""
        try:
            self._segments[name] = Segment(self._folder / name)
        except DamagedOutputError as error:
            self._unreadable.add(name)
            _warn(error.message)
        except OSError as error:
            if error.errno not in _GONE:
                raise
            return False
        return True

    def add(self, values: Iterable[tuple[str, bytes]]) -> None:
        """Add values, which are JSON without line breaks. They are published now if the last time was ten seconds ago."""
        self._pending.update((key_of(name), value) for name, value in values)
        if len(self._pending) >= _PUBLISH_VALUES or time.monotonic() - self._published >= _PUBLISH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Publish what was added."""
        self._published = time.monotonic()
        if not self._pending:
            return
        self._own.add(self._publish(sorted(self._pending.items())))
        self._pending = {}
        due = due_for_merging([self._segments[name] for name in self._own if name in self._segments])
        if len(due) > 1 and (merged := self._merge(due)):
            self._own.add(merged)
        if len(self._segments) > _MANY:
            self.compact()

    def load(self, values: Iterable[tuple[str, bytes]]) -> None:
        """Publish values that are sorted by key as one segment. Memory does not grow with their number."""
        self._publish(((key_of(name), value) for name, value in values))

    def _publish(self, entries: Iterable[tuple[bytes, bytes]]) -> str:
        """Write sorted entries into a new segment; returns its name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(6)}.segment"
        unfinished = self._folder / f".{name}.tmp"
        try:
            write_segment(unfinished, entries)
            unfinished.rename(self._folder / name)
        finally:
            unfinished.unlink(missing_ok=True)
        if not self._open(name):
            self._list()
        return name

    def _merge(self, segments: Sequence[Segment]) -> str:
        """Merge segments into one and delete them; returns its name, or "" if another process merges one of them."""
        damaged: list[Path] = []
        entries = heapq.merge(*(_intact(one, damaged) for one in segments), key=operator.itemgetter(0))
        try:
            merged = self._publish(_without_repeats(entries))
        except OSError as error:
            if error.errno not in _GONE:
                raise
            self._list()
            return ""
        for path in damaged:
            _warn(f"{path}: an entry is damaged")
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
            while len(due := due_for_merging([*self._segments.values()])[:_MERGED_AT_ONCE]) > 1 and self._merge(due):
                pass
            self._delete_unfinished()

    def _delete_unfinished(self) -> None:
        for path in self._folder.glob(".*.segment.tmp"):
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


def _intact(segment: Segment, damaged: list[Path]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the entries of a segment, and add its path to ``damaged`` for each entry that cannot be read."""
    for entry in segment.entries():
        if entry is None:
            damaged.append(segment.path)
        else:
            yield entry


def _without_repeats(entries: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    previous = b""
    for key, value in entries:
        if key != previous:
            yield key, value
        previous = key


def _warn(what: str) -> None:
    warnings.warn(f"{what}; what it held is made again", RuntimeWarning, stacklevel=2)
