"""From what the trial measured to the whole run: plain arithmetic, without clock, files or models.

A stage costs what it loads plus seconds a record; a map stage's records are divided as the runner divides them into
shards. Only what is proportional is carried over: counts through the shares that the trial found, and the chance that
a question finds a passage through how many more articles the whole corpus has around its day.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wdw_build.core.run.shards import shard_size

# A worker starts Python and imports the package.
_START_SECONDS = 1.0
MODELS, JVM, NGRAMS, EVENTS = "models", "jvm", "n-grams", "event scorer"
LOADS: Mapping[str, str] = {
    "annotator": MODELS,
    "annotations": MODELS,
    "index": JVM,
    "event_scorer": EVENTS,
    "language_model": NGRAMS,
}


@dataclass(frozen=True)
class Load:
    """What a backend costs when a process first uses it."""

    seconds: float
    mb: int


@dataclass(frozen=True)
class Work:
    """One stage that would run: so many records at so many seconds each. ``block`` is 0 for a stage in one process."""

    stage: str
    records: int
    seconds_each: float
    block: int
    loads: tuple[str, ...]

    def shard(self, most: int) -> int:
        """Records of a shard."""
        return shard_size(self.records, self.block, most) if self.block else max(1, self.records)


@dataclass(frozen=True)
class Machine:
    """How a run would be executed."""

    workers: int
    cores: int
    shard_size: int


@dataclass(frozen=True)
class Cost:
    """Seconds of a stage, those of its records among them, and the memory of what is loaded."""

    seconds: float
    record_seconds: float
    mb: int


def in_pool(work: Work, machine: Machine) -> bool:
    """Whether a stage runs in worker processes: as the runner decides."""
    return bool(work.block) and machine.workers > 1 and work.records > work.shard(machine.shard_size)


def record_seconds(work: Work, machine: Machine) -> float:
    """Seconds for the records alone, as the busiest worker has them."""
    if not in_pool(work, machine):
        return work.records * work.seconds_each
    size = work.shard(machine.shard_size)
    shards = -(-work.records // size)
    busiest = min(work.records, -(-shards // machine.workers) * size)
    crowded = max(1.0, min(machine.workers, shards) / machine.cores)
    return busiest * work.seconds_each * crowded


def costs(works: Sequence[Work], loads: Mapping[str, Load], machine: Machine, base_mb: int) -> dict[str, Cost]:
    """The cost of every stage, in order. A process loads a backend once and keeps it."""
    loaded: set[tuple[str, bool]] = set()
    found: dict[str, Cost] = {}
    for work in works:
        pool = in_pool(work, machine)
        wanted = {(name, pool) for name in work.loads if name in loads}
        fresh = wanted - loaded
        start = _START_SECONDS if pool and not any(kind for _, kind in loaded) else 0.0
        loaded |= wanted
        records = record_seconds(work, machine)
        mb = sum(loads[name].mb * (machine.workers if kind else 1) for name, kind in loaded)
        processes = 1 + machine.workers * any(kind for _, kind in loaded)
        seconds = start + sum(loads[name].seconds for name, _ in fresh) + records
        found[work.stage] = Cost(seconds, records, mb + base_mb * processes)
    return found


def total(works: Sequence[Work], loads: Mapping[str, Load], machine: Machine) -> float:
    """Seconds of all stages together."""
    return sum(cost.seconds for cost in costs(works, loads, machine, 0).values())


def share_found(share: float, times: float) -> float:
    """The share of questions with a passage if there are ``times`` as many articles, each as likely to be one."""
    return 1.0 - math.pow(1.0 - min(max(share, 0.0), 1.0), max(times, 1.0))


def candidates_looked_at(mean: float, times: float, most: int) -> float:
    """Candidates of a question with ``times`` as many articles around it, of which ``most`` are looked at."""
    return max(min(mean, most), min(mean * max(times, 1.0), most))
