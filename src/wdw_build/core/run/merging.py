"""Merges the shards of ``run`` into the parts of a stage's output. Each part is a task, so several workers merge.

The parts do not depend on the shards: a part has the same number of records however the input was cut.
"""

from __future__ import annotations

import itertools
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from wdw_build.core.hashing import file_sha256
from wdw_build.core.run.shards import Shard
from wdw_build.core.run.stage_tasks import IDS, PLACES, RECORDS, REJECTIONS, TASKS, step_folder
from wdw_build.core.stage import RUN
from wdw_build.core.store import jsonl, rejection_index
from wdw_build.core.store import output as store
from wdw_build.core.store.key_index import KEYS, id_of, merge_keys
from wdw_build.core.store.manifest import PartInfo
from wdw_build.records import Rejection

_PARTS, _REJECTIONS, _KEYS, _DUPLICATES = ".parts", ".rejected", ".keys", ".duplicates"
# Exists while files are moved out of the folders of tasks.
_MOVING = ".moving"
# Shard -> numbers of the records that are left out.
Drops = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class DuplicatesTask:
    """Finds the records whose id an earlier record has, by shard: the earlier record in the order of the shards is kept.

    The ids' hashes are compared in memory (8 bytes a record), and then the ids with equal hashes.
    """

    staging: Path
    shards: tuple[str, ...]

    result_type = dict[str, list[int]]

    @property
    def folder(self) -> Path:
        """See ``Task.folder``."""
        return step_folder(self.staging, _DUPLICATES)

    def work(self, folder: Path) -> dict[str, list[int]]:
        """Shard -> numbers of its records that are duplicates; shards without any are left out."""
        # NumPy is slow to import, and commands that run no stage must answer at once.
        import numpy as np

        hashes = [np.fromfile(step_folder(self.staging, RUN) / shard / IDS, dtype=np.uint64) for shard in self.shards]
        every = np.concatenate([np.zeros(0, dtype=np.uint64), *hashes])
        values, counts = np.unique(every, return_counts=True)
        repeated = np.isin(every, values[counts > 1])
        ends = np.cumsum([len(part) for part in hashes])
        seen: set[str] = set()
        drops: defaultdict[str, list[int]] = defaultdict(list)
        for shard, part in zip(self.shards, np.split(repeated, ends[:-1]) if len(ends) else (), strict=True):
            numbers = part.nonzero()[0].tolist()
            for number, record_id in zip(numbers, self._ids(shard, numbers), strict=True):
                if record_id in seen:
                    drops[shard].append(number)
                seen.add(record_id)
        return dict(drops)

    def _ids(self, shard: str, numbers: Sequence[int]) -> Iterator[str]:
        """The ids of some records of a shard."""
        wanted = frozenset(numbers)
        if not wanted:
            return
        with (step_folder(self.staging, RUN) / shard / RECORDS).open("rb") as lines:
            yield from (id_of(line) for number, line in enumerate(lines) if number in wanted)


@dataclass(frozen=True)
class ShardSlice:
    """``count`` records of a shard after the first ``skip`` ones. ``dropped`` are the numbers of records that do not count."""

    shard: str
    skip: int
    count: int
    dropped: tuple[int, ...]


@dataclass(frozen=True)
class PartTask:
    """Writes one part and its sorted key file."""

    staging: Path
    number: int
    slices: tuple[ShardSlice, ...]

    result_type = PartInfo

    @property
    def folder(self) -> Path:
        """See ``Task.folder``."""
        return step_folder(self.staging, _PARTS) / f"{self.number:05d}"

    def work(self, folder: Path) -> PartInfo:
        """Write the part; the result describes it."""
        return store.write_part(folder, self.number, self._lines())

    def _lines(self) -> Iterator[bytes]:
        for piece in self.slices:
            dropped = frozenset(piece.dropped)
            with (step_folder(self.staging, RUN) / piece.shard / RECORDS).open("rb") as stream:
                kept = (line for number, line in enumerate(stream) if number not in dropped)
                yield from itertools.islice(kept, piece.skip, piece.skip + piece.count)


