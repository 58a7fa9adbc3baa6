"""Predictions of somebody else's system, for ``bench --predictions FILE``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from wdw_build.bench.held_out import HeldOut
from wdw_build.bench.training import HELD_OUT
from wdw_build.core.run.progress import printable
from wdw_build.errors import UsageError
from wdw_build.reading import Prediction
from wdw_build.systems import given

_IDS = "give one line to each problem of validation, of test, or of both; the export jsonl has their ids"


class GivenPredictions(NamedTuple):
    """A system's answers by problem id. ``name`` is the file's name without its ending."""

    name: str
    answers: Mapping[str, Prediction]


def read_predictions(path: Path, held_out: HeldOut) -> GivenPredictions:
    """Read a file of predictions. A split must be answered wholly or not at all.

    Raises ``UsageError`` for a wrong line (see ``systems.given``), and if a split is answered in part.
    """
    choices = {name: problem.choices for name, problem in held_out.problems.items()}
    answers = given.read_predictions(path, choices, "in validation or test", _IDS)
    _check_splits(path, answers, held_out)
    return GivenPredictions(path.stem, answers)


def _check_splits(path: Path, answers: Mapping[str, Prediction], held_out: HeldOut) -> None:
    for split in HELD_OUT:
        missing = [name for name, _ in held_out.of(split) if name not in answers]
        if missing and len(missing) < held_out.counts[split]:
            raise UsageError(
                f"{path}: {len(missing)} of {held_out.counts[split]} problems of {split} have no prediction, "
                f"such as {printable(missing[0])!r}",
                hint="answer every problem of a split, or no problem of it",
            )
