"""Causes: why a stage would run, and why two runs differ. Each is data, and ``str`` puts it into words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import msgspec


class Cause(msgspec.Struct, frozen=True, kw_only=True, tag_field="cause"):
    """Base of all causes; in JSON, the field ``cause`` names the kind of cause."""

    stage: str = ""
    """The stage that differs; empty for a cause of the whole run."""

    WORDS: ClassVar[str] = ""

    def __str__(self) -> str:
        """The cause in words, for a place where the stage is already named."""
        return self.WORDS.format(self=self)

    @property
    def with_stage(self) -> str:
        """The cause in words that also name the stage, if the cause belongs to one."""
        return str(self) if not self.stage or "{self.stage}" in self.WORDS else f"{self.stage}: {self}"


class VersionChanged(Cause, frozen=True, kw_only=True, tag="version"):
    """`version`: the version of the stage's code is different."""

    old: int
    """Version before."""
    new: int
    """Version now."""

    WORDS = "stage version {self.old} -> {self.new}"


class SeedChanged(Cause, frozen=True, kw_only=True, tag="seed"):
    """`seed`: the seed of the run is different."""

    old: int
    """Seed before."""
    new: int
    """Seed now."""

    WORDS = "seed {self.old} -> {self.new}"


class SettingChanged(Cause, frozen=True, kw_only=True, tag="setting"):
    """`setting`: a key of the stage's section has a different value."""

    key: str
    """The key, without the name of the section."""
    old: Any
    """Value before; null if the key did not exist."""
    new: Any
    """Value now; null if the key does not exist."""

    WORDS = "config {self.stage}.{self.key} {self.old!r} -> {self.new!r}"

    def __hash__(self) -> int:
        # The values may be lists, which have no hash.
        return hash((self.stage, self.key))


class InputChanged(Cause, frozen=True, kw_only=True, tag="input"):
    """`input`: an earlier stage has a different output."""

    input: str
    """The earlier stage."""

    WORDS = "input {self.input} changed"


class BackendChanged(Cause, frozen=True, kw_only=True, tag="backend"):
    """`backend`: the backend of a port, its version or its models changed."""

    port: str
    """The port."""
    old: str
    """Identity of the backend before; empty if the stage did not use the port."""
    new: str
    """Identity of the backend now."""

    WORDS = "backend {self.port} changed"


class InputWillRun(Cause, frozen=True, kw_only=True, tag="input-will-run"):
    """`input-will-run`: an earlier stage is not up to date."""

    input: str
    """The earlier stage."""

    WORDS = "{self.input} will run"


class NeverRun(Cause, frozen=True, kw_only=True, tag="never-run"):
    """`never-run`: the run has no output of the stage."""

    WORDS = "it has not been run"


class OutputDeleted(Cause, frozen=True, kw_only=True, tag="output-deleted"):
    """`output-deleted`: the output is no longer in the store, or an earlier version of the program stored it."""

    WORDS = "its output is gone, or an earlier version stored it"


class OutputDamaged(Cause, frozen=True, kw_only=True, tag="output-damaged"):
    """`output-damaged`: a file of the output is missing, truncated or changed."""

    damage: str
    """The file, and what is wrong with it."""

    WORDS = "its output is damaged: {self.damage}"


class Forced(Cause, frozen=True, kw_only=True, tag="forced"):
    """`forced`: `--force` was given."""

    WORDS = "forced"


class Unrecorded(Cause, frozen=True, kw_only=True, tag="unrecorded"):
    """`unrecorded`: the outputs differ although version, settings, inputs and backends are the same."""

    WORDS = "no recorded cause"


AnyCause = (
    VersionChanged
    | SeedChanged
    | SettingChanged
    | InputChanged
    | BackendChanged
    | InputWillRun
    | NeverRun
    | OutputDeleted
    | OutputDamaged
    | Forced
    | Unrecorded
)


def in_words(causes: Iterable[AnyCause]) -> str:
    """Causes of one stage in words, joined by semicolons."""
    return "; ".join(map(str, causes))
