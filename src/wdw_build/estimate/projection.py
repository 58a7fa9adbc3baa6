"""What an estimate says. ``basis`` of a number: counted, extrapolated from the articles that were tried, or assumed."""

from __future__ import annotations

from typing import Literal

import msgspec

Basis = Literal["counted", "extrapolated", "assumed"]


class EstimatedCorpus(msgspec.Struct, frozen=True, kw_only=True):
    """The corpus as far as it was looked at."""

    articles: int
    tokens: int
    basis: Basis
    files: int
    files_read: int
    share_read: float
    articles_tried: int


class EstimatedStage(msgspec.Struct, frozen=True, kw_only=True):
    """One stage. ``memory_mb``: the models and libraries that it holds, of all processes; what grows with it is not in."""

    stage: str
    up_to_date: bool
    read: int
    written: int
    basis: Basis
    seconds: float
    memory_mb: int


class EstimatedChange(msgspec.Struct, frozen=True, kw_only=True):
    """The total if something were different."""

    what: str
    seconds: float


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds and records of every stage, the total, and what would change it.

    ``core_share``: how much of a core the calibration got; what else ran on the machine then slows the run as well.
    """

    corpus: EstimatedCorpus
    rows: tuple[EstimatedStage, ...]
    total_seconds: float
    model_seconds: float
    workers: int
    cores: int
    device: str
    changes: tuple[EstimatedChange, ...]
    calibration_seconds: float
    core_share: float
