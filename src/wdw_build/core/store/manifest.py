"""The manifest of a stage's output: what the output was made from (its fingerprint), its parts and counts, and the cost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.causes import (
    AnyCause,
    BackendChanged,
    InputChanged,
    NeverRun,
    SeedChanged,
    SettingChanged,
    Unrecorded,
    VersionChanged,
)
from wdw_build.errors import UsageError


class Ingredients(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that determines a stage's output. Time, host, paths and the number of workers do not.

    ``shared``: the settings of other stages that this stage depends on, by section.
    """

    stage: str
    version: int
    config: dict[str, Any]
    seed: int
    inputs: dict[str, str]
    backends: dict[str, str]
    shared: dict[str, dict[str, Any]] = {}

    @property
    def fingerprint(self) -> str:
        """The name of the output's folder in the store: 16 hex digits of SHA-256."""
        return digest(self)[:16]

    def differences(self, older: Ingredients) -> Iterator[AnyCause]:
        """Yield the changes from ``older`` to these ingredients.

        If settings changed, a backend that the stage did not use before is no change of its own: the settings ask for it.
        """
        if self.version != older.version:
            yield VersionChanged(stage=self.stage, old=older.version, new=self.version)
        if self.seed != older.seed:
            yield SeedChanged(old=older.seed, new=self.seed)
        yield from _changed_settings(self.stage, older.config, self.config)
        for section in sorted(self.shared.keys() & older.shared.keys()):
            yield from _changed_settings(section, older.shared[section], self.shared[section])
        for name, content in self.inputs.items():
            if content != older.inputs.get(name):
                yield InputChanged(stage=self.stage, input=name)
        for port, identity in self.backends.items():
            is_asked_for = port not in older.backends and older.config != self.config
            if identity != older.backends.get(port) and not is_asked_for:
                yield BackendChanged(stage=self.stage, port=port, old=older.backends.get(port, ""), new=identity)


def _changed_settings(section: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[SettingChanged]:
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) != new.get(key):
            yield SettingChanged(stage=section, key=key, old=old.get(key), new=new.get(key))


def plain_settings(section: msgspec.Struct) -> dict[str, Any]:
    """A section of the configuration in the form of ``Ingredients.config``, where tuples are lists."""
    settings: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(section))
    return settings


# Increases when files of a stage's output are written in another form.
STORE_FORMAT = 2


class PartInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One JSONL part. ``seek_offsets`` are the byte offsets of every 64th record, at which shards begin.

    ``checksums``: CRC-32 of the 64 records from each of these offsets.
    """

    name: str
    records: int
    bytes: int
    sha256: str
    seek_offsets: tuple[int, ...]
    checksums: tuple[int, ...]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A committed output. ``content_hash`` is the hash that the stages after it depend on.

    ``devices``: the devices on which its models computed, ``cpu`` or ``cuda``. Both if the stage was resumed on another
    machine; empty if it uses no models. ``store_format``: the form of the output's files.
    """

    fingerprint: str
    ingredients: Ingredients
    read: int
    written: int
    rejected: int
    reasons: dict[str, int]
    parts: tuple[PartInfo, ...]
    rejections_sha256: str
    content_hash: str
    devices: tuple[str, ...] = ()
    store_format: int = STORE_FORMAT


class _Format(msgspec.Struct, frozen=True):
    store_format: int = STORE_FORMAT


class Timing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a stage's last run cost."""

    seconds: float
    """Wall time."""
    cpu_seconds: float = 0.0
    """CPU time of the tasks in all processes, with their children; also of commands that were stopped before."""
    peak_mb: int
    """Peak memory of the command and its worker processes, in MB, sampled; what processes share counts once. Without the
    workers of a cluster that the run joined, whose logs name their memory."""
    workers: int
    """`execution.workers` at that time."""
    processor: tuple[str, ...] = ()
    """Instruction sets of the processor for numeric libraries, such as avx2; empty if the system does not list them. The output
    does not depend on them."""
    tried_again: bool = False
    """Whether it was a second run, for records that the first one left out because worker processes died on them."""


def write(path: Path, value: Manifest | Timing) -> None:
    """Write a manifest or a timing as indented JSON, by one rename."""
    replace_file(path, jsonl.document(value))


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a committed folder; None if it is missing, cannot be decoded or has an earlier store format.

    Raises ``UsageError`` if a later version of the program wrote it, ``PermissionError`` if this process may not read it.
    """
    try:
        content = (folder / "manifest.json").read_bytes()
        written = msgspec.json.decode(content, type=_Format).store_format
        if written > STORE_FORMAT:
            raise UsageError(
                f"{folder} was written by a later version of wdw-build, in store format {written}; this version reads "
                f"format {STORE_FORMAT}",
                hint="use that version, or set another output_dir",
            )
        return msgspec.json.decode(content, type=Manifest) if written == STORE_FORMAT else None
    except PermissionError:
        raise
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def read_timing(folder: Path) -> Timing | None:
    """The timing beside a manifest; None if it is missing or cannot be decoded."""
    try:
        return msgspec.json.decode((folder / "timing.json").read_bytes(), type=Timing)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def link_causes(link: Path, given: Ingredients) -> tuple[AnyCause, ...]:
    """The differences between the output that ``link`` leads to and the output of ``given``; empty if they are the same.

    Outputs are the same if their fingerprints are, so a copy of the output is as good as a link.
    """
    linked = read_manifest(link)
    if linked is None:
        return (NeverRun(stage=given.stage),)
    if linked.fingerprint == given.fingerprint:
        return ()
    return tuple(given.differences(linked.ingredients)) or (Unrecorded(stage=given.stage),)


def is_linked(causes: tuple[AnyCause, ...]) -> bool:
    """Whether the run has an output of the stage, perhaps another one than that of the configuration."""
    return not any(isinstance(cause, NeverRun) for cause in causes)
