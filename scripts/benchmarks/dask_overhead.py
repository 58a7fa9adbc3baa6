"""``wdw-build all`` on a dask cluster of two workers on this machine compared with two local workers.

Both run as commands in an empty folder on the same two cores. The time includes starting the processes and loading the
models; both make the same bytes, which the benchmark checks.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

import msgspec

from benchmarks.measure import Figure, Goal, run_command
from benchmarks.setting import Line, Setting
from wdw_build.core.config_file import as_yaml
from wdw_build.pipeline import ON_DEMAND, STAGES, Pipeline

_WORKERS = 2


class DifferentOutputsError(Exception):
    """The engines made different outputs, so their times cannot be compared."""


def _on(engine: str, base: Pipeline) -> Pipeline:
    execution = msgspec.structs.replace(base.config.execution, engine=engine)
    config = msgspec.structs.replace(base.config, output_dir=f"{base.root}-{engine}", execution=execution)
    return Pipeline(config, base.progress)


def _run(pipeline: Pipeline) -> None:
    shutil.rmtree(pipeline.root, ignore_errors=True)
    pipeline.root.mkdir(parents=True)
    config = pipeline.root / "config.yaml"
    config.write_text(as_yaml(pipeline.config), encoding="utf-8")
    run_command(sys.executable, "-m", "wdw_build.cli", "all", "-q", "-c", config)


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the time on dask over the time of local workers."""
    if len(os.sched_getaffinity(0)) < _WORKERS:
        raise SystemExit(f"{LINE.name} needs {_WORKERS} cores")
    base = setting.prepared(LINE.name, setting.articles or (120 if setting.quick else None), _WORKERS)
    local, dask = _on("local", base), _on("dask", base)
    timed = setting.in_turn(LINE.name, lambda: _run(dask), lambda: _run(local))
    # A stage that runs on demand has no output here.
    for stage in (one for one in STAGES if one.name not in ON_DEMAND):
        if local.output(stage.name).manifest.content_hash != dask.output(stage.name).manifest.content_hash:
            raise DifferentOutputsError(f"{stage.name} differs between the engines")
    read = local.output(STAGES[0].name).manifest.read
    notes = {"dask": f"{min(ours for ours, _ in timed):.3g} s", "local": f"{min(other for _, other in timed):.3g} s"}
    shares = [ours / other for ours, other in timed]
    return [
        Figure(
            LINE.name, "time on dask : time of local workers", shares, "x", Goal("≤", 1.05), f"{read} articles", notes
        )
    ]


LINE = Line("dask-overhead", "`all` on dask : on local workers, two workers each", measure, rounds=3, cores=2)
