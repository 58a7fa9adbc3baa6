"""``bench``: trains and evaluates systems on the dataset of a run, or of several pooled runs, and prints the table."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

import msgspec

from wdw_build.cli.base import complete_run, open_pipeline, print_json
from wdw_build.core.config.bench_settings import BenchConfig, Condition
from wdw_build.core.config.settings import Config
from wdw_build.core.progress import Progress, printable
from wdw_build.dataset import Run, open_run
from wdw_build.errors import ConfigError, UsageError
from wdw_build.pipeline import STAGES
from wdw_build.views import bench_tables, people
from wdw_build.views.table import terminal

if TYPE_CHECKING:
    from wdw_build.bench.populations import GivenFile
    from wdw_build.bench.results import BenchResults, ConditionTable


def bench(options: argparse.Namespace) -> int:
    """``bench``. Raises ``UsageError`` unless all outputs are up to date."""
    if options.list:
        return _list(options)
    from wdw_build.bench.run import bench as measure

    pipeline = open_pipeline(options)
    pooled = [open_run(path, STAGES).require_complete() for path in options.pool]
    runs = [complete_run(pipeline), *pooled]
    config = _with_options(pipeline.config, options)
    if options.write_problems is not None:
        return _write(config, runs, pipeline.progress, options)
    if options.alternatives:
        raise UsageError("--alternatives needs --write-problems", hint="give --write-problems FILE --alternatives")
    given = [_given_file(argument) for argument in options.predictions]
    results = measure(config, runs, pipeline.progress, given, options.against)
    if options.json:
        print_json(results)
    else:
        print(_asked(results, config.bench, options.against, people.read_people(runs[0])))
    return 0


def _asked(
    results: BenchResults, settings: BenchConfig, against: str | None, humans: Sequence[people.PeopleResult]
) -> str:
    """The tables that this call was asked for, with human performance; ``bench.json`` may hold the other table too."""
    is_held_out, shown = settings.evaluation == "held-out", people.joined(results, humans)
    parts = [text(shown, against)] if is_held_out and "passage" in settings.conditions else []
    if shown.conditions is not None and (not is_held_out or settings.conditions != ("passage",)):
        parts.append(conditions_text(shown.conditions))
    if humans:
        parts.append("\n".join(map(printable, people.lines(humans))))
    return "\n\n".join(parts)


def _given_file(argument: str) -> GivenFile:
    """``FILE``, or ``CONDITION=FILE``."""
    from wdw_build.bench.populations import GivenFile

    condition, separator, path = argument.partition("=")
    if separator and condition in get_args(Condition):
        return GivenFile(Path(path), cast(Condition, condition))
    return GivenFile(Path(argument))


def _write(config: Config, runs: Sequence[Run], progress: Progress, options: argparse.Namespace) -> int:
    from wdw_build.bench.problem_file import write_alternatives, write_problems

    path: Path = options.write_problems
    if options.alternatives:
        print(f"{write_alternatives(config, runs, path)} alternatives in {path}")
    else:
        print(f"{write_problems(config, runs, progress, path)} problems in {path}")
    return 0


def _with_options(config: Config, options: argparse.Namespace) -> Config:
    """The configuration with the options of the command line in the section ``bench``."""
    given = {
        "systems": tuple(map(str.strip, options.systems.split(","))) if options.systems else None,
        "train": options.train,
        "seeds": options.seeds,
        "conditions": _conditions(options.conditions) if options.conditions else None,
        "evaluation": "cross-fitted" if options.cross_fit else None,
        "folds": options.cross_fit,
    }
    changed = {name: value for name, value in given.items() if value is not None}
    return msgspec.structs.replace(config, bench=msgspec.structs.replace(config.bench, **changed))


def _conditions(text: str) -> tuple[Condition, ...]:
    """The reading conditions of the command line. Raises ``UsageError`` for an unknown one."""
    known = get_args(Condition)
    for name in text.split(","):
        if name not in known:
            raise UsageError(f"--conditions: no condition {printable(name)!r}", hint=f"conditions: {', '.join(known)}")
    return cast(tuple[Condition, ...], tuple(text.split(",")))


def _described(name: str) -> tuple[str, str, str, str]:
    """Name, group, title and source of a system; the error, if a package brings a system that cannot be loaded."""
    from wdw_build.registry import system_entry

    try:
        entry = system_entry(name)
    except ConfigError as error:
        return name, "broken", error.message, error.hint or ""
    return name, entry.group, entry.title, entry.source


def _list(options: argparse.Namespace) -> int:
    """Print the name and the source of every system."""
    from wdw_build.registry import system_names

    rows = [_described(name) for name in system_names()]
    if options.json:
        print_json([dict(zip(("name", "group", "title", "source"), row, strict=True)) for row in rows])
    else:
        print("\n".join(f"{name:<24} {group:<8} {title} ({source})" for name, group, title, source in rows))
    return 0


def text(results: BenchResults, against: str | None = None) -> str:
    """The table as text; ``against`` adds a column with McNemar's p value against that system."""
    lines = [f"runs: {', '.join(results.runs)}; {bench_tables.setting(results)}", ""]
    lines += [terminal(bench_tables.systems(results, against)), "", *bench_tables.legend(results, against)]
    lines += [f"warning: {printable(warning)}" for warning in bench_tables.warnings(results)]
    return "\n".join(lines)


def conditions_text(results: ConditionTable) -> str:
    """The table of reading conditions as text."""
    lines = [*bench_tables.condition_setting(results), ""]
    lines += [terminal(bench_tables.conditions(results)), "", bench_tables.LEGEND]
    differences = bench_tables.differences(results, "difference")
    if differences is not None:
        lines += ["", terminal(differences), "", bench_tables.differences_legend(results)]
    lines += [f"warning: {printable(warning)}" for warning in bench_tables.condition_warnings(results)]
    return "\n".join(lines)
