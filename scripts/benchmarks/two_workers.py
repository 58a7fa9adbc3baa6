"""The efficiency of two workers in the ``map`` stages: the time of one worker over twice the time of two.

Each round runs one command from the corpus to the problems, as a user does. Two workers load the models while the first
stages run; one worker loads them within its first stage that needs them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from benchmarks.measure import Figure, Goal, run_command
from benchmarks.setting import Line, Setting, forget_annotations
from wdw_build.core.config_file import as_yaml
from wdw_build.core.store.manifest import read_timing
from wdw_build.pipeline import STAGES, Pipeline

_WORKERS = 2
_STAGES = ("sentences", "questions", "retrieve", "choices")


def _run(pipeline: Pipeline) -> dict[str, float]:
    """Run all stages up to the last measured one; return the seconds that each measured stage recorded."""
    forget_annotations(pipeline)
    config = pipeline.root / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(as_yaml(pipeline.config), encoding="utf-8")
    stages = ("--from", STAGES[0].name, "--to", _STAGES[-1])
    run_command(sys.executable, "-m", "wdw_build.cli", "run", *stages, "--force", "-q", "-c", config)
    timings = {stage: read_timing(pipeline.run_folder / stage) for stage in _STAGES}
    return {stage: timing.seconds if timing else float("nan") for stage, timing in timings.items()}


def _efficiency(stage: str, read: int, one: Sequence[float], two: Sequence[float]) -> Figure:
    return Figure(
        f"two-workers-{stage}",
        f"efficiency of {_WORKERS} workers in `{stage}`",
        [single / (_WORKERS * double) for single, double in zip(one, two, strict=True)],
        "",
        Goal("≥", 0.85),
        f"{read} read",
        {"1 worker": f"{min(one):.3g} s", f"{_WORKERS} workers": f"{min(two):.3g} s"},
    )


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the efficiency in every stage that uses models or the index."""
    if len(os.sched_getaffinity(0)) < _WORKERS:
        raise SystemExit(f"two-workers needs {_WORKERS} cores")
    one, two = (setting.prepared(LINE.name, setting.size(8000, 120), workers) for workers in (1, _WORKERS))
    singles: list[dict[str, float]] = []
    doubles: list[dict[str, float]] = []
    setting.in_turn(LINE.name, lambda: singles.append(_run(one)), lambda: doubles.append(_run(two)))
    return [
        _efficiency(
            stage,
            one.output(stage).manifest.read,
            [taken[stage] for taken in singles],
            [taken[stage] for taken in doubles],
        )
        for stage in _STAGES
    ]


LINE = Line(
    "two-workers",
    "two workers : one, in `sentences`, `questions`, `retrieve` and `choices`",
    measure,
    cores=2,
)
