"""The lines of ``wdw-build diff --json``: a difference of one id in one stage, and the counts of one stage."""

from __future__ import annotations

import msgspec

from wdw_build.core.store.causes import AnyCause


class Difference(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="difference"):
    """One id whose outcome in one stage differs between the runs."""

    stage: str
    """Name of the stage."""
    id: str
    """Id that the stage read."""
    change: str
    """`added`, `removed`, `changed`, or `rejected-otherwise`: rejected in both runs, with another reason or other
    evidence."""
    before: str
    """Outcome in the earlier run: `written`, `rejected: reason (detail)`, or `not there`."""
    after: str
    """Outcome in the later run."""
    fields: tuple[str, ...] = ()
    """Names of the fields that differ, if both runs have the id."""
    begins: str
    """The stage in which this id's difference begins."""
    why: tuple[str, ...]
    """The causes in that stage: keys, versions, backends, or other articles."""
    typed_causes: tuple[AnyCause, ...]
    """The causes of `why` as data."""


class StageDifference(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="stage"):
    """The differences of one stage, counted."""

    stage: str
    """Name of the stage."""
    same: bool
    """Whether records and rejections are the same, byte by byte."""
    before: int
    """Records in the earlier run."""
    after: int
    """Records in the later run."""
    changes: dict[str, int]
    """Change -> number of ids."""
    causes: tuple[str, ...]
    """The ingredients of the stage (settings, versions, inputs) that differ."""
    why: dict[str, int]
    """Cause -> number of ids."""
    typed_causes: tuple[AnyCause, ...]
    """The causes of `causes` as data."""
