"""Merges the shards of ``run`` into the parts of a stage's output. Each part is a task, so several workers merge.

The parts do not depend on the shards: a part has the same number of records however the input was cut.
"""

from __future__ import annotations

import itertools
import shutil
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from wdw_build.core.hashing import file_sha256
from wdw_build.core.stage import RUN
from wdw_build.core.store import jsonl
from wdw_build.core.store import output as store
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.key_index import RECORD_KEYS, id_of
from wdw_build.core.store.manifest import Manifest, PartInfo
from wdw_build.core.store.shared_files import wait_for
from wdw_build.core.tasks.shards import Shard
from wdw_build.core.tasks.stage_tasks import (
    IDS,
    PLACES,
    RECORDS,
    REJECTIONS,
    TASKS,
    finished_folder,
    results_in,
    step_folder,
)
from wdw_build.errors import DamagedOutputError
from wdw_build.records import Rejection

_PARTS, _REJECTIONS, _KEYS, _DUPLICATES = ".parts", ".rejected", ".keys", ".duplicates"
# The names of the shards that are merged.
_MERGED = ".merged"
# Exists while files are moved out of the folders of tasks.
_MOVING = ".moving"


class _Move(msgspec.Struct):
    """Files to move into place: those of ``folders`` in the staging folder. ``manifest``: of the finished output."""

    folders: list[str]
    manifest: Manifest


@dataclass(frozen=True)
class DuplicatesTask:
    """Finds the records whose id an earlier record has, by shard: the earlier record in the order of the shards is kept.

    The ids' hashes are compared in memory (8 bytes a record), and then the ids with equal hashes. The folder has a file for
    each shard with duplicates: the numbers of these records.
    """

    staging: Path
    shards: tuple[str, ...]

    result_type = dict[str, int]

    @property
    def folder(self) -> Path:
        """See ``Task.folder``."""
        return step_folder(self.staging, _DUPLICATES)

    def work(self, folder: Path) -> dict[str, int]:
        """Shard -> number of its duplicates; shards without any are left out."""
        # NumPy is slow to import, and commands that run no stage must answer at once.
        import numpy as np

        hashes = [np.fromfile(_run(self.staging, shard) / IDS, dtype=np.uint64) for shard in self.shards]
        every = np.concatenate([np.zeros(0, dtype=np.uint64), *hashes])
        values, counts = np.unique(every, return_counts=True)
        repeated = np.isin(every, values[counts > 1])
        ends = np.cumsum([len(part) for part in hashes])
        seen: set[str] = set()
        by_shard: dict[str, int] = {}
        for shard, part in zip(self.shards, np.split(repeated, ends[:-1]) if len(ends) else (), strict=True):
            numbers, dropped = part.nonzero()[0].tolist(), array("Q")
            for number, record_id in zip(numbers, self._ids(shard, numbers), strict=True):
                if record_id in seen:
                    dropped.append(number)
                seen.add(record_id)
            if dropped:
                (folder / shard).write_bytes(dropped.tobytes())
                by_shard[shard] = len(dropped)
        return by_shard

    def _ids(self, shard: str, numbers: Sequence[int]) -> Iterator[str]:
        """The ids of some records of a shard."""
        wanted = frozenset(numbers)
        if not wanted:
            return
        with (_run(self.staging, shard) / RECORDS).open("rb") as lines:
            yield from (id_of(line) for number, line in enumerate(lines) if number in wanted)


@dataclass(frozen=True)
class ShardSlice:
    """``count`` records of a shard after the first ``skip`` ones. Duplicates do not count."""

    shard: str
    skip: int
    count: int


@dataclass(frozen=True)
class PartTask:
    """Writes one part and its rows for the index. ``duplicates``: the folder of ``DuplicatesTask``, if the ids may repeat."""

    staging: Path
    number: int
    slices: tuple[ShardSlice, ...]
    duplicates: Path | None = None

    result_type = PartInfo

    @property
    def folder(self) -> Path:
        """See ``Task.folder``."""
        return step_folder(self.staging, _PARTS) / f"{self.number:05d}"

    def work(self, folder: Path) -> PartInfo:
        """Write the part; the result describes it. Raises ``DamagedOutputError`` if a shard has lost records."""
        return store.write_part(folder, self.number, self._lines())

    def _lines(self) -> Iterator[bytes]:
        for piece in self.slices:
            dropped = _dropped(self.duplicates, piece.shard)
            path, missing = _run(self.staging, piece.shard) / RECORDS, piece.count
            with path.open("rb") as stream:
                kept = (line for number, line in enumerate(stream) if number not in dropped)
                for line in itertools.islice(kept, piece.skip, piece.skip + piece.count):
                    if not line.endswith(b"\n"):
                        raise _lost(self.staging, path)
                    yield line
                    missing -= 1
            if missing:
                raise _lost(self.staging, path)


class RejectionsFile(msgspec.Struct, frozen=True):
    """The rejections of all shards: their number, and the SHA-256 of the file."""

    records: int
    sha256: str


