"""What a comparison says: a difference of one id in one stage, and a stage in numbers."""

from __future__ import annotations

import msgspec


class Difference(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="difference"):
    """One id whose outcome in one stage is another one than it was."""

    stage: str
    id: str
    change: str
    before: str
    after: str
    fields: tuple[str, ...] = ()
    begins: str
    why: tuple[str, ...]


class StageDifference(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="stage"):
    """One stage in numbers. ``causes`` are the manifests' differences, ``why`` counts the ids by cause."""

    stage: str
    same: bool
    before: int
    after: int
    changes: dict[str, int]
    causes: tuple[str, ...]
    why: dict[str, int]
