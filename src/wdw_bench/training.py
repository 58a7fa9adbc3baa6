"""Trains one system, lets it answer problems, and writes its predictions.

Trained models are not kept: a training that was killed begins again.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from heapq import nsmallest
from multiprocessing import get_context
from pathlib import Path

import msgspec

from wdw_bench.populations import ALL, HELD_OUT, split_of
from wdw_bench.predictions import PredictionHead, Predictions, read_head, write_predictions
from wdw_bench.problems import Alternatives
from wdw_build.api import (
    TRAIN,
    VALIDATION,
    Progress,
    Section,
    UsageError,
    Workers,
    digest,
    end_with_parent,
    system_entry,
    uniform_hash,
)
from wdw_build.reading import LabelledProblem, SystemEntry, TrainingContext
from wdw_build.reading.fitting import CrossFit, checked_answers, fitted, one_thread
from wdw_build.reading.problems import ProblemFile, ProblemSubset, open_problems

PREDICTIONS = "predictions"
# Problems on which the time of a training is measured, and how many times as long it must be to be worth that.
_SAMPLE, _WORTH_TIMING = 64, 50
_HINT = "wdw-build bench --systems {} runs this system alone; finished systems are kept"


@dataclass(frozen=True)
class Training:
    """One training of one system. It is pickled for the workers. ``head``: the first line of the file without the costs."""

    head: PredictionHead
    settings: Section
    problems: Path
    workspace: TrainingContext
    train: str
    alternatives: Alternatives | None = None
    """The problems to train on if ``train`` is `alternatives`; their file is beside ``problems``."""
    train_share: float = 1.0
    folds: Mapping[str, Mapping[str, int]] | None = None
    """Population -> problem -> fold, in the cross-fitted evaluation."""

    @property
    def entry(self) -> SystemEntry:
        """The system's descriptor."""
        return system_entry(self.head.system)

    @property
    def trained_on(self) -> str:
        """Describes the sample of the training problems: the level and, if it is below 1, the share with its seed.

        The problems themselves are hashed with ``head.problems``, but for alternatives.
        """
        level = f"{self.train} {self.alternatives.content}" if self.alternatives is not None else self.train
        return level if self.train_share == 1 else f"{level}, {self.train_share}, {self.workspace.seed}"

    @property
    def path(self) -> Path:
        """The file of the predictions."""
        return self.problems.parent / PREDICTIONS / self.head.file

    @property
    def is_done(self) -> bool:
        """Whether the file holds predictions that were made from the same problems, settings, versions and seed."""
        return self.path.exists() and read_head(self.path).made_from == self.head.made_from

    def described(self, backends: Mapping[str, str]) -> Training:
        """The training with the hash of all that decides its predictions."""
        entry = self.entry
        made_from = digest(
            {
                "system": self.head.system,
                "problems": self.head.problems,
                "version": entry.version,
                "settings": entry.deciding(self.settings),
                "backends": backends,
                "seed": self.workspace.seed if entry.seeded else 0,
                "device": self.workspace.device if entry.uses_device else "",
                "train": self.trained_on if entry.trained and self.folds is None else "",
                "folds": self.folds if entry.trained else None,
            }
        )
        return replace(self, head=msgspec.structs.replace(self.head, made_from=made_from[:16]))


def run(training: Training, progress: Progress) -> None:
    """Train a system and write its predictions. Raises ``StageError`` if it fails."""
    head, problems = training.head, open_problems(training.problems)
    training = replace(training, workspace=replace(training.workspace, progress=progress))
    if training.folds is not None:
        answers = dict(_cross_fitted(training, problems))
    else:
        title = f"{head.system} (seed {training.workspace.seed})"
        with one_thread(title, _HINT.format(head.system)):
            head, answers = _held_out(training, problems)
    write_predictions(training.path.parent, head, answers)


def splits(problems: ProblemFile, training: Training) -> dict[str, ProblemSubset]:
    """The problems of train, validation and test.

    ``train`` has relaxed problems only if systems are trained on them, or the training alternatives in place of both. It is a
    sample if ``train_share`` is below 1. A smaller sample of the same seed is part of a larger one.
    """
    ids: dict[str, list[str]] = {TRAIN: [], **{name: [] for name in HELD_OUT}}
    for labelled in problems:
        if split := split_of(labelled, relaxed=training.train == "relaxed"):
            ids[split].append(labelled.id)
    of_split = {split: (problems, names) for split, names in ids.items()}
    if training.alternatives is not None:
        alternatives = open_problems(training.problems.parent / training.alternatives.file)
        of_split[TRAIN] = alternatives, list(alternatives.places)
    seed, share = training.workspace.seed, training.train_share
    source, names = of_split[TRAIN]
    of_split[TRAIN] = source, [name for name in names if uniform_hash(seed, "bench-train-share", name) < share]
    return {split: ProblemSubset(source, frozenset(names)) for split, (source, names) in of_split.items()}


