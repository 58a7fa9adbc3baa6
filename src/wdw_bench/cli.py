"""``bench``: trains and evaluates systems on the dataset of a run, or of several pooled runs, and prints the table."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import msgspec
from typer import Option

from wdw_bench.conditions import CONDITIONS
from wdw_bench.rendering import Form, rendered
from wdw_build.api import Config, ConfigError, MissingResourceError, Progress, Run, UsageError, load_run, printable
from wdw_build.command import CONFIG_FILE, Json, Overrides, Quiet, Workers
from wdw_build.command.opened import complete_run, open_built, print_result
from wdw_build.reading.settings import Condition

if TYPE_CHECKING:
    from wdw_bench.populations import GivenFile


_LIBRARIES = ("safetensors", "transformers")


def bench(
    overrides: Overrides,
    config: Annotated[
        Path | None,
        Option("-c", "--config", metavar="FILE", help=f"{CONFIG_FILE} (required without --list)"),
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
    workers: Workers = None,
    systems: Annotated[
        str | None,
        Option(
            "--systems",
            metavar="NAMES",
            help="systems or groups, such as 'probes, word-overlap' or 'all but neural' (default: bench.systems, or all)",
        ),
    ] = None,
    wants_list: Annotated[bool, Option("--list", help="print the names of all systems")] = False,
    pool: Annotated[
        list[Path] | None,
        Option(
            "--pool",
            metavar="RUN",
            help="also use the problems of another complete run: its configuration or folder (may be repeated)",
        ),
    ] = None,
    conditions: Annotated[
        str | None,
        Option(
            "--conditions",
            metavar="NAMES",
            help="conditions in which systems read problems, separated by commas: passage, without, codes, "
            "codes-without (default: bench.conditions)",
        ),
    ] = None,
    cross_fit: Annotated[
        int | None,
        Option(
            "--cross-fit",
            min=3,
            metavar="K",
            help="answer every problem with systems trained on other events, in K folds",
        ),
    ] = None,
    write_problems: Annotated[
        Path | None,
        Option(
            "--write-problems",
            metavar="FILE",
            help="write the problems without answers, for an external model; requires one condition (--conditions)",
        ),
    ] = None,
    alternatives: Annotated[
        bool,
        Option(
            "--alternatives",
            help="with --write-problems: write every alternative after dedup, for a model in adversary.systems",
        ),
    ] = False,
    predictions: Annotated[
        list[str] | None,
        Option(
            "--predictions",
            metavar="[CONDITION=]FILE",
            help="also score another system's predictions from a JSON Lines file (may be repeated)",
        ),
    ] = None,
    form: Annotated[Form, Option("--format", help="format of the tables")] = "text",
    force: Annotated[
        bool, Option("--force", help="train and answer again, even where the predictions are there")
    ] = False,
    against: Annotated[
        str | None, Option("--against", metavar="SYSTEM", help="print McNemar's p value of each system against SYSTEM")
    ] = None,
) -> None:
    """``bench``. Raises ``UsageError`` unless all outputs are up to date."""
    if wants_list:
        _list(as_json=as_json)
        return
    if config is None:
        raise UsageError("Missing option '-c' / '--config'.", hint="wdw-build bench --help")
    _require_extra()
    from wdw_bench.run import bench as measure

    pipeline = open_built(config, overrides, quiet=quiet, workers=workers)
    runs = [complete_run(pipeline), *(load_run(path).require_complete() for path in pool or ())]
    options = {
        "systems": tuple(map(str.strip, systems.split(","))) if systems else None,
        "conditions": _conditions(conditions) if conditions else None,
        "evaluation": "cross-fitted" if cross_fit else None,
    }
    changed = {name: value for name, value in options.items() if value is not None}
    settings = msgspec.structs.replace(pipeline.config.bench, **changed)
    changed_config = msgspec.structs.replace(pipeline.config, bench=settings)
    if write_problems is not None:
        _write(changed_config, runs, pipeline.progress, write_problems, alternatives=alternatives)
        return
    if alternatives:
        raise UsageError("--alternatives needs --write-problems", hint="give --write-problems FILE --alternatives")
    files = [_given_file(argument) for argument in predictions or ()]
    results = measure(changed_config, runs, pipeline.progress, files, against, folds=cross_fit, force=force)
    print_result(results, rendered(results, against, form), as_json=as_json)


def _require_extra() -> None:
    """Raise ``MissingResourceError`` unless the libraries of the extra ``bench`` are installed."""
    if missing := [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]:
        raise MissingResourceError(
            f"wdw-build bench needs {' and '.join(missing)}", hint="pip install 'wdw-build[bench]'"
        )


def _given_file(argument: str) -> GivenFile:
    """``FILE``, or ``CONDITION=FILE``."""
    from wdw_bench.populations import GivenFile

    condition, separator, path = argument.partition("=")
    if separator and condition in CONDITIONS:
        return GivenFile(Path(path), condition)
    return GivenFile(Path(argument))


def _write(config: Config, runs: Sequence[Run], progress: Progress, path: Path, *, alternatives: bool) -> None:
    from wdw_bench.problem_file import write_alternatives, write_problems

    if alternatives:
        print(f"{write_alternatives(config, runs, path)} alternatives in {path}")
    else:
        print(f"{write_problems(config, runs, progress, path)} problems in {path}")


def _conditions(text: str) -> tuple[Condition, ...]:
    """The reading conditions of the command line. Raises ``UsageError`` for an unknown one."""
    names = tuple(text.split(","))
    for name in names:
        if name not in CONDITIONS:
            raise UsageError(
                f"--conditions: no condition {printable(name)!r}", hint=f"conditions: {', '.join(CONDITIONS)}"
            )
    return cast(tuple[Condition, ...], names)


def _described(name: str) -> tuple[str, str, str, str]:
    """Name, group, title and source of a system; the error, if a package brings a system that cannot be loaded."""
    from wdw_build.api import system_entry

    try:
        entry = system_entry(name)
    except ConfigError as error:
        return name, "broken", error.message, error.hint or ""
    return name, entry.group, entry.title, entry.source


def _list(*, as_json: bool) -> None:
    """Print the name and the source of every system."""
    from wdw_bench.systems import ordered_systems

    rows = [_described(name) for name in ordered_systems()]
    values = [dict(zip(("name", "group", "title", "source"), row, strict=True)) for row in rows]
    lines = (f"{name:<24} {group:<8} {title} ({source})" for name, group, title, source in rows)
    print_result(values, "\n".join(lines), as_json=as_json)
