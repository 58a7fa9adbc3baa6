"""The records of an estimate. ``basis`` says whether numbers are counted, extrapolated from the sample, or assumed."""

from __future__ import annotations

from typing import Literal

import msgspec

Basis = Literal["counted", "extrapolated", "assumed"]


class EstimatedCorpus(msgspec.Struct, frozen=True, kw_only=True):
    """Size of the corpus, and how much of it was read and tried."""

    articles: int
    tokens: int
    basis: Basis
    files: int
    files_read: int
    share_read: float
    articles_tried: int


class EstimatedStage(msgspec.Struct, frozen=True, kw_only=True):
    """One stage. ``memory_mb``: models and libraries in all processes, without memory that grows with the corpus."""

    stage: str
    up_to_date: bool
    read: int
    written: int
    basis: Basis
    seconds: float
    memory_mb: int


class EstimatedChange(msgspec.Struct, frozen=True, kw_only=True):
    """The total time on another machine; ``what`` names it."""

    what: str
    seconds: float


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """Records and seconds of every stage, the total, and the total on other machines.

    ``core_share``: the share of a core that the trial got. Other work on the machine slows the run as well.
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
