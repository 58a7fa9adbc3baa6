"""Estimates a plan: reads a sample, measures every stage, and adds up the costs."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wdw_build.core.config.settings import ExecutionConfig
from wdw_build.core.run.peak_memory import tree_kb
from wdw_build.core.stage import PortSource
from wdw_build.estimate.costs import MODELS, BackendLoad, Cost, Machine, StageWork, costs, total
from wdw_build.estimate.measure import Measured, Measuring
from wdw_build.estimate.projection import Estimate, EstimatedChange, EstimatedCorpus, EstimatedStage, ExpectedProblems
from wdw_build.estimate.sample import CorpusSample, sample_corpus
from wdw_build.estimate.strict import expected_problems
from wdw_build.pipeline import Pipeline
from wdw_build.ports import READER

_READ_SECONDS = 4.0
_WORKERS = (2, 4, 8, 16)
_NODES = (2, 4)


@dataclass(frozen=True)
class _Trial:
    """The measured stages, and the time, processor share and memory of the measurement itself."""

    measured: Mapping[str, Measured]
    corpus: EstimatedCorpus
    device: str
    loads: Mapping[str, BackendLoad]
    seconds: float
    core_share: float
    base_mb: int
    problems: ExpectedProblems | None


def estimate(
    pipeline: Pipeline, names: Sequence[str] | None, running: Collection[str], ports: PortSource | None = None
) -> Estimate:
    """Estimate the stages ``running`` of the plan for ``names`` (None: all).

    Takes at most about half a minute on an idle machine. ``ports`` replaces the configured backends (tests). Raises the
    errors of the stages, such as ``CorpusError``.
    """
    return _estimate(pipeline.config.execution, _try(pipeline, names, running, ports))


def _try(pipeline: Pipeline, names: Sequence[str] | None, running: Collection[str], ports: PortSource | None) -> _Trial:
    begun, cpu_begun = time.monotonic(), time.process_time()
    base_mb = tree_kb() // 1024
    steps = pipeline.plan(names)
    stages = [step.stage for step in steps]
    finished = {step.stage.name: step.output for step in steps if step.output and step.stage.name not in running}
    with (
        tempfile.TemporaryDirectory(prefix="wdw-estimate-") as folder,
        pipeline.progress.bar("estimate", 1 + len(stages), "steps") as bar,
    ):
        sample = CorpusSample()
        if stages[0].name in running:
            reader = (ports or pipeline.ports).get(READER)
            sample = sample_corpus(reader, _READ_SECONDS, stages[0].trial.most)
        bar.advance()
        measuring = Measuring(pipeline.config, Path(folder), stages, sample, finished, ports)
        measured = {}
        for stage in stages:
            measured[stage.name] = measuring.stage(stage)
            bar.advance()
        problems = expected_problems(measuring, measured, finished)
        corpus, device = measuring.corpus(), " and ".join(measuring.devices()) or "cpu"
    seconds = time.monotonic() - begun
    core_share = min(1.0, (time.process_time() - cpu_begun) / seconds)
    return _Trial(measured, corpus, device, measuring.loads, seconds, core_share, base_mb, problems)


def _estimate(execution: ExecutionConfig, trial: _Trial) -> Estimate:
    works = [measured.work for measured in trial.measured.values() if measured.work is not None]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    machine = Machine(execution.workers, cores, execution.shard_size)
    by_stage = costs(works, trial.loads, machine, trial.base_mb)
    return Estimate(
        corpus=trial.corpus,
        rows=tuple(_row(name, measured, by_stage.get(name)) for name, measured in trial.measured.items()),
        total_seconds=sum(cost.seconds for cost in by_stage.values()),
        model_seconds=sum(by_stage[work.stage].record_seconds for work in works if MODELS in work.loads),
        workers=execution.workers,
        cores=cores,
        device=trial.device,
        calibration_seconds=trial.seconds,
        core_share=trial.core_share,
        problems=trial.problems,
        changes=tuple(_changes(works, trial.loads, machine)),
    )


def _row(name: str, measured: Measured, cost: Cost | None) -> EstimatedStage:
    return EstimatedStage(
        stage=name,
        up_to_date=cost is None,
        read=measured.read,
        written=measured.written,
        basis=measured.basis,
        seconds=cost.seconds if cost else 0.0,
        memory_mb=cost.mb if cost else 0,
    )


def _changes(works: list[StageWork], loads: Mapping[str, BackendLoad], machine: Machine) -> list[EstimatedChange]:
    """The total time with more workers, a core for each, and on several machines of this kind."""
    machines = {
        f"{workers} workers, a core each": Machine(workers, max(workers, machine.cores), machine.shard_size)
        for workers in _WORKERS
        if workers > machine.workers
    }
    for nodes in _NODES:
        more = Machine(machine.workers * nodes, machine.cores * nodes, machine.shard_size)
        machines[f"{nodes} nodes of {machine.workers} workers"] = more
    return [EstimatedChange(what=what, seconds=total(works, loads, other)) for what, other in machines.items()]
