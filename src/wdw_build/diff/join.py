"""One id after the other, with what each stage of both runs made of it: a merge of sorted keys, nothing else in memory.

Records have key files in the store. Rejections have none: theirs are made for the comparison, in a scratch folder, in
pieces of as many keys as a part has.
"""

from __future__ import annotations

import heapq
import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO

from wdw_build.core.lookup import KEYS, KeyFile, key_of, write_keys
from wdw_build.core.store import PART_RECORDS, Output, id_of

REJECTIONS = "rejections.jsonl"


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
        self._files: dict[Path, BinaryIO] = {}

    def read(self, place: Place) -> bytes:
        """The line, its newline included."""
        if place.path not in self._files:
            self._files[place.path] = place.path.open("rb", buffering=0)
        return os.pread(self._files[place.path].fileno(), place.length, place.offset)

    def close(self) -> None:
        """Close the files that were opened."""
        while self._files:
            self._files.popitem()[1].close()


# (key, stage, side, place): sorted by key alone.
_Entry = tuple[bytes, str, int, Place]


def _stream(keys: KeyFile, stage: str, side: int, paths: Sequence[Path], written: bool) -> Iterator[_Entry]:
    for key, (part, offset, length) in keys:
        yield key, stage, side, Place(paths[part], offset, length, written)


def rejection_keys(path: Path, scratch: Path, size: int = PART_RECORDS) -> Iterator[KeyFile]:
    """Sorted key files of a file of rejections, ``size`` keys each, made in ``scratch``."""
    offset = 0
    with path.open("rb") as stream:
        for number in itertools.count():
            keys = []
            for line in itertools.islice(stream, size):
                keys.append((key_of(id_of(line)), offset, len(line)))
                offset += len(line)
            if not keys:
                return
            write_keys(scratch / f"{number}.keys", 0, keys)
            yield KeyFile(scratch / f"{number}.keys")


def _streams(outputs: Mapping[str, Output], side: int, scratch: Path) -> Iterator[Iterator[_Entry]]:
    for stage, output in outputs.items():
        parts = [output.folder / part.name for part in output.manifest.parts]
        yield _stream(KeyFile(output.folder / KEYS), stage, side, parts, True)
        below = scratch / f"{side}-{stage}"
        below.mkdir(parents=True)
        for keys in rejection_keys(output.folder / REJECTIONS, below):
            yield _stream(keys, stage, side, [output.folder / REJECTIONS], False)


Sides = list[Place | None]


def join(
    old: Mapping[str, Output], new: Mapping[str, Output], scratch: Path
) -> Iterator[tuple[bytes, dict[str, Sides]]]:
    """Every id (as its key) with [place in ``old``, place in ``new``] by stage, in the order of the keys."""
    streams = [*_streams(old, 0, scratch), *_streams(new, 1, scratch)]
    for key, entries in itertools.groupby(heapq.merge(*streams, key=itemgetter(0)), key=itemgetter(0)):
        found: dict[str, Sides] = {}
        for _, stage, side, place in entries:
            sides = found.setdefault(stage, [None, None])
            known = sides[side]
            # An id stands twice only in ingest, as a record and as its later duplicate: the record counts.
            if known is None or (place.written and not known.written):
                sides[side] = place
        yield key, found
