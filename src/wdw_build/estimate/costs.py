"""The arithmetic of an estimate: times and memory of stages from seconds a record, without clock, files or models.

A stage takes the time to load its backends plus its seconds a record; the records of a map stage are divided into shards
as the runner divides them. Only quantities that are proportional are extrapolated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wdw_build.core.tasks.shards import shard_size
from wdw_build.ports import ANNOTATIONS, ANNOTATOR, EVENT_SCORER, INDEX, LANGUAGE_MODEL

# A worker starts Python and imports the package.
_START_SECONDS = 1.0
MODELS, JVM, NGRAMS, EVENTS = "models", "jvm", "n-grams", "event scorer"
# What the first use of a port loads; the other ports load nothing that takes time.
LOADS: Mapping[str, str] = {
    ANNOTATOR: MODELS,
    ANNOTATIONS: MODELS,
    INDEX: JVM,
    EVENT_SCORER: EVENTS,
    LANGUAGE_MODEL: NGRAMS,
}
# Loaded in every run of a stage, not once in a process: KenLM's estimator is a separate program.
LOADED_EACH_TIME = frozenset({NGRAMS})


@dataclass(frozen=True)
class BackendLoad:
    """Time and memory of the first use of a backend in a process."""

    seconds: float
    mb: int


@dataclass(frozen=True)
class StageWork:
    """A stage that would run on ``records`` at ``seconds_each``. ``block`` is 0 for a stage that runs in one process."""

    stage: str
    records: int
    seconds_each: float
    block: int
    loads: tuple[str, ...]

    def shard(self, most: int) -> int:
        """Records of a shard, if ``execution.shard_size`` is ``most``."""
        return shard_size(self.records, self.block, most) if self.block else max(1, self.records)


@dataclass(frozen=True)
class Machine:
    """The workers, cores and shard size of a run."""

    workers: int
    cores: int
    shard_size: int


@dataclass(frozen=True)
class Cost:
    """Seconds of a stage, the part of these seconds that its records take, and MB of all backends loaded so far."""

    seconds: float
    record_seconds: float
    mb: int


def in_pool(work: StageWork, machine: Machine) -> bool:
    """Whether the runner would give the stage to worker processes."""
    return bool(work.block) and machine.workers > 1 and work.records > work.shard(machine.shard_size)


def record_seconds(work: StageWork, machine: Machine) -> float:
    """Seconds that the records take, which is the time of the busiest worker."""
    if not in_pool(work, machine):
        return work.records * work.seconds_each
    size = work.shard(machine.shard_size)
    shards = -(-work.records // size)
    busiest = min(work.records, -(-shards // machine.workers) * size)
    crowded = max(1.0, min(machine.workers, shards) / machine.cores)
    return busiest * work.seconds_each * crowded


def costs(
    works: Sequence[StageWork], loads: Mapping[str, BackendLoad], machine: Machine, base_mb: int
) -> dict[str, Cost]:
    """The cost of every stage, by name. A process loads a backend once and keeps it.

    ``base_mb``: memory of a process without any backend.
    """
    loaded: set[tuple[str, bool]] = set()
    by_stage: dict[str, Cost] = {}
    for work in works:
        pool = in_pool(work, machine)
        wanted = {(name, pool) for name in work.loads if name in loads}
        fresh = wanted - loaded
        start = _START_SECONDS if pool and not any(in_worker for _, in_worker in loaded) else 0.0
        loaded |= wanted
        records = record_seconds(work, machine)
        mb = sum(loads[name].mb * (machine.workers if in_worker else 1) for name, in_worker in loaded)
        processes = 1 + machine.workers * any(in_worker for _, in_worker in loaded)
        seconds = start + sum(loads[name].seconds for name, _ in fresh) + records
        by_stage[work.stage] = Cost(seconds, records, mb + base_mb * processes)
    return by_stage


def total(works: Sequence[StageWork], loads: Mapping[str, BackendLoad], machine: Machine) -> float:
    """Seconds of all stages together."""
    return sum(cost.seconds for cost in costs(works, loads, machine, 0).values())


def share_found(share: float, ratio: float) -> float:
    """The share of questions with a passage if ``ratio`` times as many articles are searched, all equally likely."""
    return 1.0 - math.pow(1.0 - min(max(share, 0.0), 1.0), max(ratio, 1.0))


def mean_candidates(mean: float, ratio: float, most: int) -> float:
    """The mean number of candidates, at most ``most``, if ``ratio`` times as many articles are searched."""
    return max(min(mean, most), min(mean * max(ratio, 1.0), most))
