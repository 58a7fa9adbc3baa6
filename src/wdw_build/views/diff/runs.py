"""A finished run, opened by its configuration file or by its folder: what its links lead to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wdw_build.core.config.loading import load_config, read_yaml
from wdw_build.core.stage import Stage
from wdw_build.core.store.output import Output
from wdw_build.errors import UsageError

CONFIG = "config.yaml"


@dataclass(frozen=True)
class Run:
    """A complete run whose stages fit together."""

    folder: Path
    outputs: dict[str, Output]

    @property
    def name(self) -> str:
        """The run's name."""
        return self.folder.name

    def config(self) -> dict[str, Any]:
        """The configuration of the last call that ran stages, as it was written down; empty if it is gone."""
        path = self.folder / CONFIG
        return read_yaml(path) if path.exists() else {}


def open_run(path: Path, stages: Iterable[Stage], overrides: Sequence[str] = ()) -> Run:
    """The run of a configuration file, of ``runs/<run>``, or of an ``output_dir`` with one run.

    Raises ``UsageError`` if a stage has no output there, or one that was made from another output than the run's.
    """
    folder = _folder(path, overrides)
    outputs = {stage.name: Output(folder / stage.name, stage.writes) for stage in stages}
    for name, output in outputs.items():
        for read, content in output.manifest.ingredients.inputs.items():
            if read in outputs and outputs[read].manifest.content != content:
                raise UsageError(
                    f"run {folder.name!r}: {name} was made from another output of {read} than the run's",
                    hint="wdw-build all with its configuration brings every stage up to date",
                )
    return Run(folder, outputs)


def _folder(path: Path, overrides: Sequence[str]) -> Path:
    if not path.is_dir():
        config = load_config(path, overrides).config
        return Path(config.output_dir) / "runs" / config.run
    if overrides:
        raise UsageError(f"--set changes a configuration, and {path} is a folder", hint="leave --set out")
    runs = sorted(folder for folder in (path / "runs").glob("*") if folder.is_dir())
    if len(runs) > 1:
        raise UsageError(f"{path} has {len(runs)} runs: which one?", hint=f"one of {', '.join(map(str, runs[:5]))}")
    # resolve: "." has no name.
    return (runs[0] if runs else path).resolve()
