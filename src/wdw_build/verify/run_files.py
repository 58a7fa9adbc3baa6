"""Reads the files of a run without the code of the store: parts, rejections, manifests, and records by id.

Records are streamed. Memory holds only the byte offsets of the records that are read by id.
"""

from __future__ import annotations

import functools
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from wdw_build.errors import CheckError, UsageError
from wdw_build.records import BaseStruct, Rejection

# The manifests lead from the last stage to every other stage of the dataset, input by input.
_LAST = "export"
_HINT = "wdw-build all -c FILE"
_CACHED_RECORDS = 2048

R = TypeVar("R", bound=BaseStruct | dict[str, Any])


class PartEntry(msgspec.Struct, frozen=True):
    """One part in a manifest."""

    name: str
    records: int
    sha256: str


class OutputKey(msgspec.Struct, frozen=True):
    """The ingredients in a manifest: configuration, seed, and the content hashes of the inputs.

    ``shared``: the settings of other stages that the output depends on, by section.
    """

    config: dict[str, Any]
    seed: int
    inputs: dict[str, str]
    shared: dict[str, dict[str, Any]] = {}


class ListedFile(msgspec.Struct, frozen=True):
    """A file in a manifest that is neither a part nor the rejections."""

    bytes: int
    sha256: str


class StageManifest(msgspec.Struct, frozen=True):
    """The fields of a stage's manifest that are checked."""

    ingredients: OutputKey
    read: int
    written: int
    rejected: int
    reasons: dict[str, int]
    parts: tuple[PartEntry, ...]
    rejections_sha256: str
    content_hash: str
    files: dict[str, ListedFile]


class Identified(BaseStruct, frozen=True, forbid_unknown_fields=False):
    """Any record; only the id is decoded."""

    id: str


def decode(line: bytes, kind: type[R], place: str) -> R:
    """Decode one record, or the JSON object of an exported line. Raises ``CheckError`` if the line is something else."""
    try:
        record: R = msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        what = "line of the export" if kind is dict else kind.__name__
        raise CheckError(
            f"{place}: not a {what}: {error}",
            hint="the file was changed or cut off: delete its folder in the store and run the stage again",
        ) from error
    return record


def read(path: Path, kind: type[R]) -> Iterator[R]:
    """The records of one file."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            yield decode(line, kind, f"{path}:{number}")


class RunFiles:
    """The files of one run. Raises ``UsageError`` if the output of a stage that the dataset depends on is missing."""

    def __init__(self, folder: Path, others: Iterable[str] = ()) -> None:
        """``others`` are stages that the dataset may not depend on; their files are read if they exist."""
        self.folder = folder
        self._manifests: dict[str, StageManifest] = {}
        self._open(_LAST)
        for stage in others:
            if (folder / stage / "manifest.json").is_file():
                self._open(stage)

    def _open(self, stage: str) -> None:
        """Read the manifests of a stage and of all its inputs; inputs come first in ``_manifests``."""
        if stage in self._manifests:
            return
        path = self.folder / stage / "manifest.json"
        if not path.is_file():
            raise UsageError(f"run {self.folder.name!r} has no output of {stage}", hint=_HINT)
        try:
            manifest = msgspec.json.decode(path.read_bytes(), type=StageManifest)
        except msgspec.MsgspecError as error:
            raise CheckError(f"{path}: not a manifest: {error}", hint="run the stage again with --force") from error
        for source in manifest.ingredients.inputs:
            self._open(source)
        self._manifests[stage] = manifest

    @property
    def primary(self) -> dict[str, str]:
        """Stage -> its first input, whose records the stage writes or rejects; empty for ingest."""
        return {stage: next(iter(manifest.ingredients.inputs), "") for stage, manifest in self._manifests.items()}

    def manifest(self, stage: str) -> StageManifest:
        """The manifest of a stage."""
        return self._manifests[stage]

    def content_hash(self, stage: str) -> str:
        """The content hash of a stage's output; empty if the dataset does not depend on the stage."""
        return self._manifests[stage].content_hash if stage in self._manifests else ""

    def parts(self, stage: str) -> list[Path]:
        """The part files of a stage that exist, in order, whether or not the manifest lists them."""
        return sorted((self.folder / stage).glob("part-*.jsonl"))

    def file(self, name: str) -> Path:
        """The path of a file of the run. Raises ``UsageError`` if it is missing."""
        path = self.folder / name
        if not path.is_file():
            raise UsageError(f"{path} is missing", hint=_HINT)
        return path

    def records(self, stage: str, kind: type[R]) -> Iterator[R]:
        """The records of a stage."""
        for path in self.parts(stage):
            yield from read(path, kind)

    def rejections(self, stage: str) -> Iterator[Rejection]:
        """The rejections of a stage."""
        yield from read(self.file(f"{stage}/rejections.jsonl"), Rejection)

    def ids(self, stage: str) -> Iterator[str]:
        """The ids of the records of a stage."""
        return (record.id for record in self.records(stage, Identified))

    def rejected_ids(self, stage: str) -> Iterator[str]:
        """The ids of the rejections of a stage."""
        return (record.id for record in read(self.file(f"{stage}/rejections.jsonl"), Identified))


class RecordsById(Generic[R]):
    """The records of a stage with the given ids, read from disk on demand; recently used records are cached."""

    def __init__(self, files: RunFiles, stage: str, kind: type[R], needed: Container[str]) -> None:
        self._kind = kind
        self._places: dict[str, tuple[Path, int, int]] = {}
        self._read = functools.lru_cache(_CACHED_RECORDS)(self._read_from_disk)
        for path in files.parts(stage):
            offset = 0
            with path.open("rb") as stream:
                for number, line in enumerate(stream, 1):
                    name = decode(line, Identified, f"{path}:{number}").id
                    if name in needed:
                        self._places[name] = (path, offset, len(line))
                    offset += len(line)

    def find(self, name: str) -> R | None:
        """The record, or None if the stage wrote no record with this id, or it is not needed."""
        return self._read(name) if name in self._places else None

    def _read_from_disk(self, name: str) -> R:
        path, offset, length = self._places[name]
        with path.open("rb") as stream:
            stream.seek(offset)
            return decode(stream.read(length), self._kind, f"{path}, byte {offset}")