@dataclass(frozen=True)
class RejectionsTask:
    """Joins the rejections of the shards, then those of the duplicates, and writes their key file."""

    staging: Path
    shards: tuple[str, ...]
    drops: Drops
    reason: str

    result_type = str

    @property
    def folder(self) -> Path:
        """See ``Task.folder``."""
        return step_folder(self.staging, _REJECTIONS)

    def work(self, folder: Path) -> str:
        """Write the rejections; the result is the SHA-256 of the file."""
        path = folder / rejection_index.REJECTIONS
        with path.open("wb") as stream:
            for shard in self.shards:
                with (step_folder(self.staging, RUN) / shard / REJECTIONS).open("rb") as rejections:
                    while chunk := rejections.read(1 << 20):
                        stream.write(chunk)
            for shard in self.shards:
                stream.writelines(self._duplicates(shard))
        rejection_index.write_keys(folder)
        return file_sha256(path)

    def _duplicates(self, shard: str) -> Iterator[bytes]:
        dropped = frozenset(self.drops.get(shard, ()))
        if not dropped:
            return
        folder = step_folder(self.staging, RUN) / shard
        places = msgspec.json.decode((folder / PLACES).read_bytes(), type=list[str])
        with (folder / RECORDS).open("rb") as stream:
            for number, line in enumerate(stream):
                if number in dropped:
                    yield jsonl.encode(Rejection(id=id_of(line), reason=self.reason, detail=places[number]))


@dataclass(frozen=True)
class KeysTask:
    """Merges the key files of all parts."""

    staging: Path
    parts: tuple[str, ...]

    result_type = int

    @property
    def folder(self) -> Path:
        """See ``Task.folder``."""
        return step_folder(self.staging, _KEYS)

    def work(self, folder: Path) -> int:
        """Write the key file; the result is its size in bytes. The files of the parts are deleted with the staging folder."""
        parts = step_folder(self.staging, _PARTS)
        sources = [parts / f"{number:05d}" / store.part_keys(part) for number, part in enumerate(self.parts)]
        merge_keys(folder / KEYS, sources)
        return (folder / KEYS).stat().st_size


def part_tasks(staging: Path, shards: Sequence[Shard], written: Mapping[str, int], drops: Drops) -> list[PartTask]:
    """The tasks that write the parts of ``store.PART_RECORDS`` records; at least one. ``written``: records of each shard."""
    parts: list[list[ShardSlice]] = [[]]
    free = store.PART_RECORDS
    for shard in shards:
        dropped = tuple(drops.get(shard.name, ()))
        left, skip = written[shard.name] - len(dropped), 0
        while left:
            if not free:
                parts.append([])
                free = store.PART_RECORDS
            count = min(left, free)
            parts[-1].append(ShardSlice(shard.name, skip, count, dropped))
            left, skip, free = left - count, skip + count, free - count
    return [PartTask(staging, number, tuple(slices)) for number, slices in enumerate(parts)]


def prepare(staging: Path) -> None:
    """Make the staging folder, with the finished tasks of a stopped run. Files of other origin are deleted."""
    marker = staging / TASKS / _MOVING
    if not marker.exists():
        for path in staging.glob("[!.]*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (staging / TASKS).mkdir(parents=True, exist_ok=True)


def move_into_place(staging: Path, parts: int, steps: Sequence[str]) -> None:
    """Move the merged files, and the files of the only task of each of these steps, into the staging folder.

    A run that was stopped here goes on moving.
    """
    (staging / TASKS / _MOVING).touch()
    folders = [step_folder(staging, _PARTS) / f"{number:05d}" for number in range(parts)]
    folders += [step_folder(staging, _REJECTIONS), step_folder(staging, _KEYS)]
    folders += [path for step in steps for path in step_folder(staging, step).glob("[!.]*")]
    for folder in folders:
        move_files(folder, staging)


def move_files(folder: Path, destination: Path) -> None:
    """Move the files of a task, except hidden ones and the key files of single parts, which are merged already."""
    for path in folder.glob("[!.]*"):
        is_key_file_of_part = path.name.startswith("part-") and path.suffix == ".keys"
        if not is_key_file_of_part:
            path.rename(destination / path.name)
