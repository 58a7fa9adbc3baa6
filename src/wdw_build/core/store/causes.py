"""Causes as data: why a stage would run, and why two runs differ. ``views/causes.py`` puts them into sentences."""

from __future__ import annotations

from typing import Any

import msgspec


class Cause(msgspec.Struct, frozen=True, kw_only=True, tag_field="cause"):
    """Base of all causes. ``stage`` is the stage that differs; empty for a cause of the whole run."""

    stage: str = ""


class VersionChanged(Cause, frozen=True, kw_only=True, tag="version"):
    """The stage's code has another version."""

    old: int
    new: int


class SeedChanged(Cause, frozen=True, kw_only=True, tag="seed"):
    """The run's seed is another one."""

    old: int
    new: int


class SettingChanged(Cause, frozen=True, kw_only=True, tag="setting"):
    """A setting of the stage has another value, as in JSON; None if it was not set on that side."""

    key: str
    old: Any
    new: Any

    def __hash__(self) -> int:
        # Values may be lists.
        return hash((self.stage, self.key))


class InputChanged(Cause, frozen=True, kw_only=True, tag="input"):
    """The stage reads another output of ``input``."""

    input: str


class BackendChanged(Cause, frozen=True, kw_only=True, tag="backend"):
    """The backend of a port has another identity; empty if the stage did not use the port."""

    port: str
    old: str
    new: str


class InputWillRun(Cause, frozen=True, kw_only=True, tag="input-will-run"):
    """The stage reads ``input``, which is not up to date."""

    input: str


class NeverRun(Cause, frozen=True, kw_only=True, tag="never-run"):
    """The run has no output of the stage."""


class OutputDeleted(Cause, frozen=True, kw_only=True, tag="output-deleted"):
    """The ingredients are unchanged, but the output is no longer in the store."""


class Forced(Cause, frozen=True, kw_only=True, tag="forced"):
    """The user asked for the stage to run again."""


class ArticleChanged(Cause, frozen=True, kw_only=True, tag="article"):
    """An article that a record depends on was ``added``, ``removed`` or ``changed`` in ``stage``."""

    article: str
    change: str


class Unrecorded(Cause, frozen=True, kw_only=True, tag="unrecorded"):
    """The outputs differ, although all recorded ingredients are equal."""


AnyCause = (
    VersionChanged
    | SeedChanged
    | SettingChanged
    | InputChanged
    | BackendChanged
    | InputWillRun
    | NeverRun
    | OutputDeleted
    | Forced
    | ArticleChanged
    | Unrecorded
)
