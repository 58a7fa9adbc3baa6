"""Trains one system, lets it answer validation and test, and keeps model and predictions in the store by fingerprint.

A trained system is stored like a stage's output: ``store/bench-<system>/<fingerprint>/`` holds ``part-*.jsonl`` with the
predictions, ``model/`` and ``cost.json``. A call that was killed leaves its checkpoints or its trained model in the staging
folder, and the next call goes on from there.
"""

from __future__ import annotations

import functools
import shutil
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import msgspec

from wdw_build.core.config.section import Section
from wdw_build.core.engine.worker_process import limit_threads
from wdw_build.core.hashing import digest
from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import Ingredients, read_manifest
from wdw_build.core.store.output import Output, commit, final_folder, locked, staging_folder, write_output
from wdw_build.dataset import TEST, TRAIN, VALIDATION
from wdw_build.errors import StageError, UsageError, WdwError
from wdw_build.reading import LabelledProblem, ReadingProblem, System, SystemEntry, Workspace
from wdw_build.records import Record
from wdw_build.registry import system_entry
from wdw_build.systems.defects import check_scores, stopped

HELD_OUT = (VALIDATION, TEST)
COST = "cost.json"
MODEL, CHECKPOINTS = "model", "training"
FIT_SECONDS = "fit-seconds.json"


class SystemPrediction(Record, frozen=True, kw_only=True):
    """A system's answer to one problem of validation or test."""

    split: str
    """`validation` or `test`."""
    answer: int
    """Index of the answer."""
    choice: int
    """Index of the system's choice."""
    scores: tuple[float, ...]
    """The system's score for each choice."""
    spans: tuple[str, ...] | None = None
    """The spans that the system extracted; null if it only chooses."""


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What a system needed."""

    parameters: int
    """Number of trained parameters."""
    fit_seconds: float
    """Seconds to train, in the process that finished the training."""
    choose_seconds: float
    """Seconds to answer validation and test."""


def labelled_problems(outputs: Iterable[Output]) -> Iterator[LabelledProblem]:
    """The problems of the pooled runs, in order."""
    for output in outputs:
        yield from cast(Iterator[LabelledProblem], output.records())


@dataclass(frozen=True)
class SplitProblems:
    """``LabelledProblems`` of one split of the pooled runs, read from disk in every pass."""

    outputs: tuple[Output, ...]
    split: str
    relaxed: bool = False
    _count: list[int] = field(default_factory=list)

    def __iter__(self) -> Iterator[LabelledProblem]:
        problems = (problem for problem in labelled_problems(self.outputs) if problem.split == self.split)
        return (problem for problem in problems if self.relaxed or problem.level == "strict")

    def __len__(self) -> int:
        if not self._count:
            self._count.append(sum(1 for _ in self))
        return self._count[0]


@dataclass(frozen=True)
class SystemJob:
    """One training of one system. It is pickled for the workers."""

    name: str
    settings: Section
    train: str
    seed: int
    root: Path
    problems: tuple[Output, ...]
    workspace: Workspace

    @property
    def entry(self) -> SystemEntry:
        """The system's descriptor."""
        return system_entry(self.name)

    @functools.cached_property
    def ingredients(self) -> Ingredients:
        """What decides the predictions. Raises ``MissingResourceError`` if the system lacks a model or a library."""
        settings: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self.settings))
        return Ingredients(
            stage=f"bench-{self.name}",
            version=self.entry.version,
            config=settings | ({"train": self.train} if self.entry.trained else {}),
            seed=self.seed if self.entry.seeded else 0,
            inputs={"problems": digest(sorted(output.manifest.content for output in self.problems))},
            backends=self.entry.backends(self.settings, self.workspace),
        )

    def split(self, name: str) -> SplitProblems:
        """The problems of a split; ``train`` has relaxed problems only if the system is trained on them."""
        return SplitProblems(self.problems, name, relaxed=name == TRAIN and self.train == "relaxed")


def stored(job: SystemJob) -> Output | None:
    """The stored predictions of a job; None if it must run."""
    ingredients = job.ingredients
    folder = final_folder(job.root, ingredients.stage, ingredients.fingerprint)
    return Output(folder, SystemPrediction) if read_manifest(folder) is not None else None


