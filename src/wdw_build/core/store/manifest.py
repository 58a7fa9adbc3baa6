"""What is recorded of a committed stage: what went in (its fingerprint), what came out, and what it cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.hashing import digest


class Ingredients(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides a stage's output. Not in it: time, host, path, workers."""

    stage: str
    version: int
    config: dict[str, Any]
    seed: int
    inputs: dict[str, str]
    backends: dict[str, str]

    @property
    def fingerprint(self) -> str:
        """The name of the stage's folder in the store: 16 hex digits of SHA-256."""
        return digest(self)[:16]

    def differences(self, other: Ingredients) -> list[str]:
        """Sentences that say what changed from ``other`` to this."""
        found = [] if self.version == other.version else [f"stage version {other.version} -> {self.version}"]
        if self.seed != other.seed:
            found.append(f"seed {other.seed} -> {self.seed}")
        for key in sorted(self.config.keys() | other.config.keys()):
            old, new = other.config.get(key), self.config.get(key)
            if old != new:
                found.append(f"config {self.stage}.{key} {old!r} -> {new!r}")
        found += [f"input {name} changed" for name in self.inputs if self.inputs[name] != other.inputs.get(name)]
        for name, identity in self.backends.items():
            if identity != other.backends.get(name):
                found.append(f"backend {name} changed")
        return found


class PartInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One JSONL part. ``marks`` are the byte offsets of every 64th record, so that shards need no scan."""

    name: str
    records: int
    bytes: int
    sha256: str
    marks: tuple[int, ...]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A committed stage. ``content`` is what the stages after it depend on.

    ``devices``: where its models computed, ``cpu`` or ``cuda``; both, if it was resumed elsewhere; none without models.
    """

    fingerprint: str
    ingredients: Ingredients
    read: int
    written: int
    rejected: int
    reasons: dict[str, int]
    parts: tuple[PartInfo, ...]
    rejections_sha256: str
    content: str
    devices: tuple[str, ...] = ()


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """What a stage cost when it was made."""

    seconds: float
    """Wall time."""
    peak_mb: int
    """Highest memory of all processes together, in MB, sampled four times a second."""
    workers: int
    """`execution.workers` at that time."""


def write(path: Path, value: Manifest | Timing) -> None:
    """Write as indented JSON."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a committed folder, or None if there is none that can be read."""
    try:
        return msgspec.json.decode((folder / "manifest.json").read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def read_timing(folder: Path) -> Timing | None:
    """The timing beside a manifest, or None."""
    try:
        return msgspec.json.decode((folder / "timing.json").read_bytes(), type=Timing)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
