"""The store: a stage's output is a folder that appears by one rename and never changes afterwards.

``store/<stage>/<fingerprint>/`` holds ``part-*.jsonl`` and ``rejections.jsonl``, ``records.keys`` and ``rejections.keys``
(where each id is stored), ``manifest.json`` and ``timing.json``, and the stage's own files (an index, exports). While a
stage runs, its folder is ``.<fingerprint>.staging``, which holds the finished shards; a killed run resumes from them.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import hashlib
import itertools
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from wdw_build.core.hashing import digest, file_sha256
from wdw_build.core.store import jsonl
from wdw_build.core.store.file_list import write_file_list
from wdw_build.core.store.key_index import (
    RECORD_KEYS,
    REJECTION_KEYS,
    KeyIndex,
    PartFile,
    RecordLocation,
    damaged,
    id_of,
    key_of,
    shown,
    write_keys,
)
from wdw_build.core.store.manifest import Ingredients, Manifest, PartInfo, read_manifest
from wdw_build.core.store.manifest import write as write_manifest
from wdw_build.core.store.part_slice import MARK_EVERY, check_block, check_size, whole_part
from wdw_build.core.store.shared_files import exclusive
from wdw_build.errors import UsageError
from wdw_build.records import Record, Rejection

# Id, part, offset and length of a record.
_Row = tuple[str, int, int, int]
PART_RECORDS = MARK_EVERY * 1600
_LINK_TRIES = 5
REJECTIONS = "rejections.jsonl"


@dataclass(frozen=True)
class Output:
    """A committed stage output: its folder and the type of its records."""

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

    def records(self) -> Iterator[Record]:
        """Every record, in order. Raises ``DamagedOutputError`` for records that are not as they were written."""
        for part in self.manifest.parts:
            yield from whole_part(self.folder, part).records(self.kind)

    def rejections(self) -> Iterator[Rejection]:
        """Every rejection, in order. Raises ``DamagedOutputError`` at the end if they are not as they were written."""
        path, sha256 = self.folder / REJECTIONS, hashlib.sha256()
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                sha256.update(line)
                yield jsonl.decode(line, Rejection, f"{path}:{number}")
        if sha256.hexdigest() != self.manifest.rejections_sha256:
            raise damaged(path, "the rejections are not those that were written")

    @functools.cached_property
    def keys(self) -> KeyIndex:
        """The index of the records. Raises ``UsageError`` if the file is missing."""
        return KeyIndex(self.folder / RECORD_KEYS)

    @functools.cached_property
    def rejection_keys(self) -> KeyIndex:
        """The index of the rejections. Raises ``UsageError`` if the file is missing."""
        return KeyIndex(self.folder / REJECTION_KEYS)

    @functools.cached_property
    def _parts(self) -> list[PartFile]:
        for part in self.manifest.parts:
            check_size(self.folder / part.name, part.bytes)
        return [PartFile(self.folder / part.name) for part in self.manifest.parts]

    def find(self, record_id: str) -> Record | None:
        """The record with this id, or None. Reads one line of the part. Raises as ``find_line`` does."""
        line = self.find_line(record_id)
        return None if line is None else jsonl.decode(line, self.kind, f"{self.folder}, record {record_id}")

    def find_line(self, record_id: str) -> bytes | None:
        """The stored line of the record with this id, or None.

        Raises ``UsageError`` if there is no key file, ``DamagedOutputError`` if key file or record is damaged.
        """
        for location in self.keys.find(record_id):
            return self._line(key_of(record_id), location)
        self.keys.check()
        return None

    def _line(self, key: bytes, location: RecordLocation) -> bytes:
        part, offset, length = location
        if part >= len(self._parts):
            raise damaged(self.keys.path, f"it names part {part} of {len(self._parts)} for {shown(key)}")
        line = self._parts[part].line(key, offset, length)
        self._check_block(part, bisect.bisect_right(self.manifest.parts[part].seek_offsets, offset) - 1)
        return line

    def rejections_of(self, record_id: str) -> list[Rejection]:
        """The rejections of an id, in order; several if an article that is filed twice is rejected twice.

        Raises as ``find_line`` does.
        """
        self.rejection_keys.check()
        file, key = PartFile(self.folder / REJECTIONS), key_of(record_id)
        lines = (file.line(key, offset, length) for _, offset, length in self.rejection_keys.find(record_id))
        return [jsonl.decode(line, Rejection, str(file.path)) for line in lines]

    def _check_block(self, number: int, block: int) -> None:
        """Compare a block of a part with the manifest, once in each process. Raises ``DamagedOutputError``."""
        if (number, block) in self._checked_blocks:
            return
        part = self.manifest.parts[number]
        start, end = (*part.seek_offsets, part.bytes)[block : block + 2]
        check_block(self._parts[number].path, start, self._parts[number].between(start, end), part.checksums[block])
        self._checked_blocks.add((number, block))

    @functools.cached_property
    def _checked_blocks(self) -> set[tuple[int, int]]:
        return set()


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
    with exclusive(folder / f".{fingerprint}.lock") as is_alone:
        if not is_alone:
            raise UsageError(
                f"another wdw-build process is running stage {stage} on this store",
                hint="wait until it ends, or stop it",
            )
        yield


def write_part(folder: Path, number: int, lines: Iterable[bytes]) -> PartInfo:
    """Write encoded records as part ``number``, and beside it the rows of its records for the index, ``<part>.keys``."""
    name, sha256 = f"part-{number:05d}.jsonl", hashlib.sha256()
    offset, marks, checksums, rows = 0, list[int](), list[int](), list[_Row]()
    with (folder / name).open("wb") as stream:
        for count, line in enumerate(lines):
            if count % MARK_EVERY == 0:
                marks.append(offset)
                checksums.append(0)
            checksums[-1] = zlib.crc32(line, checksums[-1])
            stream.write(line)
            sha256.update(line)
            rows.append((id_of(line), number, offset, len(line)))
            offset += len(line)
    # Sorted rows go into the index faster.
    (folder / part_keys(name)).write_bytes(msgspec.json.encode(sorted(rows)))
    return PartInfo(
        name=name,
        records=len(rows),
        bytes=offset,
        sha256=sha256.hexdigest(),
        seek_offsets=tuple(marks),
        checksums=tuple(checksums),
    )


def part_keys(part: str) -> str:
    """The name of the file with the rows of one part, which exists until the index is written."""
    return f"{part}.keys"


def write_record_keys(path: Path, parts: Iterable[Path]) -> None:
    """Write the index of all records from the files with the rows of the parts."""
    rows = (row for part in parts for row in msgspec.json.decode(part.read_bytes(), type=list[_Row]))
    write_keys(path, ((key_of(record_id), part, offset, length) for record_id, part, offset, length in rows))


def write_rejection_keys(folder: Path) -> int:
    """Write the index of a folder's rejections; returns their number."""

    def rows() -> Iterator[tuple[bytes, int, int, int]]:
        offset = 0
        with (folder / REJECTIONS).open("rb") as stream:
            for line in stream:
                yield key_of(id_of(line)), 0, offset, len(line)
                offset += len(line)

    return write_keys(folder / REJECTION_KEYS, rows())


