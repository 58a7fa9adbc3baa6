"""Fine-tuning: AdamW with warm-up, early stopping, and a checkpoint after each epoch from which training resumes."""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch

from wdw_build.core.hashing import digest
from wdw_build.core.progress import Progress
from wdw_build.reading import LabelledProblems, ReadingProblem, TrainingContext
from wdw_build.reading.problems import watched
from wdw_build.systems.encoders import EncoderConfig
from wdw_build.systems.encoders.inputs import EncodedProblem
from wdw_build.systems.encoders.readers import Reader
from wdw_build.systems.torch_training import (
    TimeEstimate,
    Weights,
    reproducible,
    trained_weights,
    use_weights,
    write_checkpoint,
)

T = TypeVar("T")

CHECKPOINT = "checkpoint.pt"
# Word pieces, padding included, that the encoder computes at once. More is not faster on a CPU, and takes more memory.
_PIECES = 2048
# A batch is made of problems of similar length, out of so many batches in random order.
_POOL = 16


# The answer's index and the rows of each problem of a split.
LabelledRows = Sequence[tuple[int, EncodedProblem]]


@dataclass
class State:
    """How far the training is.

    ``best`` holds the weights of the best epoch; ``best_result`` is its result on the validation problems.
    """

    epoch: int = 0
    best_result: tuple[float, float] = (-1.0, 0.0)
    best_epoch: int = 0
    best: Weights = field(default_factory=dict)


def encoded(
    problems: LabelledProblems, encode: Callable[[ReadingProblem], EncodedProblem], progress: Progress, label: str
) -> LabelledRows:
    """The rows of a split in memory, four bytes for each token id; what only answering needs is left out."""
    found = []
    for labelled in watched(problems, label, progress):
        problem = encode(labelled.problem)
        rows = [row._replace(ids=np.asarray(row.ids, np.int32), characters=()) for row in problem.rows]
        found.append((labelled.answer, problem._replace(rows=rows)))
    return found


def train(
    reader: Reader,
    training: LabelledRows,
    validation: LabelledRows,
    settings: EncoderConfig,
    workspace: TrainingContext,
) -> None:
    """Train a reader and leave the weights of its best epoch in it.

    The best epoch has the highest accuracy on ``validation``, then the highest mean log score of the answer; without
    validation problems it is the last one. An epoch's random numbers depend only on the seed and the number of the epoch,
    so that a training resumed from the checkpoint of the last whole epoch ends as if it had not been killed.
    """
    optimiser = torch.optim.AdamW([weight for weight in reader.parameters() if weight.requires_grad], lr=settings.rate)
    key = digest([settings, workspace.seed, _content(training), _content(validation)])
    path = workspace.folder / CHECKPOINT
    state = _resume(path, key, reader, optimiser)
    total, done = settings.epochs * len(training), state.epoch * len(training)
    estimate = TimeEstimate("training", total - done, workspace.progress)
    with workspace.progress.bar("training", total, "problems", done) as bar:
        while state.epoch < settings.epochs and state.epoch - state.best_epoch < settings.patience:
            with reproducible(workspace.device, seed=int(digest(["epoch", workspace.seed, state.epoch])[:15], 16)):
                for count in _epoch(reader, training, settings, optimiser, state.epoch):
                    bar.advance(count)
                    estimate.advance(count)
                result = _evaluate(reader, validation)
            state.epoch += 1
            if not len(validation) or result > state.best_result:
                state.best_result, state.best_epoch = result, state.epoch
                state.best = trained_weights(reader)
            whole = {"weights": trained_weights(reader), "optimiser": optimiser.state_dict(), "state": vars(state)}
            write_checkpoint(path, {"key": key, **whole})
    use_weights(reader, state.best)


def _content(problems: LabelledRows) -> str:
    """Hash of the answers and of all token ids."""
    hasher = hashlib.sha256()
    for answer, problem in problems:
        hasher.update(answer.to_bytes(4, "little"))
        for row in problem.rows:
            hasher.update(np.asarray(row.ids).tobytes())
    return hasher.hexdigest()


