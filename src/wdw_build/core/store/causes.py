"""Why a stage would run, and why two outputs differ: as data, which ``str`` puts into words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

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
        found = json.JSONDecoder().raw_decode(options)[0]
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def in_words(causes: Iterable[Cause]) -> str:
    """Causes of one stage in words, joined by semicolons."""
    return "; ".join(map(str, causes))
