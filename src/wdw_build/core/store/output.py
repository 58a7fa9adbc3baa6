"""The store: a stage's output is a folder that appears by one rename and never changes afterwards.

``store/<stage>/<fingerprint>/`` holds ``part-*.jsonl``, ``records.keys`` (where each id is stored), ``rejections.jsonl``,
``manifest.json`` and ``timing.json``, and the stage's own files (an index, exports). While a stage runs, its folder is
``.<fingerprint>.staging``, which holds the finished shards; a killed run resumes from them.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from wdw_build.core.hashing import digest, file_sha256
from wdw_build.core.store import jsonl, rejection_index
from wdw_build.core.store.key_index import (
    KEYS,
    KeyFile,
    PartFile,
    RecordLocation,
    damaged,
    id_of,
    key_of,
    merge_keys,
    shown,
    write_keys,
)
from wdw_build.core.store.manifest import Ingredients, Manifest, PartInfo, read_manifest
from wdw_build.core.store.manifest import write as write_manifest
from wdw_build.errors import UsageError
from wdw_build.records import Record, Rejection

# Shards begin at marks, so this divides the block size of every stage.
MARK_EVERY = 64
PART_RECORDS = MARK_EVERY * 1600


@dataclass(frozen=True)
class Output:
    """A committed stage output: its folder and the type of its records."""

    folder: Path
    kind: type[Record]

    def __reduce__(self) -> tuple[object, ...]:
        # Cached objects (mapped key files) stay in their process.
        return Output, (self.folder, self.kind)

    @functools.cached_property
    def manifest(self) -> Manifest:
        """The folder's manifest. Raises ``UsageError`` if the stage has not been run."""
        manifest = read_manifest(self.folder)
        if manifest is None:
            raise UsageError(f"no stage output in {self.folder}", hint="run the stage first: wdw-build run STAGE")
        return manifest

    def records(self) -> Iterator[Record]:
        """Every record, in order."""
        for part in self.manifest.parts:
            yield from jsonl.read(self.folder / part.name, self.kind)

    def rejections(self) -> Iterator[Rejection]:
        """Every rejection, in order."""
        yield from jsonl.read(self.folder / "rejections.jsonl", Rejection)

    @functools.cached_property
    def _keys(self) -> KeyFile:
        return KeyFile(self.folder / KEYS)

    @functools.cached_property
    def _parts(self) -> list[PartFile]:
        return [PartFile(self.folder / part.name) for part in self.manifest.parts]

    def find(self, record_id: str) -> Record | None:
        """The record with this id, or None. Reads one line of the part. Raises as ``find_line`` does."""
        line = self.find_line(record_id)
        return None if line is None else jsonl.decode(line, self.kind, f"{self.folder}, record {record_id}")

    def find_line(self, record_id: str) -> bytes | None:
        """The stored line of the record with this id, or None.

        Raises ``UsageError`` if there is no key file, ``DamagedOutputError`` if key file or record is damaged.
        """
        lookup = self._keys.find(record_id)
        if lookup.location is not None:
            return self._line(key_of(record_id), lookup.location)
        for neighbour in filter(None, (lookup.before, lookup.after)):
            self._line(neighbour.key, RecordLocation(*neighbour.numbers))
        if lookup.after is None:
            self._keys.lines.check_count(self.manifest.written)
        return None

    def _line(self, key: bytes, location: RecordLocation) -> bytes:
        part, offset, length = location
        if part >= len(self._parts):
            raise damaged(self._keys.lines.path, f"it names part {part} of {len(self._parts)} for {shown(key)}")
        return self._parts[part].line(key, offset, length)


def staging_folder(root: Path, stage: str, fingerprint: str) -> Path:
    """The folder of an output while its stage runs."""
    return root / "store" / stage / f".{fingerprint}.staging"


def final_folder(root: Path, stage: str, fingerprint: str) -> Path:
    """The folder of a finished output."""
    return root / "store" / stage / fingerprint


@contextlib.contextmanager
def locked(root: Path, stage: str, fingerprint: str) -> Iterator[None]:
    """Hold the lock of one output. Raises ``UsageError`` if another process holds it."""
    folder = root / "store" / stage
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f".{fingerprint}.lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(
                f"another wdw-build is running stage {stage} on this store", hint="wait for it, or stop it"
            ) from error
        yield


class PartWriter:
    """Writes records into parts of ``PART_RECORDS`` records, with marks, keys and hashes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: list[PartInfo] = []
        self._lines: Iterator[bytes] = iter(())

    def write(self, lines: Iterable[bytes]) -> tuple[PartInfo, ...]:
        """Write encoded records. At least one part is written, even if it is empty."""
        self._lines = iter(lines)
        first = next(self._lines, None)
        while first is not None or not self._parts:
            first = self._write_part(first)
        merge_keys(self._folder / KEYS, [self._folder / f"{part.name}.keys" for part in self._parts])
        return tuple(self._parts)

    def _write_part(self, line: bytes | None) -> bytes | None:
        """Write a part that begins with ``line``; returns the first line of the next part."""
        number, sha256 = len(self._parts), hashlib.sha256()
        name = f"part-{number:05d}.jsonl"
        offset, count = 0, 0
        marks: list[int] = []
        keys: list[tuple[bytes, int, int]] = []
        with (self._folder / name).open("wb") as stream:
            while line is not None and count < PART_RECORDS:
                if count % MARK_EVERY == 0:
                    marks.append(offset)
                stream.write(line)
                sha256.update(line)
                keys.append((key_of(id_of(line)), offset, len(line)))
                offset, count = offset + len(line), count + 1
                line = next(self._lines, None)
        write_keys(self._folder / f"{name}.keys", number, keys)
        info = PartInfo(name=name, records=count, bytes=offset, sha256=sha256.hexdigest(), marks=tuple(marks))
        self._parts.append(info)
        return line


def write_output(folder: Path, lines: Iterable[bytes], ingredients: Ingredients, devices: tuple[str, ...] = ()) -> None:
    """Write encoded records as an output without rejections: parts, key files and, last, the manifest."""
    parts = PartWriter(folder).write(lines)
    (folder / rejection_index.REJECTIONS).touch()
    rejection_index.write_keys(folder)
    written = sum(part.records for part in parts)
    manifest = Manifest(
        fingerprint=ingredients.fingerprint,
        ingredients=ingredients,
        read=written,
        written=written,
        rejected=0,
        reasons={},
        parts=parts,
        rejections_sha256=file_sha256(folder / rejection_index.REJECTIONS),
        content=digest([part.sha256 for part in parts]),
        devices=devices,
    )
    write_manifest(folder / "manifest.json", manifest)


def commit(staging: Path, final: Path) -> None:
    """Rename a finished staging folder to its final name. An older folder of that name is replaced."""
    old = final.with_name(f".{final.name}.old-{os.getpid()}")
    if final.exists():
        final.rename(old)
    staging.rename(final)
    if old.is_file():
        old.unlink()
    shutil.rmtree(old, ignore_errors=True)


def link(root: Path, run: str, stage: str, final: Path) -> Path:
    """Point ``runs/<run>/<stage>`` at a committed folder, by one rename; returns the link."""
    path = root / "runs" / run / stage
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{stage}.{os.getpid()}")
    new.unlink(missing_ok=True)
    new.symlink_to(os.path.relpath(final, path.parent))
    new.replace(path)
    return path
