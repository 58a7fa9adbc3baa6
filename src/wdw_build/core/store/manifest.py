"""The manifest of a stage's output: what the output was made from (its fingerprint), its parts and counts, and the cost.

The difference of two fingerprints is why a stage would run, or why two outputs differ: as data, which ``str`` puts into words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from wdw_build.core.hashing import digest, file_sha256, hash_file
from wdw_build.core.store import jsonl
from wdw_build.errors import UsageError

Kind = Literal[
    "version",
    "seed",
    "setting",
    "input",
    "backend",
    "input-will-run",
    "never-run",
    "output-deleted",
    "output-damaged",
    "forced",
    "unrecorded",
]
WORDS: dict[Kind, str] = {
    "version": "stage version {old} -> {new}",
    "seed": "seed {old} -> {new}",
    "setting": "config {stage}.{name} {old!r} -> {new!r}",
    "input": "input {name} changed",
    "backend": "backend {name} changed",
    "input-will-run": "{name} will run",
    "never-run": "it has not been run",
    "output-deleted": "its output is gone, or an earlier version stored it",
    "output-damaged": "its output is damaged: {name}",
    "forced": "forced",
    "unrecorded": "no recorded cause",
}


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Why a stage would run, or why two outputs of it differ."""

    kind: Kind
    """The kind of cause."""
    stage: str = ""
    """The stage; empty for a cause of the whole run."""
    name: str = ""
    """The key, the earlier stage or the port that differs; for a damaged output, the file and what is wrong with it."""
    old: Any = None
    """Value before; null if there was none."""
    new: Any = None
    """Value now; null if there is none."""

    def __str__(self) -> str:
        """The cause in words, for a place where the stage is already named; of a corpus reader, with the changed options."""
        words = WORDS[self.kind].format_map(msgspec.structs.asdict(self))
        old, new = (_options(identity) if self.kind == "backend" else {} for identity in (self.old, self.new))
        changed = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
        options = [f"corpus.options.{key} {old.get(key)!r} -> {new.get(key)!r}" for key in changed]
        return f"{words} ({', '.join(options)})" if options else words

    @property
    def with_stage(self) -> str:
        """The cause in words that also name the stage, if the cause belongs to one."""
        return str(self) if not self.stage or self.kind == "setting" else f"{self.stage}: {self}"


def _options(identity: str | None) -> dict[str, Any]:
    """The options in the identity of a corpus reader (see ``FileCorpus.identity``); empty for others."""
    _, _, options = (identity or "").partition("; options ")
    try:
        decoded = json.JSONDecoder().raw_decode(options)[0]
    except ValueError:
        return {}
    return decoded if isinstance(decoded, dict) else {}


def in_words(causes: Iterable[Cause]) -> str:
    """Causes of one stage in words, joined by semicolons."""
    return "; ".join(map(str, causes))


# ---- the manifest ----------------------------------------------------------------------------------------------------

REJECTIONS = "rejections.jsonl"


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

    def in_place_of(self, older: Ingredients) -> Ingredients:
        """These ingredients, with the version, the backends and the set of keys of ``older``."""

        def same_keys(new: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
            return {key: new.get(key, value) for key, value in old.items()}

        return msgspec.structs.replace(
            self,
            version=older.version,
            backends=older.backends,
            config=same_keys(self.config, older.config),
            shared={name: same_keys(self.shared.get(name, {}), keys) for name, keys in older.shared.items()},
        )

    def differences(self, older: Ingredients) -> Iterator[Cause]:
        """Yield the changes from ``older`` to these ingredients.

        If settings changed, a backend that the stage did not use before is no change of its own: the settings ask for it.
        """
        if self.version != older.version:
            yield Cause(kind="version", stage=self.stage, old=older.version, new=self.version)
        if self.seed != older.seed:
            yield Cause(kind="seed", old=older.seed, new=self.seed)
        yield from changed_settings(self.stage, older.config, self.config)
        for section in sorted(self.shared.keys() & older.shared.keys()):
            yield from changed_settings(section, older.shared[section], self.shared[section])
        for name, content in self.inputs.items():
            if content != older.inputs.get(name):
                yield Cause(kind="input", stage=self.stage, name=name)
        for port, identity in self.backends.items():
            is_asked_for = port not in older.backends and older.config != self.config
            before = older.backends.get(port)
            if identity != before and not is_asked_for:
                yield Cause(kind="backend", stage=self.stage, name=port, old=before, new=identity)


def changed_settings(section: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Cause]:
    """Yield a cause for each key of a section that has another value."""
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) != new.get(key):
            yield Cause(kind="setting", stage=section, name=key, old=old.get(key), new=new.get(key))


