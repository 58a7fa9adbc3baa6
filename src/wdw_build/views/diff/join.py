"""One id after the other, with what each stage of both runs made of it: a merge of sorted keys, nothing else in memory.

Records and rejections have sorted key files in the store.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from wdw_build.core.store import rejection_index as rejected
from wdw_build.core.store.key_index import KEYS, KeyFile, PartFile, damaged, shown
from wdw_build.core.store.output import Output


@dataclass(frozen=True)
class Place:
    """Where an id's line stands, and whether it is a record or a rejection."""

    path: Path
    offset: int
    length: int
    written: bool


class Lines:
    """Stored lines by their place. Read, not mapped: every line of a part is asked for once, and none is to be kept."""

    def __init__(self) -> None:
        self._files: dict[Path, PartFile] = {}

    def read(self, key: bytes, place: Place) -> bytes:
        """The line, its newline included. Raises ``DamagedOutputError`` if it is not the line of that key."""
        if place.path not in self._files:
            self._files[place.path] = PartFile(place.path)
        return self._files[place.path].line(key, place.offset, place.length)

    def close(self) -> None:
        """Close the files that were opened."""
        self._files.clear()


# (key, stage, side, place): sorted by key alone.
_Entry = tuple[bytes, str, int, Place]


def _records(output: Output, stage: str, side: int) -> Iterator[_Entry]:
    paths = [output.folder / part.name for part in output.manifest.parts]
    keys = KeyFile(output.folder / KEYS)
    keys.lines.check_count(output.manifest.written)
    for key, (part, offset, length) in keys:
        if part >= len(paths):
            raise damaged(keys.lines.path, f"it names part {part} of {len(paths)} for {shown(key)}")
        yield key, stage, side, Place(paths[part], offset, length, written=True)


def _rejections(output: Output, stage: str, side: int) -> Iterator[_Entry]:
    path = output.folder / rejected.REJECTIONS
    for key, offset, length in rejected.places(output.folder):
        yield key, stage, side, Place(path, offset, length, written=False)


Sides = list[Place | None]


def join(old: Mapping[str, Output], new: Mapping[str, Output]) -> Iterator[tuple[bytes, dict[str, Sides]]]:
    """Every id (as its key) with [place in ``old``, place in ``new``] by stage, in the order of the keys.

    Raises ``UsageError`` if a stage has no key file of its rejections, ``DamagedOutputError`` if a key file was changed.
    """
    streams = [
        read(output, stage, side)
        for side, outputs in enumerate((old, new))
        for stage, output in outputs.items()
        for read in (_records, _rejections)
    ]
    for key, entries in itertools.groupby(heapq.merge(*streams, key=itemgetter(0)), key=itemgetter(0)):
        found: dict[str, Sides] = {}
        for _, stage, side, place in entries:
            sides = found.setdefault(stage, [None, None])
            known = sides[side]
            # An id stands twice only in ingest, as a record and as its later duplicates: the record counts, else the first.
            if known is None or (place.written, -place.offset) > (known.written, -known.offset):
                sides[side] = place
        yield key, found
