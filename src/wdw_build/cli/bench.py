"""``bench``: trains and evaluates systems on the dataset of a run, or of several pooled runs, and prints the table."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from wdw_build.cli.base import complete_run, open_pipeline, print_json
from wdw_build.cli.render import table
from wdw_build.core.config.settings import Config
from wdw_build.core.run.progress import printable
from wdw_build.dataset import open_run
from wdw_build.errors import UsageError
from wdw_build.pipeline import STAGES
from wdw_build.views import system_table

if TYPE_CHECKING:
    from wdw_build.bench.results import BenchResults


def bench(options: argparse.Namespace) -> int:
    """``bench``. Raises ``UsageError`` unless all outputs are up to date."""
    if options.list:
        return _list(options)
    from wdw_build.bench.run import bench as measure

    pipeline = open_pipeline(options)
    pooled = [open_run(path, STAGES).require_complete() for path in options.pool]
    runs = [complete_run(pipeline), *pooled]
    results = measure(_with_options(pipeline.config, options), runs, pipeline.progress, options.predictions)
    if options.json:
        print_json(results)
    else:
        print(text(results, options.against))
    return 0


def _with_options(config: Config, options: argparse.Namespace) -> Config:
    """The configuration with the options of the command line in the section ``bench``."""
    given = {
        "systems": tuple(options.systems.split(",")) if options.systems else None,
        "train": options.train,
        "seeds": options.seeds,
    }
    changed = {name: value for name, value in given.items() if value is not None}
    return msgspec.structs.replace(config, bench=msgspec.structs.replace(config.bench, **changed))


def _list(options: argparse.Namespace) -> int:
    """Print the name and the source of every system."""
    from wdw_build.registry import system_entry, system_names

    rows = [
        (name, entry.group, entry.title, entry.source) for name in system_names() for entry in (system_entry(name),)
    ]
    if options.json:
        print_json([dict(zip(("name", "group", "title", "source"), row, strict=True)) for row in rows])
    else:
        print("\n".join(f"{name:<24} {group:<8} {title} ({source})" for name, group, title, source in rows))
    return 0


def text(results: BenchResults, against: str | None = None) -> str:
    """The table as text; ``against`` adds a column with McNemar's p value against that system.

    Raises ``UsageError`` if there is no such system.
    """
    lines = [f"runs: {', '.join(results.runs)}; {system_table.setting(results)}", ""]
    head = ("system", *system_table.HEAD)
    rows: list[Sequence[str]] = [head, ("chance", *system_table.chance_cells(results))]
    for group, systems in system_table.groups(results):
        rows.append((f"[{group}]", *[""] * len(system_table.HEAD)))
        rows += [(f"  {printable(row.name)}", *system_table.cells(row)) for row in systems]
    if against is not None:
        rows = [(*row, value) for row, value in zip(rows, _p_values(results, against, rows), strict=True)]
    lines.append(table(rows))
    lines += [f"warning: {warning}" for warning in system_table.warnings(results, printable)]
    return "\n".join(lines)


def _p_values(results: BenchResults, against: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """A cell for each row of the table: McNemar's p value of its system against another one."""
    names = [row.name for row in results.systems]
    if against not in names:
        raise UsageError(f"--against: no system {against!r} in the table", hint=f"systems: {', '.join(names)}")
    p = {}
    for test in results.comparisons:
        if against in (test.first, test.second):
            p[test.second if test.first == against else test.first] = f"{test.p:.3f}"
    return [f"p against {against}", *(p.get(row[0].strip(), "") for row in rows[1:])]
