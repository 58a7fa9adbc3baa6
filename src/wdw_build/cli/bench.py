"""``bench``: trains and evaluates systems on the dataset of a run, or of several pooled runs, and prints the table."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

import msgspec

from wdw_bench import rendering as bench_tables
from wdw_build.cli.base import complete_run, open_pipeline, print_json, print_result
from wdw_build.core.config.bench_settings import BenchConfig, Condition
from wdw_build.core.config.settings import Config
from wdw_build.core.progress import Progress, printable
from wdw_build.dataset import Run, open_run
from wdw_build.errors import ConfigError, UsageError
from wdw_build.pipeline import STAGES
from wdw_build.views import people
from wdw_build.views.table import Table, csv_text, latex, terminal

if TYPE_CHECKING:
    from wdw_bench.populations import GivenFile
    from wdw_bench.results import BenchResults, ConditionTable


def bench(options: argparse.Namespace) -> int:
    """``bench``. Raises ``UsageError`` unless all outputs are up to date."""
    if options.list:
        return _list(options)
    from wdw_bench.run import bench as measure

    pipeline = open_pipeline(options)
    pooled = [open_run(path, STAGES).require_complete() for path in options.pool]
    runs = [complete_run(pipeline), *pooled]
    config = _with_options(pipeline.config, options)
    if options.write_problems is not None:
        return _write(config, runs, pipeline.progress, options)
    if options.alternatives:
        raise UsageError("--alternatives needs --write-problems", hint="give --write-problems FILE --alternatives")
    given = [_given_file(argument) for argument in options.predictions]
    if options.learning_curve:
        if config.bench.evaluation == "cross-fitted":
            raise UsageError("--learning-curve measures the held-out evaluation", hint="omit --cross-fit")
        for share in (8, 4, 2):
            measure(config, runs, pipeline.progress, share=share, force=options.force)
    results = measure(config, runs, pipeline.progress, given, options.against, force=options.force)
    if options.json or options.format == "json":
        print_json(results)
    else:
        print(_asked(results, config.bench, options, people.read_people(runs[0])))
    return 0


def _asked(
    results: BenchResults, settings: BenchConfig, options: argparse.Namespace, humans: Sequence[people.PeopleResult]
) -> str:
    """The tables that this call was asked for, with human performance; ``bench.json`` may hold the other table too."""
    is_held_out, shown = settings.evaluation == "held-out", people.joined(results, humans)
    parts = [shown_systems(shown, options.against)] if is_held_out and "passage" in settings.conditions else []
    if shown.conditions is not None and (not is_held_out or settings.conditions != ("passage",)):
        parts += shown_conditions(shown.conditions)
    if humans:
        parts[-1].after.extend(["", *map(people.line, humans)])
    return rendered(parts, options.format)


def _given_file(argument: str) -> GivenFile:
    """``FILE``, or ``CONDITION=FILE``."""
    from wdw_bench.populations import GivenFile

    condition, separator, path = argument.partition("=")
    if separator and condition in get_args(Condition):
        return GivenFile(Path(path), cast(Condition, condition))
    return GivenFile(Path(argument))


def _write(config: Config, runs: Sequence[Run], progress: Progress, options: argparse.Namespace) -> int:
    from wdw_bench.problem_file import write_alternatives, write_problems

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
    from wdw_bench.systems import ordered_systems

    rows = [_described(name) for name in ordered_systems()]
    values = [dict(zip(("name", "group", "title", "source"), row, strict=True)) for row in rows]
    lines = (f"{name:<24} {group:<8} {title} ({source})" for name, group, title, source in rows)
    print_result(options, values, "\n".join(lines))
    return 0


class Shown(NamedTuple):
    """A table with the lines before and after it."""

    before: list[str]
    table: Table
    after: list[str]


def shown_systems(results: BenchResults, against: str | None = None) -> Shown:
    """The table of systems; ``against`` adds a column with McNemar's p values against that system."""
    before = [f"runs: {', '.join(results.runs)}; {bench_tables.setting(results)}", *bench_tables.provenance(results)]
    after = [*bench_tables.legend(results, against)]
    after += [f"warning: {warning}" for warning in bench_tables.warnings(results)]
    return Shown(before, bench_tables.systems(results, against), after)


def shown_conditions(results: ConditionTable) -> Iterator[Shown]:
    """The table of reading conditions, and the one of the differences between conditions."""
    warned = [f"warning: {warning}" for warning in bench_tables.condition_warnings(results)]
    before, table = list(bench_tables.condition_setting(results)), bench_tables.conditions(results)
    differences = bench_tables.differences(results, "difference")
    if differences is None:
        yield Shown(before, table, [bench_tables.LEGEND, *warned])
    else:
        yield Shown(before, table, [bench_tables.LEGEND])
        yield Shown([], differences, [bench_tables.differences_legend(results), *warned])


def rendered(shown: Iterable[Shown], form: str = "text") -> str:
    """Tables as text, Markdown, CSV (without the lines around a table) or LaTeX (with these lines as comments)."""
    parts = []
    for before, table, after in shown:
        if form == "csv":
            parts.append(csv_text(table))
        elif form == "latex":
            parts.append("\n".join([*(f"% {printable(line)}" for line in (*before, *after)), latex(table)]))
        elif form == "markdown":
            # Its template engine would slow down the start of every command.
            from wdw_build.views import markdown

            lines = ("\n\n".join(markdown.plain(line) for line in group) for group in (before, after))
            parts.append(f"\n\n{markdown.table(table)}\n\n".join(lines).strip())
        else:
            groups = ("\n".join(map(printable, before)), terminal(table), "\n".join(map(printable, after)))
            parts.append("\n\n".join(filter(None, groups)))
    return "\n\n".join(parts)