def run_job(job: SystemJob, progress: Progress | None = None) -> Output:
    """Train a system and store its predictions, unless they are stored already. Raises ``StageError`` if it fails."""
    from threadpoolctl import threadpool_limits

    # The variables reach libraries that load later, the limits those that are loaded: sums must not depend on the process.
    limit_threads()
    ingredients = job.ingredients
    names = job.root, ingredients.stage, ingredients.fingerprint
    staging, final = staging_folder(*names), final_folder(*names)
    with locked(*names), threadpool_limits(1):
        if read_manifest(final) is None:
            try:
                _make(job, ingredients, staging, progress or Progress())
            except WdwError:
                raise
            except Exception as error:
                hint = f"wdw-build bench --systems {job.name} runs this system alone; finished systems are kept"
                raise stopped(f"{job.name} (seed {job.seed})", error, hint) from error
            commit(staging, final)
    return Output(final, SystemPrediction)


def _make(job: SystemJob, ingredients: Ingredients, staging: Path, progress: Progress) -> None:
    """Fill the staging folder. A trained model and the checkpoints of an earlier, killed call are used."""
    checkpoints, model = staging / CHECKPOINTS, staging / MODEL
    for path in staging.glob("*") if staging.exists() else ():
        if path not in (checkpoints, model):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    checkpoints.mkdir(parents=True, exist_ok=True)
    workspace = replace(job.workspace, folder=checkpoints, seed=job.seed, progress=progress)
    system = job.entry.make(job.settings)
    if model.exists():
        system.load(model, workspace)
    else:
        _train(job, system, workspace, model)
    fit_seconds = msgspec.json.decode((model / FIT_SECONDS).read_bytes(), type=float)
    begun = time.monotonic()
    write_output(
        staging, _predictions(job, system, progress), ingredients, (workspace.device,) if job.entry.trained else ()
    )
    cost = Cost(
        parameters=system.parameters, fit_seconds=fit_seconds, choose_seconds=round(time.monotonic() - begun, 2)
    )
    (staging / COST).write_bytes(msgspec.json.encode(cost))
    shutil.rmtree(checkpoints)


def _train(job: SystemJob, system: System, workspace: Workspace, model: Path) -> None:
    """Train a system and write its model, which appears by one rename."""
    begun = time.monotonic()
    if job.entry.trained:
        training = job.split(TRAIN)
        if not len(training):
            raise UsageError(
                f"there is no training problem for {job.name}", hint="use a larger corpus, or --systems without it"
            )
        system.fit(training, job.split(VALIDATION), workspace)
    else:
        system.fit((), (), workspace)
    unfinished = workspace.folder / "model.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    system.save(unfinished)
    (unfinished / FIT_SECONDS).write_bytes(msgspec.json.encode(round(time.monotonic() - begun, 2)))
    unfinished.rename(model)


def _predictions(job: SystemJob, system: System, progress: Progress) -> Iterator[bytes]:
    """The encoded predictions for validation, then test."""
    for name in HELD_OUT:
        problems = job.split(name)
        waiting: deque[LabelledProblem] = deque()
        with progress.bar(f"{job.name} {name}", len(problems), "problems") as bar:
            for prediction in system.choose(_remembered(problems, waiting)):
                labelled = waiting.popleft()
                check_scores(job.name, labelled, prediction.scores)
                yield jsonl.encode(
                    SystemPrediction(
                        id=labelled.id,
                        split=name,
                        answer=labelled.answer,
                        choice=prediction.choice,
                        scores=prediction.scores,
                        spans=prediction.spans,
                    )
                )
                bar.advance()
        if waiting:
            raise StageError(
                f"system {job.name} left {len(waiting)} problems of {name} without a prediction",
                hint="this is a defect of the system; nothing was stored",
            )


def _remembered(problems: Iterable[LabelledProblem], waiting: deque[LabelledProblem]) -> Iterator[ReadingProblem]:
    """Yield what a system may see, and keep the labelled problems until their predictions come."""
    for labelled in problems:
        waiting.append(labelled)
        yield labelled.problem
