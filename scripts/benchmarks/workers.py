"""The wall time of a whole build with a worker for each of two cores, compared with one worker.

Each build is a process of its own and begins from nothing, with what a user waits for: loading libraries and models too. The
share above one half is what runs on one core (the n-gram model, the selection, the loading of models) and what workers repeat.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from benchmarks.measure import Figure, Goal, run_wdw_build
from benchmarks.setting import Line, Setting
from wdw_build.core.store.manifest import read_timing
from wdw_build.pipeline.config.file import as_yaml

_CORES = 2


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the seconds of ``all`` with two workers as a share of those with one."""
    pipeline = setting.prepared(LINE.name, full=None)
    config = setting.work / f"{LINE.name}.yaml"
    config.write_text(as_yaml(pipeline.config), encoding="utf-8")

    def build(workers: int) -> None:
        run_wdw_build("all", "-q", "-j", str(workers), "-c", str(config))

    # The faster side is "ours", so that the ratio is its share.
    taken = setting.in_turn(
        LINE.name,
        lambda: build(_CORES),
        lambda: build(1),
        before=lambda: shutil.rmtree(pipeline.root, ignore_errors=True),
    )
    timings = [
        read_timing(pipeline.output(stage.name).folder) for stage in pipeline.stages if stage.name != "pseudonyms"
    ]
    notes = {
        "one worker": f"{min(one for _, one in taken):.0f} s",
        "two": f"{min(two for two, _ in taken):.0f} s",
        "most memory of a process": f"{max(timing.peak_mb for timing in timings if timing)} MB",
    }
    size = f"{pipeline.output('ingest').manifest.read} articles, preset {pipeline.config.preset}"
    shares = [two / one for two, one in taken]
    return [Figure(LINE.name, "seconds with two workers : with one", shares, "x", Goal("≤", 0.62), size, notes)]


LINE = Line("workers", "`wdw-build all` with two workers : with one", measure, rounds=1, cores=_CORES)
