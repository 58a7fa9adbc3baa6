"""Systems that torch trains: one way to train, stop early and answer, and the same numbers in every run."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from wdw_build.reading import Prediction, ReadingProblem, TrainingContext
from wdw_build.records import TokenSpan

Weights = dict[str, Tensor]
UNKNOWN_ANSWER = -1
# Batches in a pool, within which problems are sorted by length.
_POOL = 50
# Batches that are read ahead while problems are answered, to sort them by length.
_WINDOW = 8


@contextmanager
def reproducible(device: str, seed: int) -> Iterator[None]:
    """Compute by deterministic algorithms, in one thread on the CPU, with random numbers from ``seed``.

    Restores torch's settings and random generators at the end.
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS is deterministic only with a fixed workspace
    threads, was_deterministic = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    memory: Any = torch.utils.deterministic
    fills = memory.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True)
    memory.fill_uninitialized_memory = False  # filling it costs time, and nothing here reads it
    torch.set_num_threads(1 if device == "cpu" else threads)
    try:
        with torch.random.fork_rng(devices=[] if device == "cpu" else [torch.cuda.current_device()]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.use_deterministic_algorithms(was_deterministic)
        memory.fill_uninitialized_memory = fills
        torch.set_num_threads(threads)


def trained_weights(model: nn.Module) -> Weights:
    """A copy of the trained parameters, on the CPU."""
    parameters = model.named_parameters()
    return {name: value.detach().cpu().clone() for name, value in parameters if value.requires_grad}


def use_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Copy weights that ``trained_weights`` returned into the model."""
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in weights.items():
            parameters[name].copy_(value)


def training_order(sizes: npt.NDArray[Any], batch: int, seed: int, epoch: int) -> list[npt.NDArray[np.intp]]:
    """The problems of each batch of an epoch.

    Shuffles the problems, cuts them into pools of some batches, sorts each pool by size, and shuffles the batches.
    """
    generator = np.random.default_rng([seed, epoch])
    shuffled = generator.permutation(len(sizes))
    batches = []
    for start in range(0, len(shuffled), batch * _POOL):
        pool = shuffled[start : start + batch * _POOL]
        batches += list(_cut(pool[np.argsort(sizes[pool], kind="stable")], batch))
    return [batches[number] for number in generator.permutation(len(batches))]


def sorted_order(sizes: npt.NDArray[Any], batch: int) -> Iterator[npt.NDArray[np.intp]]:
    """The problems of each batch, from short to long."""
    return _cut(np.argsort(sizes, kind="stable"), batch)


def _cut(problems: npt.NDArray[np.intp], batch: int) -> Iterator[npt.NDArray[np.intp]]:
    return (problems[start : start + batch] for start in range(0, len(problems), batch))


class Answer(NamedTuple):
    """What a model answers to one problem."""

    scores: tuple[float, ...]
    """A probability for each choice."""
    spans: tuple[TokenSpan, ...] | None = None
    """The characters [start, end) of the passage that the model extracts; None if it only chooses."""


class EncodedProblem(Protocol):
    """A problem as a model reads it."""

    @property
    def answer(self) -> int:
        """Index of the answer; ``UNKNOWN_ANSWER`` outside of training."""
        ...

    @property
    def size(self) -> int:
        """A measure of its length: the problems of a batch are similar in it."""
        ...


P = TypeVar("P", bound=EncodedProblem)


class TorchSystem(Generic[P]):
    """Base class of the ``System`` that torch trains. A subclass sets ``model`` and says how problems become losses."""

    model: Any = None
    device = "cpu"

    def __init__(self, title: str, batch: int) -> None:
        """``batch``: problems that are answered at once."""
        self.title, self._batch = title, batch

    def optimiser(self) -> torch.optim.Optimizer:
        """A new optimiser of the trained parameters."""
        raise NotImplementedError

    def rate(self, epoch: int, batch: int, batches: int) -> float:
        """The learning rate of a batch; epochs and batches count from 0."""
        raise NotImplementedError

    def backward(self, problems: Sequence[P]) -> Tensor:
        """Add the gradients of a batch's mean loss; returns the loss, without waiting for a GPU."""
        raise NotImplementedError

    def encoded(self, problems: Sequence[ReadingProblem]) -> Sequence[P]:
        """Problems to answer as the model reads them."""
        raise NotImplementedError

    def answers(self, problems: Sequence[P]) -> Sequence[Answer]:
        """The answer to each problem of a batch."""
        raise NotImplementedError

    @property
    def parameters(self) -> int:
        """The number of trained weights; frozen weights are not counted."""
        if self.model is None:
            return 0
        return sum(weight.numel() for weight in self.model.parameters() if weight.requires_grad)

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """The scores are probabilities. An extracted span is widened to whole tokens."""
        stream = iter(problems)
        while window := list(islice(stream, _WINDOW * self._batch)):
            with reproducible(self.device, seed=0), torch.no_grad():
                predictions = self._predictions(window)
            del window
            yield from predictions

    def _predictions(self, problems: Sequence[ReadingProblem]) -> list[Prediction]:
        encoded = self.encoded(problems)
        predictions = {}
        for number, (scores, spans) in answered(self, encoded, self._batch):
            passage, tokens = problems[number].passage, problems[number].token_spans
            texts = None if spans is None else tuple(whole_tokens(passage, tokens, span) for span in spans)
            predictions[number] = Prediction(scores, texts)
        return [predictions[number] for number in range(len(problems))]


def answered(system: TorchSystem[P], problems: Sequence[P], batch: int) -> Iterator[tuple[int, Answer]]:
    """The index of each problem and its answer, from short to long problems."""
    system.model.eval()
    for numbers in sorted_order(_sizes(problems), batch):
        yield from zip(numbers.tolist(), system.answers([problems[number] for number in numbers]), strict=True)


def whole_tokens(passage: str, tokens: Iterable[TokenSpan], characters: TokenSpan) -> str:
    """The passage's text of the tokens that overlap a span of characters; the span itself if there is none."""
    inside = [span for span in tokens if span[0] < characters[1] and span[1] > characters[0]]
    start, end = (inside[0][0], inside[-1][1]) if inside else characters
    return passage[start:end]


def _sizes(problems: Sequence[EncodedProblem]) -> npt.NDArray[np.int64]:
    return np.array([problem.size for problem in problems], np.int64)


class Training(Generic[P]):
    """The training of a system's model. ``run`` ends with the weights of the epoch that did best on the validation problems.

    The best epoch has the highest accuracy, of equal ones the highest mean log probability of the answers; without validation
    problems it is the last one. Training stops after ``patience`` epochs in which both were no better than before: while a
    reader learns, the probability rises steadily, even where the accuracy on few problems does not.
    """

    def __init__(
        self,
        system: TorchSystem[P],
        settings: Any,
        problems: tuple[Sequence[P], Sequence[P]],
        workspace: TrainingContext,
    ) -> None:
        """``settings``: with ``epochs``, ``patience``, ``batch`` and ``clip``. ``problems``: of training and of validation."""
        self._system, self._settings, self._optimiser = system, settings, system.optimiser()
        self._training, self._validation = problems
        self._workspace = workspace
        self._epoch, self._loss = 0, torch.zeros((), device=workspace.device)
        self._best_result, self._best_log_score = (-1.0, 0.0), -math.inf
        self._best_weights, self._stale = Weights(), 0

    def run(self) -> None:
        """Train until an epoch is no longer better, or for the maximum number of epochs."""
        most, patience = self._settings.epochs, self._settings.patience
        while self._epoch < most and self._stale < patience:
            begun = time.monotonic()
            self.train_epoch()
            self._validate(begun)
            self._epoch, self._loss = self._epoch + 1, torch.zeros_like(self._loss)
        use_weights(self._system.model, self._best_weights)

    def train_epoch(self) -> None:
        """One epoch. Never asks a GPU for a number, so that it computes while the next batch is made."""
        settings, system, problems = self._settings, self._system, self._training
        system.model.train()
        order = training_order(_sizes(problems), settings.batch, self._workspace.seed, self._epoch)
        label = f"{system.title} {self._epoch + 1}/{settings.epochs}"
        with self._workspace.progress.bar(label, len(problems), "problems") as bar:
            for batch, numbers in enumerate(order):
                self._optimiser.param_groups[0]["lr"] = system.rate(self._epoch, batch, len(order))
                self._optimiser.zero_grad(set_to_none=True)
                self._loss += system.backward([problems[number] for number in numbers]) * len(numbers)
                if settings.clip:
                    nn.utils.clip_grad_norm_(system.model.parameters(), settings.clip)
                self._optimiser.step()
                bar.advance(len(numbers))

    def _validate(self, begun: float) -> None:
        """Keeps the weights if they are the best so far. Without validation problems the last weights are the best.

        ``begun``: when the epoch began, in seconds of the monotonic clock.
        """
        accuracy, log_score = self.evaluate()
        loss = float(self._loss) / len(self._training)
        self._workspace.progress.say(
            f"{self._system.title}: epoch {self._epoch + 1} of at most {self._settings.epochs} in "
            f"{time.monotonic() - begun:.0f} s, loss {loss:.4f}, accuracy on validation {accuracy:.4f}"
        )
        is_best = (accuracy, log_score) > self._best_result or not self._validation
        if is_best:
            self._best_result, self._best_weights = (accuracy, log_score), trained_weights(self._system.model)
        self._stale = 0 if is_best or log_score > self._best_log_score else self._stale + 1
        self._best_log_score = max(self._best_log_score, log_score)

    def evaluate(self) -> tuple[float, float]:
        """(accuracy, mean log probability of the answer) on the validation problems; zeros without problems."""
        problems, solved, logs = self._validation, 0, 0.0
        with torch.no_grad(), self._workspace.progress.bar("validation", len(problems), "problems") as bar:
            for number, (scores, _) in answered(self._system, problems, self._settings.batch):
                answer = problems[number].answer
                solved += scores.index(max(scores)) == answer
                logs += math.log(max(scores[answer], sys.float_info.min))
                bar.advance()
        return solved / max(1, len(problems)), logs / max(1, len(problems))
