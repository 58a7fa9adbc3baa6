"""Trains one system, lets it answer validation and test, and keeps model and predictions in the store by fingerprint.

A trained system is stored like a stage's output: ``store/bench-<system>/<fingerprint>/`` holds ``part-*.jsonl`` with the
predictions, ``model/`` and ``cost.json``. A call that was killed leaves its checkpoints or its trained model in the staging
folder, and the next call goes on from there.
"""

from __future__ import annotations

import functools
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from wdw_bench.populations import HELD_OUT, PooledProblems, split_of
from wdw_build.core.config.section import Section
from wdw_build.core.hashing import digest, uniform_hash
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import commit
from wdw_build.core.store.manifest import Ingredients, read_manifest
from wdw_build.core.store.output import Output, final_folder, staging_folder, write_output
from wdw_build.dataset import TRAIN, VALIDATION
from wdw_build.errors import UsageError
from wdw_build.reading import System, TrainingContext
from wdw_build.reading.fitting import checked_answers, exclusive_fit, fitted
from wdw_build.reading.problems import ProblemSubset
from wdw_build.records import Record
from wdw_build.registry import system_entry

COST = "cost.json"
MODEL, CHECKPOINTS = "model", "training"
FIT = "fit.json"


class SystemPrediction(Record, frozen=True, kw_only=True):
    """A system's answer to one problem of validation or test."""

    split: str
    """`validation` or `test`."""
    answer: int
    """Index of the answer."""
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
    unread_training: int | None = None
    """Training problems whose answer the system did not read; None if it reads everything, or learns nothing."""
    training: int | None = None
    """Number of training problems; None for a system that learns nothing."""


@dataclass(frozen=True)
class SystemJob:
    """One training of one system. It is pickled for the workers."""

    name: str
    settings: Section
    train: str
    root: Path
    problems: PooledProblems
    workspace: TrainingContext
    share: int = 1
    """The system is trained on one problem in so many."""

    @functools.cached_property
    def ingredients(self) -> Ingredients:
        """What decides the predictions. Raises ``MissingResourceError`` if the system lacks a model or a library."""
        entry = system_entry(self.name)
        settings: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(entry.deciding(self.settings)))
        return Ingredients(
            stage=f"bench-{self.name}",
            version=entry.version,
            config=settings
            | ({"train": self.train} if entry.trained else {})
            | ({"share": self.share} if self.share > 1 else {}),
            seed=self.workspace.seed if entry.seeded else 0,
            inputs={"problems": digest(sorted(output.manifest.content_hash for output in self.problems.outputs))},
            backends=entry.backends(self.settings, self.workspace),
        )

    @functools.cached_property
    def splits(self) -> dict[str, ProblemSubset]:
        """The problems of train, validation and test; train has relaxed problems only if the system is trained on them."""
        ids: dict[str, list[str]] = {TRAIN: [], **{name: [] for name in HELD_OUT}}
        for labelled in self.problems:
            if split := split_of(labelled, relaxed=self.train == "relaxed"):
                ids[split].append(labelled.id)
        if self.share > 1:
            # Smaller shares are parts of larger ones, and all seeds have the same problems.
            drawn = sorted(ids[TRAIN], key=lambda name: (uniform_hash(0, "learning-curve", name), name))
            ids[TRAIN] = drawn[: max(1, len(drawn) // self.share)]
        return {split: ProblemSubset(self.problems, frozenset(names)) for split, names in ids.items()}


def stored(job: SystemJob) -> Output | None:
    """The stored predictions of a job; None if it must run."""
    ingredients = job.ingredients
    folder = final_folder(job.root, ingredients.stage, ingredients.fingerprint)
    return Output(folder, SystemPrediction) if read_manifest(folder) is not None else None


def run_job(job: SystemJob) -> Output:
    """Train a system and store its predictions, unless they are stored already. Raises ``StageError`` if it fails."""
    ingredients = job.ingredients
    names = job.root, ingredients.stage, ingredients.fingerprint
    staging, final = staging_folder(*names), final_folder(*names)
    hint = f"wdw-build bench --systems {job.name} runs this system alone; finished systems are kept"
    with exclusive_fit(f"{job.name} (seed {job.workspace.seed})", *names, hint):
        if read_manifest(final) is None:
            _make(job, ingredients, staging)
            commit(staging, final)
    return Output(final, SystemPrediction)


def _make(job: SystemJob, ingredients: Ingredients, staging: Path) -> None:
    """Fill the staging folder. A trained model and the checkpoints of an earlier, killed call are used."""
    checkpoints, model = staging / CHECKPOINTS, staging / MODEL
    for path in staging.glob("*") if staging.exists() else ():
        if path not in (checkpoints, model):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    checkpoints.mkdir(parents=True, exist_ok=True)
    entry, workspace = system_entry(job.name), replace(job.workspace, folder=checkpoints)
    if model.exists():
        system = entry.make(job.settings)
        system.load(model, workspace)
    else:
        system = _trained(job, workspace, model)
    fitted_cost = msgspec.json.decode((model / FIT).read_bytes(), type=Cost)
    begun = time.monotonic()
    write_output(staging, _predictions(job, system), ingredients, (workspace.device,) if entry.trained else ())
    cost = msgspec.structs.replace(fitted_cost, choose_seconds=round(time.monotonic() - begun, 2))
    (staging / COST).write_bytes(msgspec.json.encode(cost))
    shutil.rmtree(checkpoints)


def _trained(job: SystemJob, workspace: TrainingContext, model: Path) -> System:
    """Train a system and write its model, which appears by one rename."""
    entry, begun = system_entry(job.name), time.monotonic()
    if entry.trained and not len(job.splits[TRAIN]):
        raise UsageError(
            f"there is no training problem for {job.name}", hint="use a larger corpus, or omit it from --systems"
        )
    system = fitted(entry, job.settings, job.splits[TRAIN], job.splits[VALIDATION], workspace)
    unfinished = workspace.folder / "model.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    system.save(unfinished)
    cost = Cost(
        parameters=system.parameters,
        fit_seconds=round(time.monotonic() - begun, 2),
        choose_seconds=0.0,
        unread_training=getattr(system, "unread_training", None) if entry.has_cut_off else None,
        training=len(job.splits[TRAIN]) if entry.trained else None,
    )
    (unfinished / FIT).write_bytes(msgspec.json.encode(cost))
    unfinished.rename(model)
    return system


def _predictions(job: SystemJob, system: System) -> Iterator[bytes]:
    """The encoded predictions for validation, then test."""
    for name in HELD_OUT:
        problems = job.splits[name]
        for labelled, prediction in checked_answers(job.name, system, problems, f"{job.name} {name}", job.workspace):
            record = SystemPrediction(
                id=labelled.id,
                split=name,
                answer=labelled.answer,
                scores=prediction.scores,
                spans=prediction.spans,
            )
            yield jsonl.encode(record)
