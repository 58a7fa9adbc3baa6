"""The records of an estimate. ``basis`` says whether numbers are counted, extrapolated from the sample, or assumed."""

from __future__ import annotations

from typing import Literal

import msgspec

Basis = Literal["counted", "extrapolated", "assumed"]


class EstimatedCorpus(msgspec.Struct, frozen=True, kw_only=True):
    """The size of the corpus."""

    articles: int
    """Articles that `ingest` writes."""
    tokens: int
    """Words in them, split at white space; 0 if no article was tried."""
    basis: Basis
    """`counted`, or `extrapolated` from the bytes that were read."""
    files: int
    """Files of the corpus; 0 if the reader does not list them, or `ingest` is up to date."""
    files_read: int
    """Files that were read, at least in part."""
    share_read: float
    """Share of the bytes that were read, from 0 to 1."""
    articles_tried: int
    """Articles that the stages were tried on."""


class EstimatedStage(msgspec.Struct, frozen=True, kw_only=True):
    """One stage of the plan."""

    stage: str
    """Name of the stage."""
    up_to_date: bool
    """Whether it would not run."""
    read: int
    """Records in."""
    written: int
    """Records out, without rejections."""
    basis: Basis
    """Where both numbers come from: `counted`, `extrapolated` or `assumed`."""
    seconds: float
    """Wall time, loading of models included."""
    memory_mb: int
    """Memory of models, libraries and Python in all processes, in MB, without what grows with the corpus."""


class ExpectedProblems(msgspec.Struct, frozen=True, kw_only=True):
    """How many strict problems a run gives in the end."""

    strict: int
    """Strict problems in all splits."""
    low: int
    """The least number to expect."""
    high: int
    """The greatest number to expect."""
    basis: Basis
    """`counted` if `suppress` is up to date, `extrapolated` from tried articles, or `assumed`."""
    alternatives: float | None = None
    """Mean number of alternatives of an article that was tried; null if none was."""


class EstimatedChange(msgspec.Struct, frozen=True, kw_only=True):
    """The total time if the run were set up differently."""

    what: str
    """What would be different."""
    seconds: float
    """Wall time of all stages."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """How long a run will take; null if every stage is up to date."""

    corpus: EstimatedCorpus
    """Size of the corpus, and the part of it that was read."""
    rows: tuple[EstimatedStage, ...]
    """The stages of the plan, in order."""
    total_seconds: float
    """Wall time of all stages."""
    model_seconds: float
    """Wall time of model inference: the most time that a GPU can save."""
    workers: int
    """`execution.workers`."""
    cores: int
    """Cores that this process may use."""
    device: str
    """Where the models computed in the trial: `cpu`, `cuda`, or both."""
    problems: ExpectedProblems | None
    """Strict problems to expect; null if the plan does not reach `suppress`."""
    changes: tuple[EstimatedChange, ...]
    """The total with more workers, and on several machines."""
    calibration_seconds: float
    """Duration of the trial."""
    core_share: float
    """Share of a core that the trial got, from 0 to 1."""
