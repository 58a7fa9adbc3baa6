"""An estimate from a plan: which stages are tried, on how many records, and what their counts become."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from wdw_build.core.config.settings import ExecutionConfig
from wdw_build.core.run.peak_memory import tree_kb
from wdw_build.core.run.progress import Bar
from wdw_build.core.stage import PortSource
from wdw_build.estimate.draw import Draw, sample_corpus
from wdw_build.estimate.measure import Measured, Measuring
from wdw_build.estimate.model import MODELS, Cost, Load, Machine, Work, costs, total
from wdw_build.estimate.projection import Basis, Estimate, EstimatedChange, EstimatedCorpus, EstimatedStage
from wdw_build.pipeline import Pipeline

_READ_SECONDS = 4.0
_KEEP = 1500
_WORKERS = (2, 4, 8, 16)
_NODES = (2, 4)


def estimate(
    pipeline: Pipeline, names: Sequence[str] | None, running: Collection[str], ports: PortSource | None = None
) -> Estimate:
    """What the stages ``running`` of the plan for ``names`` (None: all) will take.

    Takes some seconds, at most about half a minute on a machine that does nothing else. ``ports`` stand in for the
    configured backends (tests). Raises what the stages raise on a corpus they cannot use.
    """
    begun, worked = time.monotonic(), time.process_time()
    steps = pipeline.plan(names)
    base_mb = tree_kb() // 1024
    real = {step.stage.name: step.output for step in steps if step.output and step.stage.name not in running}
    source = ports or pipeline.ports
    drawn = Draw()
    with (
        tempfile.TemporaryDirectory(prefix="wdw-estimate-") as folder,
        pipeline.progress.bar("estimate", 2 + len(set(running)), "steps") as bar,
    ):
        if "ingest" in running:
            drawn = sample_corpus(source.get("reader"), _READ_SECONDS, _KEEP)
        bar.advance()
        measuring = Measuring(pipeline.config, Path(folder), drawn, real, running, ports)
        measured = {step.stage.name: _measured(measuring, step.stage.name, bar) for step in steps}
        bar.advance()
        corpus = measuring.corpus()
        device = " and ".join(measuring.devices()) or "cpu"
    seconds = time.monotonic() - begun
    tried = Calibration(seconds, min(1.0, (time.process_time() - worked) / seconds), base_mb, measuring.loads)
    return _told(pipeline.config.execution, measured, corpus, device, tried)


@dataclass(frozen=True)
class Calibration:
    """What the trial took, and what backends cost when they are loaded."""

    seconds: float
    core_share: float
    base_mb: int
    loads: dict[str, Load]


def _measured(measuring: Measuring, name: str, bar: Bar) -> Measured:
    found = measuring.stage(name)
    if found.work is not None:
        bar.advance()
    return found


def _told(
    execution: ExecutionConfig, measured: dict[str, Measured], corpus: EstimatedCorpus, device: str, tried: Calibration
) -> Estimate:
    works = [one.work for one in measured.values() if one.work is not None]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    machine = Machine(execution.workers, cores, execution.shard_size)
    found = costs(works, tried.loads, machine, tried.base_mb)
    models = [work for work in works if MODELS in work.loads]
    return Estimate(
        corpus=corpus,
        rows=tuple(_row(name, one, found.get(name)) for name, one in measured.items()),
        total_seconds=sum(cost.seconds for cost in found.values()),
        model_seconds=sum(found[work.stage].record_seconds for work in models),
        workers=execution.workers,
        cores=cores,
        device=device,
        calibration_seconds=tried.seconds,
        core_share=tried.core_share,
        changes=tuple(_changes(works, tried.loads, machine)),
    )


def _row(name: str, one: Measured, cost: Cost | None) -> EstimatedStage:
    basis: Basis = "counted" if cost is None else one.basis
    return EstimatedStage(
        stage=name,
        up_to_date=cost is None,
        read=one.read,
        written=one.written,
        basis=basis,
        seconds=cost.seconds if cost else 0.0,
        memory_mb=cost.mb if cost else 0,
    )


def _changes(works: list[Work], loads: dict[str, Load], machine: Machine) -> list[EstimatedChange]:
    """The total with more workers, a core to each, and on several machines of this kind."""
    found = []
    for workers in _WORKERS:
        if workers > machine.workers:
            more = Machine(workers, max(workers, machine.cores), machine.shard_size)
            found.append(EstimatedChange(what=f"{workers} workers, a core each", seconds=total(works, loads, more)))
    for nodes in _NODES:
        more = Machine(machine.workers * nodes, machine.cores * nodes, machine.shard_size)
        found.append(
            EstimatedChange(what=f"{nodes} nodes of {machine.workers} workers", seconds=total(works, loads, more))
        )
    return found
