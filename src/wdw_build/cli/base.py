"""What commands share: open the configured pipeline or its run, and print results."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from wdw_build.core.config.settings import Config
from wdw_build.core.config_file import load_config
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import plain_settings
from wdw_build.dataset import Run, open_run
from wdw_build.dataset.run import CONFIG, stored_config
from wdw_build.errors import UsageError
from wdw_build.pipeline import STAGES, Pipeline


def open_pipeline(options: argparse.Namespace) -> Pipeline:
    """The pipeline of ``-c`` and ``--set``. ``-c`` is a configuration file, the folder of a run, or its ``output_dir``."""
    config = load_config(stored_config(options.config), options.overrides)
    return Pipeline(config, Progress(choose_mode(options.quiet)))


def complete_run(pipeline: Pipeline) -> Run:
    """The run of the pipeline. Raises ``UsageError`` unless all outputs are up to date and the run links to them."""
    return Run(pipeline.run_folder, STAGES, pipeline.ready())


def run_with_config(options: argparse.Namespace) -> tuple[Run, Config, Progress]:
    """The complete run of ``-c``, a configuration file or the folder of a run, and the configuration that it was built with.

    A run's folder is enough: its corpus and its models may be on another machine. Raises ``UsageError`` if the run is
    incomplete, or if its outputs were not made with the configuration.
    """
    if not options.config.is_dir():
        pipeline = open_pipeline(options)
        return complete_run(pipeline), pipeline.config, pipeline.progress
    run = open_run(options.config, STAGES, options.overrides).require_complete()
    config = load_config(run.folder / CONFIG)
    for table in (table for table in run.tables.values() if table.exists):
        made, given = table.manifest.ingredients.config, plain_settings(config.section(table.name))
        different = sorted(key for key in made.keys() & given.keys() if made[key] != given[key])
        if different:
            raise UsageError(
                f"{run.folder / CONFIG} has another {table.name}.{different[0]} than the run's output of {table.name}",
                hint="wdw-build all with the options of the run regenerates both",
            )
    return run, config, Progress(choose_mode(options.quiet))


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.buffer.write(jsonl.document(value))


def print_result(options: argparse.Namespace, value: Any, text: str) -> None:
    """Print a value as JSON with ``--json``, and as text without."""
    if options.json:
        print_json(value)
    else:
        print(text)