def _lengths(problems: LabelledRows) -> list[int]:
    """The length of each problem's first row."""
    return [len(problem.rows[0].ids) for _, problem in problems]


def _epoch(
    reader: Reader, problems: LabelledRows, settings: EncoderConfig, optimiser: torch.optim.Optimizer, epoch: int
) -> Iterator[int]:
    """Train on every problem once; yields the number of problems after each step."""
    reader.train()
    batches = _shuffled_batches(_lengths(problems), settings.batch)
    for number, batch in enumerate(batches):
        before, after = ((epoch + done / len(batches)) / settings.epochs for done in (number, number + 1))
        optimiser.param_groups[0]["lr"] = settings.rate * rate_factor(before, after, settings.warm_up)
        for part in parts(problems[index] for index in batch):
            loss = reader.losses([problem for _, problem in part], [answer for answer, _ in part]).sum() / len(batch)
            loss.backward()  # type: ignore[no-untyped-call]  # torch's stubs leave it untyped
        torch.nn.utils.clip_grad_norm_(reader.parameters(), settings.clip)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        yield len(batch)


def _shuffled_batches(lengths: Sequence[int], size: int) -> list[list[int]]:
    """The problems' indexes in batches, in an order drawn from torch's generator; a batch has problems of similar length."""
    order = torch.randperm(len(lengths)).tolist()
    pools = (order[start : start + size * _POOL] for start in range(0, len(order), size * _POOL))
    batches = []
    for pool in pools:
        pool.sort(key=lambda index: (lengths[index], index))
        batches += [pool[start : start + size] for start in range(0, len(pool), size)]
    return [batches[index] for index in torch.randperm(len(batches)).tolist()]


def rate_factor(before: float, after: float, warm_up: float) -> float:
    """The share of the highest rate for a step; ``before`` and ``after`` are the shares of the training done around it.

    The rate rises linearly during ``warm_up``, then falls linearly to 0.
    """
    rise = after / warm_up if after < warm_up else 1.0
    fall = (1.0 - before) / (1.0 - warm_up) if before > warm_up else 1.0
    return min(rise, fall)


def parts(problems: Iterable[tuple[T, EncodedProblem]]) -> Iterator[list[tuple[T, EncodedProblem]]]:
    """Labelled problems in groups of at most ``_PIECES`` word pieces, padding included, or of one problem."""
    part: list[tuple[T, EncodedProblem]] = []
    rows, width = 0, 0
    for label, problem in problems:
        longest = max(len(row.ids) for row in problem.rows)
        if part and (rows + len(problem.rows)) * max(width, longest) > _PIECES:
            yield part
            part, rows, width = [], 0, 0
        part.append((label, problem))
        rows, width = rows + len(problem.rows), max(width, longest)
    if part:
        yield part


def _evaluate(reader: Reader, problems: LabelledRows) -> tuple[float, float]:
    """(accuracy, mean log score of the answer) on the problems; zeros without problems."""
    reader.eval()
    solved, logs = 0, 0.0
    order = np.argsort(_lengths(problems), kind="stable").tolist()
    with torch.inference_mode():
        for part in parts(problems[index] for index in order):
            given = reader.answers([problem for _, problem in part])
            for (answer, _), (scores, _) in zip(part, given, strict=True):
                solved += scores.index(max(scores)) == answer
                logs += math.log(max(scores[answer], sys.float_info.min))
    count = max(1, len(problems))
    return solved / count, logs / count


def _resume(path: Path, key: str, reader: Reader, optimiser: torch.optim.Optimizer) -> State:
    """The state of a checkpoint, whose weights go into reader and optimiser; a new state if it is of another training."""
    if not path.is_file():
        return State()
    whole = torch.load(path, map_location="cpu", weights_only=True)
    if whole["key"] != key:
        return State()
    use_weights(reader, whole["weights"])
    optimiser.load_state_dict(whole["optimiser"])
    return State(**whole["state"])
