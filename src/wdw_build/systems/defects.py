"""Errors for systems that fail or give wrong scores."""

from __future__ import annotations

import math
import traceback
from pathlib import Path

from wdw_build.core.progress import printable
from wdw_build.errors import StageError
from wdw_build.reading import LabelledProblem


def stopped(system: str, error: Exception, hint: str) -> StageError:
    """The error of a system that raised an exception; it names the place in the code."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return StageError(
        f"system {system} stopped: {type(error).__name__}: {printable(str(error))} "
        f"({Path(frame.filename).name}:{frame.lineno})",
        hint=hint,
    )


def check_scores(system: str, labelled: LabelledProblem, scores: tuple[float, ...]) -> None:
    """Raise ``StageError`` unless there is a finite score for each choice."""
    if len(scores) != len(labelled.problem.choices) or not all(map(math.isfinite, scores)):
        raise StageError(
            f"system {system} gave {len(scores)} scores, not a finite number for each of the "
            f"{len(labelled.problem.choices)} choices of {printable(labelled.id)!r}",
            hint="this is a defect of the system; nothing was stored",
        )
