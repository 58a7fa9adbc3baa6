"""The records of an estimate. ``basis`` says whether numbers are counted, extrapolated from the sample, or assumed."""

from __future__ import annotations

from typing import Literal

import msgspec

Basis = Literal["counted", "extrapolated", "assumed"]


class EstimatedCorpus(msgspec.Struct, frozen=True, kw_only=True):
    """The size of the corpus."""

    articles: int
    """Articles that `ingest` writes."""
    basis: Basis
    """`counted`, or `extrapolated` from the bytes that were read."""
    share_read: float
    """Share of the bytes that were read, from 0 to 1; 1 if `ingest` is up to date."""
    articles_tried: int
    """Articles of the sample; 0 if no stage was tried."""


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
    """Where the numbers come from: `counted`, `extrapolated` from the sample, or `assumed`."""
    seconds: float
    """Wall time on a machine without other programs, loading of models included."""
    memory_mb: int
    """Peak memory of the sample's run, in MB: models, libraries and Python. 0 if the stage was not tried."""


class EstimatedTime(msgspec.Struct, frozen=True, kw_only=True):
    """The wall time of all stages with a number of workers."""

    workers: int
    """Worker processes."""
    low: float
    """The fewest seconds to expect."""
    high: float
    """The most seconds to expect."""


class ExpectedProblems(msgspec.Struct, frozen=True, kw_only=True):
    """How many strict problems a run gives in the end."""

    low: int
    """The fewest to expect."""
    high: int
    """The most to expect."""
    basis: Basis
    """`counted` if `suppress` is up to date, `extrapolated` from tried articles, or `assumed`."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """How long a run will take; null if every stage is up to date."""

    corpus: EstimatedCorpus
    """Size of the corpus, and the part of it that was read."""
    rows: tuple[EstimatedStage, ...]
    """The stages of the plan, in order."""
    total_seconds: float
    """Wall time of all stages: the sum of the rows."""
    model_seconds: float
    """Wall time of the stages that use models: the most time that a GPU can save."""
    workers: int
    """`execution.workers`."""
    cores: int
    """Cores that this process may use."""
    device: str
    """Where the models computed: `cpu`, `cuda`, or both."""
    worker_mb: int
    """Peak memory of one worker, in MB, without memory that grows with the corpus; 0 if no stage was tried."""
    problems: ExpectedProblems | None
    """Strict problems to expect; null if the plan does not reach `suppress`."""
    times: tuple[EstimatedTime, ...]
    """The total time with the configured workers, and with more workers, each on a core of its own."""
    sample_seconds: float
    """Duration of the sample's run."""
    notes: tuple[str, ...] = ()
    """What is odd about the articles that were tried."""
