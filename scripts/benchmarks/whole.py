"""``wdw-build all`` with ``preset: paper`` compared with ``straightforward.py``, which makes the same problems by plain loops.

The benchmark checks that both make the same problems. Both run as commands, in an empty folder and on the same core, and
the time includes loading the models.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.measure import Figure, Goal, run_command, run_wdw_build, speeds, times_faster
from benchmarks.setting import Line, Setting, as_paper, stored
from benchmarks.straightforward import row_of
from wdw_build.pipeline.config.file import as_yaml
from wdw_build.pipeline.pipeline import Pipeline


class DifferentProblems(Exception):
    """The two sides made different problems, so their times cannot be compared."""


def ours(pipeline: Pipeline, config: Path) -> None:
    """Run ``wdw-build all`` without an earlier output."""
    shutil.rmtree(pipeline.root, ignore_errors=True)
    run_wdw_build("all", "-q", "-c", config)


def plain(config: Path, out: Path) -> None:
    """Run ``straightforward.py``."""
    script = Path(__file__).with_name("straightforward.py")
    run_command(sys.executable, "-P", script, "--config", config, "--out", out)


def our_rows(pipeline: Pipeline) -> dict[str, dict[str, Any]]:
    """The problems of ``wdw-build`` in the form of ``straightforward.py``, by id."""
    placed = {one.id: one.split for one in stored(pipeline, "split")}
    return {
        one.id: row_of(one.question, one.passage.article, one.choices, one.answer, placed.get(one.id, ""))
        for one in stored(pipeline, "problems")
    }


def differences(mine: dict[str, dict[str, Any]], theirs: dict[str, dict[str, Any]]) -> list[str]:
    """A line for each problem that only one side has, and for each field that differs."""
    lines = [f"{name}: only one side has it" for name in sorted(mine.keys() ^ theirs.keys())]
    for name in sorted(mine.keys() & theirs.keys()):
        lines += [
            f"{name}: {field}: {value!r}, the yardstick {theirs[name][field]!r}"
            for field, value in mine[name].items()
            if value != theirs[name][field]
        ]
    return lines


def read_rows(path: Path) -> dict[str, dict[str, Any]]:
    """The problems of ``straightforward.py``, by id."""
    return {row["id"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the speed as a multiple of the yardstick's. Raises ``DifferentProblems``."""
    config = as_paper(setting.config)
    # The first articles of a corpus may give few problems.
    config = msgspec.structs.replace(config, suppress=msgspec.structs.replace(config.suppress, min_kept=1))
    pipeline = dataclasses.replace(setting, config=config).prepared(LINE.name, full=3000)
    file, out = (setting.work / f"{LINE.name}.{suffix}" for suffix in ("yaml", "jsonl"))
    file.write_text(as_yaml(pipeline.config), encoding="utf-8")
    timed = setting.in_turn(LINE.name, lambda: ours(pipeline, file), lambda: plain(file, out))
    mine, theirs = our_rows(pipeline), read_rows(out)
    if wrong := differences(mine, theirs):
        raise DifferentProblems(f"{len(wrong)} differences between ours and the yardstick:\n" + "\n".join(wrong[:20]))
    read = pipeline.output("ingest").manifest.read
    return [
        Figure(
            LINE.name,
            "articles/s with `preset: paper`, times the plain loops'",
            times_faster(timed),
            "x",
            Goal("≥", 8),
            f"{read} articles, {len(mine)} problems",
            {**speeds(timed, read, "articles"), "problems": "the same"},
        )
    ]


LINE = Line("whole", "`wdw-build all` : `straightforward.py`, both with `preset: paper`", measure, rounds=2)
