"""Causes as data: why a stage would run, and why two runs differ. ``views/causes.py`` puts them into sentences."""

from __future__ import annotations

from typing import Any

import msgspec


class Cause(msgspec.Struct, frozen=True, kw_only=True, tag_field="cause"):
    """Base of all causes; in JSON, the field ``cause`` names the kind of cause."""

    stage: str = ""
    """The stage that differs; empty for a cause of the whole run."""


class VersionChanged(Cause, frozen=True, kw_only=True, tag="version"):
    """`version`: the stage's code has another version."""

    old: int
    """Version before."""
    new: int
    """Version now."""


class SeedChanged(Cause, frozen=True, kw_only=True, tag="seed"):
    """`seed`: the run has another seed."""

    old: int
    """Seed before."""
    new: int
    """Seed now."""


class SettingChanged(Cause, frozen=True, kw_only=True, tag="setting"):
    """`setting`: a key of the stage's section has another value."""

    key: str
    """The key, without the name of the section."""
    old: Any
    """Value before; null if the key did not exist."""
    new: Any
    """Value now; null if the key does not exist."""

    def __hash__(self) -> int:
        # The values may be lists, which have no hash.
        return hash((self.stage, self.key))


class KeysRenamed(Cause, frozen=True, kw_only=True, tag="renamed"):
    """`renamed`: keys or values of the stage's section have new names but the same meaning."""


class InputChanged(Cause, frozen=True, kw_only=True, tag="input"):
    """`input`: the stage reads another output of an earlier stage."""

    input: str
    """The earlier stage."""


class BackendChanged(Cause, frozen=True, kw_only=True, tag="backend"):
    """`backend`: the backend of a port, its version or its models changed."""

    port: str
    """The port."""
    old: str
    """Identity of the backend before; empty if the stage did not use the port."""
    new: str
    """Identity of the backend now."""


class InputWillRun(Cause, frozen=True, kw_only=True, tag="input-will-run"):
    """`input-will-run`: the stage reads an earlier stage that is not up to date."""

    input: str
    """The earlier stage."""


class NeverRun(Cause, frozen=True, kw_only=True, tag="never-run"):
    """`never-run`: the run has no output of the stage."""


class OutputDeleted(Cause, frozen=True, kw_only=True, tag="output-deleted"):
    """`output-deleted`: nothing changed, but the output is no longer in the store."""


class Forced(Cause, frozen=True, kw_only=True, tag="forced"):
    """`forced`: `--force` was given."""


class ArticleChanged(Cause, frozen=True, kw_only=True, tag="article"):
    """`article`: an article that a record depends on differs; `stage` is the stage that wrote it."""

    article: str
    """Id of the article."""
    change: str
    """`added`, `removed` or `changed`."""


class Unrecorded(Cause, frozen=True, kw_only=True, tag="unrecorded"):
    """`unrecorded`: the outputs differ although version, settings, inputs and backends are the same."""


AnyCause = (
    VersionChanged
    | SeedChanged
    | SettingChanged
    | KeysRenamed
    | InputChanged
    | BackendChanged
    | InputWillRun
    | NeverRun
    | OutputDeleted
    | Forced
    | ArticleChanged
    | Unrecorded
)
