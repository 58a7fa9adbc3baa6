"""The store: a stage's output is a folder that appears by one rename and never changes afterwards.

``store/<stage>/<fingerprint>/`` holds ``part-*.jsonl`` and ``rejections.jsonl``, ``index.sqlite`` (where each id is stored),
``manifest.json`` and ``timing.json``, and the stage's own files (a search index, exports). While a stage runs, its folder is
``.<fingerprint>.staging``, which holds the finished shards; a killed run resumes from them.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import itertools
import os
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from wdw_build.core.hashing import digest, file_sha256
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.key_index import INDEX, IndexWriter, KeyIndex, RecordLocation, id_of
from wdw_build.core.store.manifest import REJECTIONS, Ingredients, Manifest, PartInfo, StoredFile, read_manifest
from wdw_build.errors import DamagedOutputError, UsageError
from wdw_build.records import Record, Rejection

PART_RECORDS = 102_400


@functools.cache
def _sha256(path: Path, size: int, modified: int) -> str:
    return file_sha256(path)


def _sha256_once(path: Path) -> str:
    """The SHA-256 of a file, which a process computes once unless the file changes."""
    stat = path.stat()
    return _sha256(path, stat.st_size, stat.st_mtime_ns)


@dataclass(frozen=True)
class Output:
    """A committed stage output: its folder and the type of its records.

    A process that opens a file compares it with its SHA-256 once: every method raises ``DamagedOutputError`` for a file that is
    missing or is not as it was written.
    """

    folder: Path
    kind: type[Record]

    def __reduce__(self) -> tuple[object, ...]:
        # Cached objects (open files) stay in their process.
        return Output, (self.folder, self.kind)

    @functools.cached_property
    def manifest(self) -> Manifest:
        """The folder's manifest. Raises ``UsageError`` if the stage has not been run."""
        manifest = read_manifest(self.folder)
        if manifest is None:
            raise UsageError(f"no stage output in {self.folder}", hint="run the stage first: wdw-build run STAGE")
        return manifest

    def checked(self, name: str) -> Path:
        """The path of a file of the output, once its content is checked."""
        path = self.folder / name
        if fault := self.manifest.all_files[name].damage(path, _sha256_once):
            raise DamagedOutputError(
                f"{path} {fault}",
                hint="the file was changed or truncated; make it again: "
                f"wdw-build run {self.manifest.ingredients.stage} --force -c FILE",
            )
        return path

    @functools.cached_property
    def index(self) -> KeyIndex:
        """The index of the records and rejections."""
        return KeyIndex(self.checked(INDEX))

    def records(self) -> Iterator[Record]:
        """Every record, in order."""
        return self.records_from(0, self.manifest.written)

    def records_from(self, first: int, count: int) -> Iterator[Record]:
        """``count`` records from number ``first``, in order."""
        start = self.index.record_number(first)
        if start is None:
            return
        left, offset = count, start.offset
        for part in self.manifest.parts[start.part :]:
            with self.checked(part.name).open("rb") as stream:
                stream.seek(offset)
                for line in itertools.islice(stream, left):
                    yield jsonl.decode(line, self.kind, f"{self.folder / part.name}, record {first + count - left}")
                    left -= 1
            offset = 0
            if not left:
                return

    def rejections(self) -> Iterator[Rejection]:
        """Every rejection, in order."""
        return jsonl.read(self.checked(REJECTIONS), Rejection)

    @property
    def own_files(self) -> tuple[str, ...]:
        """The paths of the files that the stage wrote itself, relative to the folder."""
        return tuple(name for name in self.manifest.files if name != INDEX)

    @functools.cached_property
    def _open(self) -> dict[str, int]:
        return {}

    def _line(self, name: str, place: RecordLocation) -> bytes:
        if name not in self._open:
            self._open[name] = os.open(self.checked(name), os.O_RDONLY | os.O_CLOEXEC)
            weakref.finalize(self, os.close, self._open[name])
        return os.pread(self._open[name], place.length, place.offset)

    def find(self, record_id: str) -> Record | None:
        """The record with this id, or None."""
        place = self.index.record(record_id)
        if place is None:
            return None
        line = self._line(self.manifest.parts[place.part].name, place)
        return jsonl.decode(line, self.kind, f"{self.folder}, record {record_id}")

    def rejections_of(self, record_id: str) -> list[Rejection]:
        """The rejections of an id, in order; several if an article that is filed twice is rejected twice."""
        lines = (self._line(REJECTIONS, place) for place in self.index.rejections(record_id))
        return [jsonl.decode(line, Rejection, str(self.folder / REJECTIONS)) for line in lines]


class _Lines:
    """A file of lines that is being written: its name, lines, bytes and SHA-256."""

    def __init__(self, path: Path) -> None:
        self.name, self.lines, self.bytes = path.name, 0, 0
        self._stream: BinaryIO = path.open("wb")
        self._sha256 = hashlib.sha256()

    def add(self, line: bytes) -> None:
        self._stream.write(line)
        self._sha256.update(line)
        self.lines += 1
        self.bytes += len(line)

    def close(self) -> str:
        self._stream.close()
        return self._sha256.hexdigest()


