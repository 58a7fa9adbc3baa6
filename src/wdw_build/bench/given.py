"""Predictions of somebody else's system, for ``bench --predictions [CONDITION=]FILE``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from wdw_build.bench.conditions import PASSAGE
from wdw_build.bench.populations import BEFORE, EvaluatedProblems
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.progress import printable
from wdw_build.errors import UsageError
from wdw_build.reading import Prediction
from wdw_build.systems import given

_HELD_OUT_IDS = "give one line to each problem of validation, of test, or of both; the export jsonl has their ids"
_IDS = "wdw-build bench --write-problems with the same --cross-fit and one of the --conditions writes the problems to answer"


class GivenFile(NamedTuple):
    """A file of predictions for problems that were shown under one condition."""

    path: Path
    condition: Condition = PASSAGE

    @property
    def name(self) -> str:
        """The system's name: the file's name without its ending, and without the condition at its end."""
        stem = self.path.stem
        name = stem.removesuffix(self.condition)
        return name.rstrip("-._ ") or stem if name != stem else stem


def read_predictions(file: GivenFile, evaluated: EvaluatedProblems) -> dict[str, Prediction]:
    """The predictions of a file by problem id.

    A split must be answered wholly or not at all; of cross-fitted problems, one population must be answered.

    Raises ``UsageError`` for a wrong line (see ``systems.given``), and if a split or every population lacks a problem.
    """
    is_cross_fitted = BEFORE in evaluated.populations
    place = "one of the problems before suppression" if is_cross_fitted else "in validation or test"
    choices = {name: problem.choices for name, problem in evaluated.problems.items()}
    answers = given.read_predictions(file.path, choices, place, _IDS if is_cross_fitted else _HELD_OUT_IDS)
    missing = {name: _missing(name, evaluated, answers) for name in evaluated.populations}
    if is_cross_fitted:
        if all(missing.values()):
            raise _unanswered(file.path, missing[BEFORE], len(choices), "", _IDS)
    else:
        _check_splits(file.path, evaluated, missing)
    return answers


def _missing(population: str, evaluated: EvaluatedProblems, answers: Mapping[str, Prediction]) -> list[str]:
    return [name for name, _ in evaluated.of(population) if name not in answers]


def _check_splits(path: Path, held_out: EvaluatedProblems, missing: Mapping[str, list[str]]) -> None:
    for split, names in missing.items():
        if names and len(names) < held_out.counts[split]:
            hint = "answer every problem of a split, or no problem of it"
            raise _unanswered(path, names, held_out.counts[split], f" of {split}", hint)


def _unanswered(path: Path, missing: list[str], count: int, where: str, hint: str) -> UsageError:
    return UsageError(
        f"{path}: {len(missing)} of {count} problems{where} have no prediction, such as {printable(missing[0])!r}",
        hint=hint,
    )