@dataclass(frozen=True)
class RejectionsTask:
    """Joins the rejections of the shards, then those of the duplicates, and writes their index.

    ``duplicates``: as in ``PartTask``. ``reason``: of the rejections of duplicates.
    """

    staging: Path
    shards: tuple[str, ...]
    reason: str
    duplicates: Path | None = None

    result_type = RejectionsFile

    @property
    def folder(self) -> Path:
        """See ``Task.folder``."""
        return step_folder(self.staging, _REJECTIONS)

    def work(self, folder: Path) -> RejectionsFile:
        """Write the rejections; the result describes the file."""
        path = folder / store.REJECTIONS
        with path.open("wb") as stream:
            for shard in self.shards:
                with (_run(self.staging, shard) / REJECTIONS).open("rb") as rejections:
                    while chunk := rejections.read(1 << 20):
                        stream.write(chunk)
            for shard in self.shards:
                stream.writelines(self._duplicates(shard))
        return RejectionsFile(records=store.write_rejection_keys(folder), sha256=file_sha256(path))

    def _duplicates(self, shard: str) -> Iterator[bytes]:
        dropped = _dropped(self.duplicates, shard)
        if not dropped:
            return
        folder = _run(self.staging, shard)
        places = msgspec.json.decode((folder / PLACES).read_bytes(), type=list[str])
        with (folder / RECORDS).open("rb") as stream:
            for number, line in enumerate(stream):
                if number in dropped:
                    yield jsonl.encode(Rejection(id=id_of(line), reason=self.reason, detail=places[number]))


@dataclass(frozen=True)
class KeysTask:
    """Writes the index of all records from the rows of the parts."""

    staging: Path
    parts: tuple[str, ...]

    result_type = int

    @property
    def folder(self) -> Path:
        """See ``Task.folder``."""
        return step_folder(self.staging, _KEYS)

    def work(self, folder: Path) -> int:
        """Write the index; the result is its size in bytes. The files with the rows are deleted with the staging folder."""
        rows = [_part(self.staging, number) / store.part_keys(part) for number, part in enumerate(self.parts)]
        store.write_record_keys(folder / RECORD_KEYS, rows)
        return (folder / RECORD_KEYS).stat().st_size


def _lost(staging: Path, path: Path) -> DamagedOutputError:
    """The error for a finished shard whose records are not all there."""
    return DamagedOutputError(
        f"{path}: the shard has lost records since it was finished",
        hint=f"delete {staging}, and run the same command again: the stage begins anew",
    )


def _run(staging: Path, shard: str) -> Path:
    """The folder of a finished shard of ``run``."""
    return finished_folder(staging, RUN, shard)


def _part(staging: Path, number: int) -> Path:
    """The folder of a finished part."""
    return finished_folder(staging, _PARTS, f"{number:05d}")


def _dropped(duplicates: Path | None, shard: str) -> frozenset[int]:
    """The numbers of a shard's records that are duplicates."""
    numbers = array("Q")
    if duplicates is not None:
        wait_for(duplicates)
        if (duplicates / shard).exists():
            numbers.frombytes((duplicates / shard).read_bytes())
    return frozenset(numbers)


def part_tasks(
    staging: Path,
    shards: Sequence[Shard],
    written: Mapping[str, int],
    dropped: Mapping[str, int],
    duplicates: Path | None = None,
) -> list[PartTask]:
    """The tasks that write the parts of ``store.PART_RECORDS`` records; at least one.

    ``written``: the number of records of each shard; ``dropped``: the number of duplicates among them.
    """
    parts: list[list[ShardSlice]] = [[]]
    free = store.PART_RECORDS
    for shard in shards:
        left, skip = written[shard.name] - dropped.get(shard.name, 0), 0
        while left:
            if not free:
                parts.append([])
                free = store.PART_RECORDS
            count = min(left, free)
            parts[-1].append(ShardSlice(shard.name, skip, count))
            left, skip, free = left - count, skip + count, free - count
    return [PartTask(staging, number, tuple(slices), duplicates) for number, slices in enumerate(parts)]


def prepare(staging: Path) -> None:
    """Make the staging folder, with the finished tasks of a stopped run. Files of other origin are deleted."""
    marker = staging / TASKS / _MOVING
    if not marker.exists():
        for path in staging.glob("[!.]*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (staging / TASKS).mkdir(parents=True, exist_ok=True)


def begin_merge(staging: Path, shards: tuple[str, ...]) -> None:
    """Delete what was merged from other shards: a run may resume with shards of another size."""
    path, names = staging / TASKS / _MERGED, msgspec.json.encode(shards)
    if path.exists() and path.read_bytes() != names:
        for folder in (_DUPLICATES, _PARTS, _REJECTIONS, _KEYS):
            shutil.rmtree(step_folder(staging, folder), ignore_errors=True)
    replace_file(path, names)


def move_into_place(staging: Path, manifest: Manifest, steps: Sequence[str]) -> None:
    """Move the merged files, and the files of the only task of each of these steps, into the staging folder."""
    folders = [_part(staging, number) for number in range(len(manifest.parts))]
    folders += [step_folder(staging, _REJECTIONS), step_folder(staging, _KEYS)]
    folders += [path for step in steps for path in results_in(staging)(step)]
    move = _Move([folder.relative_to(staging).as_posix() for folder in folders], manifest)
    replace_file(staging / TASKS / _MOVING, msgspec.json.encode(move))
    finish_moving(staging)


def finish_moving(staging: Path) -> Manifest | None:
    """Move what is left to move, also after a stop; returns the manifest. None if nothing is to be moved yet."""
    marker = staging / TASKS / _MOVING
    if not marker.exists():
        return None
    move = msgspec.json.decode(marker.read_bytes(), type=_Move)
    for name in move.folders:
        wait_for(staging / name)
        move_files(staging / name, staging)
    return move.manifest


def move_files(folder: Path, destination: Path) -> None:
    """Move the files of a task, except hidden ones and the rows of single parts, which are in the index already."""
    for path in folder.glob("[!.]*"):
        is_key_file_of_part = path.name.startswith("part-") and path.suffix == ".keys"
        if not is_key_file_of_part:
            path.rename(destination / path.name)
