"""What commands share: open the configured pipeline or its run, and print results."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wdw_build.config.file import load_config
from wdw_build.config.settings import Config
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import plain_settings
from wdw_build.dataset import Run, open_run
from wdw_build.dataset.run import CONFIG, stored_config
from wdw_build.errors import UsageError
from wdw_build.pipeline import STAGES, Pipeline


def open_pipeline(config: Path, overrides: Sequence[str], *, quiet: bool, workers: int | None = None) -> Pipeline:
    """The pipeline of ``-c``, ``--set`` and ``-j``.

    ``config`` is a configuration file, the folder of a run, or its ``output_dir``. ``workers`` wins over the configuration.
    """
    given = [] if workers is None else [f"execution.workers={workers}"]
    return Pipeline(load_config(stored_config(config), [*overrides, *given]), progress_of(quiet=quiet))


def progress_of(*, quiet: bool) -> Progress:
    """The log and the progress bars of a command."""
    return Progress(choose_mode(quiet))


def complete_run(pipeline: Pipeline) -> Run:
    """The run of the pipeline. Raises ``UsageError`` unless all outputs are up to date and the run links to them."""
    return Run(pipeline.run_folder, STAGES, pipeline.ready())


def run_with_config(path: Path, overrides: Sequence[str], progress: Progress) -> tuple[Run, Config]:
    """The complete run of ``-c``, a configuration file or the folder of a run, and the configuration that it was built with.

    A run's folder is enough: its corpus and its models may be on another machine. Raises ``UsageError`` if the run is
    incomplete, or if its outputs were not made with the configuration.
    """
    if not path.is_dir():
        pipeline = Pipeline(load_config(path, overrides), progress)
        return complete_run(pipeline), pipeline.config
    run = open_run(path, STAGES, overrides).require_complete()
    config = load_config(run.folder / CONFIG)
    for table in (table for table in run.tables.values() if table.exists):
        made, given = table.manifest.ingredients.config, plain_settings(config.section(table.name))
        different = sorted(key for key in made.keys() & given.keys() if made[key] != given[key])
        if different:
            raise UsageError(
                f"{run.folder / CONFIG} has another {table.name}.{different[0]} than the run's output of {table.name}",
                hint="wdw-build all with the options of the run regenerates both",
            )
    return run, config


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.buffer.write(jsonl.document(value))


def print_result(value: Any, text: str, *, as_json: bool) -> None:
    """Print a value as JSON with ``--json``, and as text without."""
    if as_json:
        print_json(value)
    else:
        print(text)