def plain_settings(section: msgspec.Struct) -> dict[str, Any]:
    """A section of the configuration in the form of ``Ingredients.config``, where tuples are lists."""
    settings: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(section))
    return settings


# Increases when files of a stage's output are written in another form.
STORE_FORMAT = 3


class StoredFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it was written: size in bytes and SHA-256 (hex)."""

    bytes: int
    sha256: str

    def damage(self, path: Path, content: Callable[[Path], str] = file_sha256, since: int = -1) -> str:
        """What is wrong with the file at ``path``; empty if nothing is.

        ``content`` returns the SHA-256 of a file, and is asked only if the file was modified after ``since`` (nanoseconds).
        """
        try:
            stat = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return "is missing"
        if stat.st_size != self.bytes:
            return f"has {stat.st_size} bytes, but {self.bytes} were written"
        is_other = stat.st_mtime_ns > since and content(path) != self.sha256
        return "is not as it was written" if is_other else ""


class PartInfo(StoredFile, frozen=True, kw_only=True):
    """One JSONL part, with its number of records."""

    name: str
    records: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A committed output. ``content_hash`` is the hash that the stages after it depend on.

    ``files``: the files besides the parts and the rejections, by path: the index, and files that the stage writes itself.
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
    rejections_bytes: int
    rejections_sha256: str
    files: dict[str, StoredFile]
    content_hash: str
    devices: tuple[str, ...] = ()
    store_format: int = STORE_FORMAT

    @property
    def all_files(self) -> dict[str, StoredFile]:
        """Every file of the output by path, but for the manifest and the timing."""
        rejections = StoredFile(bytes=self.rejections_bytes, sha256=self.rejections_sha256)
        return {**{part.name: part for part in self.parts}, REJECTIONS: rejections, **self.files}


class _Format(msgspec.Struct, frozen=True):
    store_format: int = 1


class Timing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a stage's last run cost."""

    seconds: float
    """Wall time."""
    cpu_seconds: float = 0.0
    """CPU time of the tasks in all processes; also of commands that were stopped before."""
    peak_mb: int
    """Peak memory of the process that needed most, in MB. Worker processes share the models that were loaded before they
    started."""
    workers: int
    """Worker processes of the run."""
    processor: tuple[str, ...] = ()
    """Instruction sets of the processor for numeric libraries, such as avx2; empty if the system does not list them. The output
    does not depend on them."""


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a committed folder; None if it is missing or cannot be decoded.

    Raises ``UsageError`` if another version of the program wrote it in another format, ``PermissionError`` if this process may
    not read it.
    """
    try:
        content = (folder / "manifest.json").read_bytes()
        written = msgspec.json.decode(content, type=_Format).store_format
        if written != STORE_FORMAT:
            raise UsageError(
                f"{folder} was written by another version of wdw-build, in store format {written}; this version reads format "
                f"{STORE_FORMAT}",
                hint="delete the folder store, set another output_dir, or use that version",
            )
        return msgspec.json.decode(content, type=Manifest)
    except PermissionError:
        raise
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def damage(folder: Path, manifest: Manifest) -> str:
    """What is wrong with the files of an output; empty if nothing is.

    Reads only files that were modified since the manifest was written, and these once: their hashes are cached.
    """
    written = (folder / "manifest.json").stat().st_mtime_ns
    for name, file in manifest.all_files.items():
        if fault := file.damage(folder / name, hash_file, since=written):
            return f"{name} {fault}"
    return ""


def read_timing(folder: Path) -> Timing | None:
    """The timing beside a manifest; None if it is missing or cannot be decoded."""
    return jsonl.read_document(folder / "timing.json", Timing)


def link_causes(link: Path, ingredients: Ingredients) -> tuple[Cause, ...]:
    """The differences between the output that ``link`` leads to and the output of ``ingredients``; empty if they are the same.

    Outputs are the same if their fingerprints are, so a copy of the output is as good as a link.
    """
    linked = read_manifest(link)
    if linked is None:
        return (Cause(kind="never-run", stage=ingredients.stage),)
    if linked.fingerprint == ingredients.fingerprint:
        return ()
    return tuple(ingredients.differences(linked.ingredients)) or (Cause(kind="unrecorded", stage=ingredients.stage),)


def is_linked(causes: tuple[Cause, ...]) -> bool:
    """Whether the run has an output of the stage, perhaps another one than that of the configuration."""
    return not any(cause.kind == "never-run" for cause in causes)
