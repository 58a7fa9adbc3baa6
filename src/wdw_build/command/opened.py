"""What commands share: open the configured pipeline or its run, and print results."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.store import jsonl
from wdw_build.errors import READ_ONLY, UsageError, WdwError
from wdw_build.pipeline.config.file import STORED_CONFIG, load_config
from wdw_build.pipeline.config.settings import Config
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.views.dataset import Run
from wdw_build.views.dataset.run import run_folder


def open_pipeline(path: Path, overrides: Sequence[str], *, quiet: bool, workers: int | None = None) -> Pipeline:
    """The pipeline of ``-c``, ``--set`` and ``-j``.

    ``path`` is a configuration file, the folder of a run, or its ``output_dir``. ``workers`` wins over the configuration.
    """
    return Pipeline(_given_config(path, [*overrides, *_workers(workers)]), progress_of(quiet=quiet))


def _workers(workers: int | None) -> list[str]:
    """The override of ``-j``."""
    return [] if workers is None else [f"execution.workers={workers}"]


def open_built(path: Path, overrides: Sequence[str], *, quiet: bool, workers: int | None = None) -> Pipeline:
    """The pipeline of a command that reads a run. The folder of a run is read as it was built, and without its corpus."""
    as_built = run_folder(path) if path.is_dir() else None
    config = _given_config(path, [*overrides, *_workers(workers)], only_reads=True)
    return Pipeline(config, progress_of(quiet=quiet), as_built=as_built)


def _given_config(path: Path, overrides: Sequence[str] = (), *, only_reads: bool = False) -> Config:
    """The configuration of a file, or of the run of a folder: its ``output_dir`` is where the folder is now.

    Raises ``ConfigError``, and ``UsageError`` if an ``output_dir`` has several runs, or if a run is not in an ``output_dir``.
    ``only_reads``: the run may be a copy that is anywhere, if it has copies of the outputs in place of links.
    """
    folder = run_folder(path) if path.is_dir() else None
    if folder is None or not (folder / STORED_CONFIG).is_file():
        return load_config(path, overrides)
    config, stored = load_config(folder / STORED_CONFIG, overrides), load_config(folder / STORED_CONFIG)
    former = Path(stored.output_dir) / "runs" / stored.run
    if former.resolve() == folder:
        return config
    if folder.parent.name != "runs":
        if only_reads and not any(path.is_symlink() and not path.exists() for path in folder.iterdir()):
            return config
        raise UsageError(
            f"{folder} was moved: its configuration builds in {former}",
            hint="move the whole output_dir: the folder of a run has links to its outputs",
        )
    return msgspec.structs.replace(
        config,
        run=folder.name if config.run == stored.run else config.run,
        output_dir=str(folder.parents[1]) if config.output_dir == stored.output_dir else config.output_dir,
    )


def progress_of(*, quiet: bool) -> Progress:
    """The log and the progress bars of a command."""
    return Progress(choose_mode(quiet))


def complete_run(pipeline: Pipeline) -> Run:
    """The run of the pipeline. Raises ``UsageError`` as ``Pipeline.ready``."""
    return Run(pipeline.run_folder, pipeline.ready())


@contextmanager
def option_for_output(place: Path, option: str) -> Iterator[None]:
    """Raise a ``WdwError`` that names ``option`` if an output may not be written to ``place``, a file or folder."""
    try:
        yield
    except OSError as error:
        failed = Path(os.fsdecode(error.filename or ""))
        if error.errno not in READ_ONLY or not (failed.is_relative_to(place) or place.is_relative_to(failed)):
            raise
        raise WdwError(f"{error.strerror}: {error.filename}", hint=f"{option} names another place") from error


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.buffer.write(jsonl.document(value))


def print_result(value: Any, text: str, *, as_json: bool) -> None:
    """Print a value as JSON with ``--json``, and as text without."""
    if as_json:
        print_json(value)
    else:
        print(text)
