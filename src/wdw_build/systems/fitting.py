"""One training of one system and its answers: alone on its folder, in one thread, with checked scores.

``bench`` and cross-fitting both train through this module.
"""

from __future__ import annotations

import math
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wdw_build.core.config.section import Section
from wdw_build.core.engine.worker_process import limit_threads
from wdw_build.core.progress import printable
from wdw_build.core.store.output import locked
from wdw_build.errors import StageError, WdwError
from wdw_build.reading import (
    LabelledProblem,
    LabelledProblems,
    Prediction,
    ReadingProblem,
    System,
    SystemEntry,
    Workspace,
)


@contextmanager
def exclusive_fit(name: str, root: Path, stage: str, key: str, hint: str) -> Iterator[None]:
    """Hold the lock of ``store/stage/key`` and let numeric libraries use one thread, so that sums do not vary.

    Raises ``UsageError`` if another process holds the lock. An unexpected exception of the system ``name`` becomes a
    ``StageError`` with ``hint`` that names the place in the code.
    """
    from threadpoolctl import threadpool_limits

    # The variables reach libraries that load later, the limits those that are loaded.
    limit_threads()
    with locked(root, stage, key), threadpool_limits(1):
        try:
            yield
        except WdwError:
            raise
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            raise StageError(
                f"system {name} stopped: {type(error).__name__}: {printable(str(error))} "
                f"({Path(frame.filename).name}:{frame.lineno})",
                hint=hint,
            ) from error


def fitted(
    entry: SystemEntry,
    settings: Section,
    training: LabelledProblems,
    validation: LabelledProblems,
    workspace: Workspace,
) -> System:
    """A new system after its training; a system that learns nothing gets no problems."""
    system = entry.make(settings)
    if entry.trained:
        system.fit(training, validation, workspace)
    else:
        system.fit((), (), workspace)
    return system


def checked_answers(
    name: str, system: System, problems: LabelledProblems, label: str, workspace: Workspace
) -> Iterator[tuple[LabelledProblem, Prediction]]:
    """Each problem with the prediction of the system ``name``. ``label``: the title of the progress bar.

    Raises ``StageError`` unless there is a prediction for each problem, with a finite score for each of its choices.
    """
    defect = "this is a defect of the system; nothing was stored"
    waiting: deque[LabelledProblem] = deque()

    def read() -> Iterator[ReadingProblem]:
        """What the system may see; the answers wait for its predictions."""
        for labelled in problems:
            waiting.append(labelled)
            yield labelled.problem

    with workspace.progress.bar(label, len(problems), "problems") as bar:
        for prediction in system.choose(read()):
            labelled = waiting.popleft()
            scores, choices = prediction.scores, labelled.problem.choices
            if len(scores) != len(choices) or not all(map(math.isfinite, scores)):
                raise StageError(
                    f"system {name} gave {len(scores)} scores, not a finite number for each of the "
                    f"{len(choices)} choices of {printable(labelled.id)!r}",
                    hint=defect,
                )
            yield labelled, prediction
            bar.advance()
    if waiting:
        raise StageError(f"system {name} left {len(waiting)} problems without a prediction", hint=defect)
