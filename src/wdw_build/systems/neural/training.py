"""Trains a reader's module: prepared problems, epochs, validation, early stopping and checkpoints.

A training that was killed resumes from its last checkpoint and gives the same weights as one that was not: the order of
the batches depends on seed and epoch alone, and a checkpoint holds the states of optimiser and random generators.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from wdw_build.core.progress import Progress
from wdw_build.errors import CorpusError
from wdw_build.reading import LabelledProblems, ReadingProblem, TrainingContext
from wdw_build.reading.problems import watched
from wdw_build.systems.neural.batches import (
    Batch,
    EncodedProblem,
    Ids,
    ProblemEncoder,
    collate,
    reader_tokens,
    sorted_order,
    training_order,
)
from wdw_build.systems.neural.settings import ReaderConfig
from wdw_build.systems.neural.vocabulary import Vocabulary, WordCounts
from wdw_build.systems.torch_training import TimeEstimate, Weights, trained_weights, use_weights, write_checkpoint
from wdw_build.systems.vectors import Vectors

CHECKPOINT_SECONDS = 120.0


@dataclass(frozen=True)
class PreparedProblems:
    """Encoded problems and what they are encoded by."""

    vocabulary: Vocabulary
    spellings: Ids
    training: Sequence[EncodedProblem]
    validation: Sequence[EncodedProblem]


def prepare(
    training: LabelledProblems,
    validation: LabelledProblems,
    settings: ReaderConfig,
    vectors: Vectors | None,
    progress: Progress,
) -> PreparedProblems:
    """Both splits as word ids in memory, by a vocabulary of the training problems.

    Training problems whose answer the passage does not mention are left out. Raises ``CorpusError`` if none is left.
    """
    vocabulary = _count(training, settings, progress)
    if vectors is not None and not settings.train_vectors:
        words: dict[str, None] = {}
        for labelled in validation:
            words |= dict.fromkeys(unseen_words(labelled.problem, vocabulary, settings))
        _, found = vectors.lookup(list(words))
        vocabulary = vocabulary.extended(compress(words, found.tolist()))
    encoder = ProblemEncoder(vocabulary, settings)

    def encoded(problems: LabelledProblems, label: str) -> Iterator[EncodedProblem]:
        watch = watched(problems, label, progress)
        return (encoder.encode(labelled.problem, labelled.answer) for labelled in watch)

    kept = [problem for problem in encoded(training, "encoding training") if problem.mentions_answer]
    held_out = list(encoded(validation, "encoding validation"))
    if left_out := len(training) - len(kept):
        progress.say(f"{left_out} training problems are left out: their passages do not mention the answer")
    if not kept:
        raise CorpusError("no training problem's answer is mentioned in its passage", hint="train on more problems")
    return PreparedProblems(vocabulary, encoder.spellings.characters(), kept, held_out)


def _count(training: LabelledProblems, settings: ReaderConfig, progress: Progress) -> Vocabulary:
    counts = WordCounts(fold_case=settings.fold_case)
    for labelled in watched(training, "vocabulary", progress):
        tokens = reader_tokens(labelled.problem, settings)
        counts.add([*tokens.question, *tokens.passage], tokens.marker_count)
    return counts.vocabulary(settings.vocabulary)


def unseen_words(problem: ReadingProblem, vocabulary: Vocabulary, settings: ReaderConfig) -> list[str]:
    """The distinct words of a problem that are not in the vocabulary, in order."""
    tokens = reader_tokens(problem, settings)
    return vocabulary.unseen([*tokens.question, *tokens.passage])


def _sizes(problems: Sequence[EncodedProblem]) -> Any:
    return np.array([problem.size for problem in problems], np.int64)


def make_optimiser(model: nn.Module, settings: ReaderConfig) -> torch.optim.Optimizer:
    """The optimiser of the trained parameters."""
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    if settings.optimiser == "sgd":
        return torch.optim.SGD(parameters, lr=settings.rate)
    return torch.optim.Adam(parameters, lr=settings.rate)


def train_step(model: nn.Module, optimiser: torch.optim.Optimizer, batch: Batch, clip: float) -> Tensor:
    """One step down the mean negative log-likelihood of the answers; returns it, without waiting for a GPU."""
    optimiser.zero_grad(set_to_none=True)
    loss: Tensor = -model(batch).gather(1, batch.answer.unsqueeze(1)).mean()
    loss.backward()  # type: ignore[no-untyped-call]  # torch ships no type for it
    if clip:
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimiser.step()
    return loss.detach()


class Training:
    """The training of one module. ``run`` ends with the weights of the epoch that did best on the validation problems."""

    def __init__(
        self,
        model: nn.Module,
        settings: ReaderConfig,
        prepared: PreparedProblems,
        workspace: TrainingContext,
        *,
        title: str,
        checkpoint: str = "checkpoint.pt",
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
    ) -> None:
        """``checkpoint``: the name of the file in the workspace's folder, which is written every so many seconds."""
        self._model, self._settings, self._prepared = model, settings, prepared
        self._device, self._seed, self._progress = workspace.device, workspace.seed, workspace.progress
        self._title, self._path, self._seconds = title, workspace.folder / checkpoint, checkpoint_seconds
        self._optimiser = make_optimiser(model, settings)
        self._spellings = prepared.spellings if settings.reads_characters else None
        self._estimate = TimeEstimate(title, settings.epochs * len(prepared.training), self._progress)
        self._epoch, self._batch, self._loss = 0, 0, torch.zeros((), device=self._device)
        self._best_accuracy, self._best_weights, self._stale = -1.0, Weights(), 0

    def run(self) -> None:
        """Train, from the last checkpoint if there is one."""
        most, patience = self._settings.epochs, self._settings.patience
        if self._path.exists():
            self._resume()
        left = (most - self._epoch) * len(self._prepared.training)
        self._estimate = TimeEstimate(self._title, left, self._progress)
        # No epoch after the accuracy on the validation problems stays the same for long, or cannot rise.
        while self._epoch < most and self._stale < patience and self._best_accuracy != 1.0:
            self.train_epoch()
            self._validate()
            self._epoch, self._batch, self._loss = self._epoch + 1, 0, torch.zeros((), device=self._device)
            self._save()
        use_weights(self._model, self._best_weights)

    def train_epoch(self) -> None:
        """The rest of an epoch. Never asks a GPU for a number, so that it computes while the next batch is made."""
        settings, problems = self._settings, self._prepared.training
        for group in self._optimiser.param_groups:
            halvings = max(0, self._epoch + 2 - settings.halve_from) if settings.halve_from else 0
            group["lr"] = settings.rate * 0.5**halvings
        self._model.train()
        order = training_order(_sizes(problems), settings.batch, self._seed, self._epoch)
        done = sum(len(batch) for batch in order[: self._batch])
        saved = time.monotonic()
        label = f"{self._title} {self._epoch + 1}/{settings.epochs}"
        with self._progress.bar(label, len(problems), "problems", done) as bar:
            for batch in self._batches(problems, order[self._batch :]):
                loss = train_step(self._model, self._optimiser, batch, settings.clip)
                self._loss += loss * len(batch)
                self._batch += 1
                if time.monotonic() - saved >= self._seconds:
                    self._save()
                    saved = time.monotonic()
                bar.advance(len(batch))
                self._estimate.advance(len(batch))

    def _batches(self, problems: Sequence[EncodedProblem], order: Sequence[Any]) -> Iterator[Batch]:
        for numbers in order:
            yield collate([problems[number] for number in numbers], self._spellings).to(self._device)

    def _validate(self) -> None:
        """Keeps the weights if they are the best so far. Without validation problems the last weights are the best."""
        accuracy = self.accuracy(self._prepared.validation)
        loss = float(self._loss) / len(self._prepared.training)
        self._progress.say(
            f"{self._title}: epoch {self._epoch + 1}, loss {loss:.4f}, accuracy on validation {accuracy:.4f}"
        )
        if accuracy > self._best_accuracy or not len(self._prepared.validation):
            self._best_accuracy, self._best_weights, self._stale = accuracy, trained_weights(self._model), 0
        else:
            self._stale += 1

    def accuracy(self, problems: Sequence[EncodedProblem]) -> float:
        """The share of problems that the model solves; 0 without problems."""
        self._model.eval()
        correct = 0
        with torch.no_grad(), self._progress.bar("validation", len(problems), "problems") as bar:
            for batch in self._batches(problems, list(sorted_order(_sizes(problems), self._settings.batch))):
                chosen = np.argmax(self._model(batch).cpu().numpy(), axis=1)
                correct += int((chosen == batch.answer.cpu().numpy()).sum())
                bar.advance(len(batch))
        return correct / len(problems) if len(problems) else 0.0

    def _save(self) -> None:
        """Write a checkpoint beside the last one, then replace it."""
        state = {
            "weights": trained_weights(self._model),
            "optimiser": self._optimiser.state_dict(),
            "best_weights": self._best_weights,
            "random": torch.get_rng_state(),
            "random_cuda": torch.cuda.get_rng_state() if self._device == "cuda" else None,
            "progress": (self._epoch, self._batch, float(self._loss), self._best_accuracy, self._stale),
        }
        write_checkpoint(self._path, state)

    def _resume(self) -> None:
        state = torch.load(self._path, map_location="cpu", weights_only=True)
        use_weights(self._model, state["weights"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._best_weights = state["best_weights"]
        self._epoch, self._batch, loss, self._best_accuracy, self._stale = state["progress"]
        self._loss = torch.tensor(loss, device=self._device)
        torch.set_rng_state(state["random"])
        if self._device == "cuda":
            torch.cuda.set_rng_state(state["random_cuda"])
