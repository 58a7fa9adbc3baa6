"""The time of a command that has nothing to do, as a process."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measure import Figure, Goal, run_wdw_build, seconds
from benchmarks.setting import Line, Setting
from wdw_build.pipeline.config.file import as_yaml


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the seconds of ``all`` on a run that is up to date, and of ``--help``."""
    pipeline = setting.prepared(LINE.name, full=None)
    pipeline.run()
    config = setting.work / f"{LINE.name}.yaml"
    config.write_text(as_yaml(pipeline.config), encoding="utf-8")
    timed: dict[str, list[float]] = {"all": [], "help": []}
    run_wdw_build("all", "-q", "-c", str(config))
    for _ in range(setting.rounds):
        timed["all"].append(seconds(lambda: run_wdw_build("all", "-q", "-c", str(config))))
        timed["help"].append(seconds(lambda: run_wdw_build("--help")))
    size = f"{pipeline.output('ingest').manifest.read} articles"
    return [
        Figure(f"{LINE.name}-all", "`wdw-build all` with nothing to do", timed["all"], "s", Goal("<", 1.5), size),
        Figure(f"{LINE.name}-help", "`wdw-build --help`", timed["help"], "s", Goal("<", 0.3), ""),
    ]


LINE = Line("startup", "`wdw-build all` with nothing to do; `--help`", measure, rounds=10)