def _held_out(training: Training, problems: ProblemFile) -> tuple[PredictionHead, dict[str, Predictions]]:
    """Train on the training problems and answer validation and test."""
    entry, workspace, name = training.entry, training.workspace, training.head.system
    parts, begun = splits(problems, training), time.monotonic()
    if entry.trained and not len(parts[TRAIN]):
        raise UsageError(
            f"there is no training problem for {name}", hint="use a larger corpus, or omit it from --systems"
        )
    system = fitted(entry, training.settings, parts[TRAIN], parts[VALIDATION], workspace)
    trained = time.monotonic()
    answers: dict[str, Predictions] = {
        part: {
            labelled.id: prediction
            for labelled, prediction in checked_answers(name, system, parts[part], f"{name} {part}", workspace)
        }
        for part in HELD_OUT
    }
    head = msgspec.structs.replace(
        training.head,
        parameters=system.parameters,
        fit_seconds=round(trained - begun, 2),
        choose_seconds=round(time.monotonic() - trained, 2),
        training=len(parts[TRAIN]) if entry.trained else None,
    )
    return head, answers


def _cross_fitted(training: Training, problems: ProblemFile) -> Iterator[tuple[str, Predictions]]:
    """Train anew on each population and fold. A system that learns nothing answers each problem once."""
    entry, workspace, folds = training.entry, training.workspace, training.folds or {}
    cross_fit = CrossFit(entry, training.settings, training.problems.parent, workspace)

    def answered(population: str) -> Predictions:
        ids = folds[population]
        return cross_fit.predictions(ProblemSubset(problems, frozenset(ids)), training.head.made_from, ids)

    once = {} if entry.trained else answered(ALL)
    for population, ids in folds.items():
        yield population, answered(population) if entry.trained else {name: once[name] for name in ids}


def longest_seconds(training: Training) -> float:
    """Seconds of CPU time that a training of all epochs takes, measured on a sample; 0 without epochs or if it is soon done."""
    problems, epochs = open_problems(training.problems), getattr(training.settings, "epochs", 0)
    if training.folds is None:
        count = len(splits(problems, training)[TRAIN])
    else:
        # Of K folds, numbered from 0, each training reads K - 2.
        count = sum((max(folds.values()) - 1) * len(folds) for folds in training.folds.values())
    if count * epochs < _WORTH_TIMING * _SAMPLE:
        return 0.0
    # Problems of average length: in the batches of so few others, most would be padding.
    mean = statistics.fmean(len(labelled.problem.token_layout) for labelled in problems)
    sample = nsmallest(_SAMPLE, problems, key=lambda labelled: abs(len(labelled.problem.token_layout) - mean))
    # The first fit imports libraries. The difference of the others leaves out the time to load a model.
    _, of_one, of_three = (_fit_seconds(training, sample, number) for number in (1, 1, 3))
    return max(0.0, of_three - of_one) / (2 * len(sample)) * count * epochs


def _fit_seconds(training: Training, problems: Sequence[LabelledProblem], epochs: int) -> float:
    begun, name = time.process_time(), training.head.system
    with one_thread(name, _HINT.format(name)):
        settings = msgspec.structs.replace(training.settings, epochs=epochs)
        fitted(training.entry, settings, problems, (), training.workspace)
    return time.process_time() - begun


def run_all(trainings: Sequence[Training], workers: Workers, progress: Progress) -> None:
    """Run all trainings, one for each worker at a time, those that may take longest first, and say how long that is.

    With one worker, each system shows its own progress bar.
    """
    by_system = {training.head.system: training for training in trainings}
    seconds = {name: longest_seconds(training) for name, training in by_system.items()}
    trainings = sorted(trainings, key=lambda training: -seconds[training.head.system])
    if long := [seconds[training.head.system] for training in trainings if seconds[training.head.system]]:
        listed = ", ".join(f"{name} {math.ceil(time / 60)} min" for name, time in seconds.items() if time)
        total = math.ceil(max(sum(long) / workers.count, *long) / 60)
        progress.say(f"bench: at most about {total} min ({listed} per training) with {workers}")
    with progress.bar("bench", len(trainings), "systems") as bar:
        for _ in _finished(trainings, workers.count, progress):
            bar.advance()


def _finished(trainings: Sequence[Training], workers: int, progress: Progress) -> Iterable[object]:
    if workers == 1 or len(trainings) < 2:
        yield from map(partial(run, progress=progress), trainings)
        return
    # Libraries with threads cannot be forked.
    with ProcessPoolExecutor(min(workers, len(trainings)), get_context("forkserver"), end_with_parent) as pool:
        try:
            # Workers write messages, and leave the terminal's bar to this process.
            messages = Progress("quiet" if progress.mode == "quiet" else "messages")
            yield from pool.map(partial(run, progress=messages), trainings)
        finally:
            pool.shutdown(cancel_futures=True)
