"""The efficiency of two workers in the ``map`` stages: the time of one worker over twice the time of two.

Each stage runs as a new command, so its time includes loading the models in every worker.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from benchmarks.measure import Figure, Goal, run_command
from benchmarks.passages import forget_annotations
from benchmarks.setting import Line, Setting
from wdw_build.core.config.loading import as_yaml
from wdw_build.core.store.manifest import read_timing
from wdw_build.pipeline import STAGES, Pipeline

_WORKERS = 2


def _run(pipeline: Pipeline, stage: str) -> float:
    """Run a stage; return the seconds that it recorded."""
    forget_annotations(pipeline)
    config = pipeline.root / "config.yaml"
    config.write_text(as_yaml(pipeline.config), encoding="utf-8")
    run_command(sys.executable, "-m", "wdw_build.cli", "run", stage, "--force", "-q", "-c", config)
    timing = read_timing(pipeline.run_folder / stage)
    return timing.seconds if timing else float("nan")


def _efficiency(setting: Setting, stage: str, one: Pipeline, two: Pipeline) -> Figure:
    taken: dict[int, list[float]] = {1: [], _WORKERS: []}
    setting.in_turn(
        f"{LINE.name}-{stage}",
        lambda: taken[1].append(_run(one, stage)),
        lambda: taken[_WORKERS].append(_run(two, stage)),
    )
    shares = [single / (_WORKERS * double) for single, double in zip(taken[1], taken[_WORKERS], strict=True)]
    made = one.output(stage).manifest
    notes = {f"{workers} worker{'s' * (workers > 1)}": f"{min(found):.3g} s" for workers, found in taken.items()}
    return Figure(
        f"two-workers-{stage}",
        f"efficiency of {_WORKERS} workers in `{stage}`",
        shares,
        "",
        Goal("≥", 0.85),
        f"{made.read} read",
        notes,
    )


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the efficiency of every ``map`` stage that has records."""
    articles = setting.articles or (120 if setting.quick else None)
    one, two = (setting.prepared(LINE.name, articles, workers) for workers in (1, _WORKERS))
    mapped = [stage.name for stage in STAGES if stage.scope == "map" and stage.reads and stage.ports]
    one.run(mapped)
    if len(os.sched_getaffinity(0)) < _WORKERS:
        raise SystemExit(f"two-workers needs {_WORKERS} cores")
    return [_efficiency(setting, stage, one, two) for stage in mapped]


LINE = Line(
    "two-workers",
    "two workers : one, in `sentences`, `questions`, `retrieve` and `choices`",
    measure,
    rounds=3,
    cores=2,
)
