"""The key files of an output as one sorted stream: where the records and rejections of every id are stored."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from wdw_build.core.store import rejection_index as rejected
from wdw_build.core.store.key_index import KEYS, KeyFile, PartFile, damaged, shown
from wdw_build.core.store.output import Output


class Entry(NamedTuple):
    """The place of one stored line, and whether the line is a record (``written``) or a rejection."""

    path: Path
    offset: int
    length: int
    written: bool

    def counts_before(self, other: Entry) -> bool:
        """Whether this entry, not ``other`` with the same id, is the id's outcome: a record, or the first rejection."""
        return (self.written, -self.offset) > (other.written, -other.offset)


def entries(output: Output) -> Iterator[tuple[bytes, Entry]]:
    """(key, entry) of every record and rejection, sorted by key; nothing is kept in memory.

    Raises ``UsageError`` if the output has no key file of its rejections, ``DamagedOutputError`` if a key file was changed.
    """
    return heapq.merge(_records(output), _rejections(output), key=itemgetter(0))


def _records(output: Output) -> Iterator[tuple[bytes, Entry]]:
    paths = [output.folder / part.name for part in output.manifest.parts]
    keys = KeyFile(output.folder / KEYS)
    keys.lines.check_count(output.manifest.written)
    for key, (part, offset, length) in keys:
        if part >= len(paths):
            raise damaged(keys.lines.path, f"it names part {part} of {len(paths)} for {shown(key)}")
        yield key, Entry(paths[part], offset, length, written=True)


def _rejections(output: Output) -> Iterator[tuple[bytes, Entry]]:
    path = output.folder / rejected.REJECTIONS
    for key, offset, length in rejected.locations(output.folder):
        yield key, Entry(path, offset, length, written=False)


class EntryLines:
    """Reads stored lines by their entries; each file is opened once and closed by ``close``."""

    def __init__(self) -> None:
        self._files: dict[Path, PartFile] = {}

    def read(self, key: bytes, entry: Entry) -> bytes:
        """The line with its newline. Raises ``DamagedOutputError`` if the line at that place has another key."""
        if entry.path not in self._files:
            self._files[entry.path] = PartFile(entry.path)
        return self._files[entry.path].line(key, entry.offset, entry.length)

    def close(self) -> None:
        """Close the files."""
        self._files.clear()