class OutputWriter:
    """Writes the records and rejections of an output, with their index, into a folder. ``finish`` writes the manifest."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = IndexWriter(folder / INDEX)
        self._parts: list[PartInfo] = []
        self._part = _Lines(folder / "part-00000.jsonl")
        self._rejections = _Lines(folder / REJECTIONS)

    def add(self, line: bytes) -> bool:
        """Add an encoded record; false, and nothing is added, if a record has its id already."""
        if self._part.lines == PART_RECORDS:
            self._close_part()
            self._part = _Lines(self._folder / f"part-{len(self._parts):05d}.jsonl")
        place = RecordLocation(len(self._parts), self._part.bytes, len(line))
        if not self._index.add_record(id_of(line), place):
            return False
        self._part.add(line)
        return True

    def reject(self, line: bytes) -> None:
        """Add an encoded rejection."""
        self._index.add_rejection(id_of(line), RecordLocation(0, self._rejections.bytes, len(line)))
        self._rejections.add(line)

    def _close_part(self) -> None:
        part = self._part
        self._parts.append(PartInfo(name=part.name, records=part.lines, bytes=part.bytes, sha256=part.close()))

    @property
    def counts(self) -> tuple[int, int]:
        """The numbers of records and of rejections so far."""
        return sum(part.records for part in self._parts) + self._part.lines, self._rejections.lines

    def finish(
        self,
        ingredients: Ingredients,
        reasons: dict[str, int],
        *,
        devices: tuple[str, ...] = (),
        has_own_files: bool = False,
    ) -> Manifest:
        """Close the files and write the manifest, which lists all files in the folder."""
        written, rejected = self.counts
        self._close_part()
        self._index.close()
        rejections_sha256 = self._rejections.close()
        listed = {REJECTIONS, *(part.name for part in self._parts), "timing.json", "manifest.json"}
        others = {path.relative_to(self._folder).as_posix(): path for path in sorted(self._folder.rglob("*"))}
        hashes = [part.sha256 for part in self._parts]
        manifest = Manifest(
            fingerprint=ingredients.fingerprint,
            ingredients=ingredients,
            read=written + rejected,
            written=written,
            rejected=rejected,
            reasons=dict(sorted(reasons.items())),
            parts=tuple(self._parts),
            rejections_bytes=self._rejections.bytes,
            rejections_sha256=rejections_sha256,
            files={
                name: StoredFile(bytes=path.stat().st_size, sha256=file_sha256(path))
                for name, path in others.items()
                if name not in listed and path.is_file()
            },
            # Two builds of a search index differ in their bytes; the fingerprint identifies the content of own files.
            content_hash=digest([*hashes, ingredients.fingerprint if has_own_files else ""]),
            devices=devices,
        )
        replace_file(self._folder / "manifest.json", jsonl.document(manifest))
        return manifest


def staging_folder(root: Path, stage: str, fingerprint: str) -> Path:
    """The folder of an output while its stage runs."""
    return root / "store" / stage / f".{fingerprint}.staging"


def final_folder(root: Path, stage: str, fingerprint: str) -> Path:
    """The folder of a finished output."""
    return root / "store" / stage / fingerprint


def lock_of(root: Path, stage: str, fingerprint: str) -> Path:
    """The file that a process locks while it makes an output."""
    return root / "store" / stage / f".{fingerprint}.lock"


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[bool]:
    """Hold the lock of a file; false if another process, also of another host on most network file systems, holds it."""
    with path.open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@contextlib.contextmanager
def locked(root: Path, stage: str, fingerprint: str) -> Iterator[None]:
    """Hold the lock of one output. Raises ``UsageError`` if another process holds it."""
    path = lock_of(root, stage, fingerprint)
    path.parent.mkdir(parents=True, exist_ok=True)
    with exclusive(path) as is_alone:
        if not is_alone:
            raise UsageError(
                f"another wdw-build process is running stage {stage} on this store",
                hint="wait until it ends, or stop it",
            )
        yield


def link(path: Path, final: Path) -> Path:
    """Point a path, such as ``runs/<run>/<stage>``, at a committed folder, by one rename; returns the path.

    Raises ``UsageError`` if something else than a link is in its place, unless it is a copy of the output.
    """
    if path.exists() and not path.is_symlink():
        copied, committed = read_manifest(path), read_manifest(final)
        if copied is not None and committed is not None and copied.fingerprint == committed.fingerprint:
            return path
        raise UsageError(f"{path} is not a link to an output", hint="move or delete it, and run the same command again")
    target = os.path.relpath(final, path.parent)
    if path.is_symlink() and path.readlink() == Path(target):
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    # Another process that builds the same run at this moment makes the same link.
    with contextlib.suppress(FileExistsError, FileNotFoundError):
        new.symlink_to(target)
        new.replace(path)
    return path
