"""The system ``shallow``: logistic regression over the choices on features of all parts of the problem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wdw_build.core.installed import installed_version
from wdw_build.reading import System, SystemEntry, TrainingContext
from wdw_build.reading.probes import features
from wdw_build.reading.probes.cues import cues
from wdw_build.reading.probes.log_linear import LogLinearRanker, RankerSettings


def _solver_versions(settings: Any, workspace: TrainingContext) -> dict[str, str]:
    """The versions of the libraries that fit a log-linear model."""
    return {name: installed_version(name, "a log-linear model") for name in ("numpy", "scipy")}


def ranker(name: str, title: str, source: str, make: Callable[[Any], System]) -> SystemEntry:
    """The entry of a probe that ranks the choices by a log-linear model."""
    return SystemEntry(
        name=name,
        title=title,
        source=source,
        group="probe",
        make=make,
        version=2,
        settings=RankerSettings,
        trained=True,
        backends=_solver_versions,
    )


SHALLOW = ranker(
    "shallow",
    "Shallow features",
    "logistic regression over the choices",
    lambda settings: LogLinearRanker(features.all_parts, settings, cues),
)