def write_parts(folder: Path, lines: Iterable[bytes]) -> tuple[PartInfo, ...]:
    """Write encoded records as parts of ``PART_RECORDS`` records, and their index. At least one part is written."""
    rest = iter(lines)
    parts = [write_part(folder, 0, itertools.islice(rest, PART_RECORDS))]
    while (first := next(rest, None)) is not None:
        following = itertools.chain([first], itertools.islice(rest, PART_RECORDS - 1))
        parts.append(write_part(folder, len(parts), following))
    keys = [folder / part_keys(part.name) for part in parts]
    write_record_keys(folder / RECORD_KEYS, keys)
    for path in keys:
        path.unlink()
    return tuple(parts)


def write_output(folder: Path, lines: Iterable[bytes], ingredients: Ingredients, devices: tuple[str, ...] = ()) -> None:
    """Write encoded records as an output without rejections: parts, indexes and, last, the manifest."""
    parts = write_parts(folder, lines)
    (folder / REJECTIONS).touch()
    write_rejection_keys(folder)
    written = sum(part.records for part in parts)
    manifest = Manifest(
        fingerprint=ingredients.fingerprint,
        ingredients=ingredients,
        read=written,
        written=written,
        rejected=0,
        reasons={},
        parts=parts,
        rejections_sha256=file_sha256(folder / REJECTIONS),
        content_hash=digest([part.sha256 for part in parts]),
        devices=devices,
    )
    write_file_list(folder, known_hashes(manifest))
    write_manifest(folder / "manifest.json", manifest)


def known_hashes(manifest: Manifest) -> dict[str, str]:
    """SHA-256 of the files whose hashes the manifest has, by name."""
    return {part.name: part.sha256 for part in manifest.parts} | {REJECTIONS: manifest.rejections_sha256}


def link(root: Path, run: str, stage: str, final: Path) -> Path:
    """Point ``runs/<run>/<stage>`` at a committed folder, by one rename; returns the link.

    Removes the new links of processes that were killed before their rename.

    Raises ``UsageError`` if something else than a link is in its place, unless it is a copy of the output.
    """
    path = root / "runs" / run / stage
    if path.exists() and not path.is_symlink():
        copied, committed = read_manifest(path), read_manifest(final)
        if copied is not None and committed is not None and copied.fingerprint == committed.fingerprint:
            return path
        raise UsageError(f"{path} is not a link to an output", hint="move or delete it, and run the same command again")
    target = os.path.relpath(final, path.parent)
    if path.is_symlink() and path.readlink() == Path(target):
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{stage}.{os.getpid()}")
    for _ in range(_LINK_TRIES):
        new.unlink(missing_ok=True)
        new.symlink_to(target)
        # Another process that links the same stage may have removed the new link as one that was left.
        with contextlib.suppress(FileNotFoundError):
            new.replace(path)
            break
    for left in path.parent.glob(f".{stage}.*"):
        if left.is_symlink():
            left.unlink(missing_ok=True)
    return path
