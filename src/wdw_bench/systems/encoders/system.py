"""The readers as systems: encode problems, train with AdamW and warm-up, answer in batches, save and load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from wdw_bench.systems.encoders import ChoiceConfig, QuestionConfig
from wdw_bench.systems.encoders.files import check_length, encoder_folder
from wdw_bench.systems.encoders.inputs import ChoiceInputs, EncodedProblem, WordPieces
from wdw_bench.systems.encoders.readers import ChoiceReader
from wdw_bench.systems.torch_training import (
    Answer,
    TorchSystem,
    Training,
    reproducible,
)
from wdw_build.reading import LabelledProblems, ReadingProblem, TrainingContext
from wdw_build.reading.problems import watched

# Word pieces, padding included, that the encoder computes at once. More is not faster on a CPU, and takes more memory.
_PIECES = 2048


class EncoderSystem(TorchSystem[EncodedProblem]):
    """A ``System`` of a ``ChoiceReader`` and its inputs."""

    model: ChoiceReader

    def __init__(self, title: str, settings: ChoiceConfig | QuestionConfig) -> None:
        super().__init__(title, settings.batch)
        self._settings = settings

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Fine-tune the encoder and train the head."""
        self._begin(workspace)
        problems = (
            self._read(training, "read training", workspace),
            self._read(validation, "read validation", workspace),
        )
        with reproducible(workspace.device, workspace.seed):
            Training(self, self._settings, problems, workspace).run()

    def _read(self, problems: LabelledProblems, label: str, workspace: TrainingContext) -> list[EncodedProblem]:
        """The rows of a split in memory, four bytes for each token id."""
        found = []
        for labelled in watched(problems, label, workspace.progress):
            problem = self._inputs.encode(labelled.problem)
            rows = [row._replace(ids=np.asarray(row.ids, np.int32)) for row in problem.rows]
            found.append(problem._replace(rows=rows, answer=labelled.answer))
        return found

    def optimiser(self) -> torch.optim.Optimizer:
        """AdamW."""
        weights = [weight for weight in self.model.parameters() if weight.requires_grad]
        return torch.optim.AdamW(weights, lr=self._settings.rate)

    def rate(self, epoch: int, batch: int, batches: int) -> float:
        """A rate that rises linearly during the warm-up and then falls linearly to 0."""
        before, after = ((epoch + done / batches) / self._settings.epochs for done in (batch, batch + 1))
        return self._settings.rate * rate_factor(before, after, self._settings.warm_up)

    def backward(self, problems: Sequence[EncodedProblem]) -> Tensor:
        """The loss is the mean over the batch, computed in parts that fit into memory."""
        total = torch.zeros((), device=self.device)
        for part in parts(problems):
            loss = self.model.losses(part).sum() / len(problems)
            loss.backward()  # type: ignore[no-untyped-call]  # torch's stubs leave it untyped
            total += loss.detach()
        return total

    def encoded(self, problems: Sequence[ReadingProblem]) -> list[EncodedProblem]:
        """The inputs of the encoder for each problem."""
        return [self._inputs.encode(problem) for problem in problems]

    def answers(self, problems: Sequence[EncodedProblem]) -> list[Answer]:
        """The answers of the reader, computed in parts that fit into memory."""
        return [answer for part in parts(problems) for answer in self.model.answers(part)]

    def _begin(self, workspace: TrainingContext) -> None:
        """Make inputs and an untrained reader; its random weights depend on the seed."""
        folder, settings = encoder_folder(workspace), self._settings
        check_length(folder, settings.max_tokens)
        self.device, pieces = workspace.device, WordPieces(folder)
        with reproducible(workspace.device, workspace.seed):
            reads_passage = isinstance(settings, ChoiceConfig)
            self._inputs = ChoiceInputs(pieces, settings.max_tokens, reads_passage=reads_passage)
            self.model = ChoiceReader(folder, settings.freeze_layers)
            self.model.to(workspace.device)


def rate_factor(before: float, after: float, warm_up: float) -> float:
    """The share of the highest rate for a step; ``before`` and ``after`` are the shares of the training done around it.

    The rate rises linearly during ``warm_up``, then falls linearly to 0.
    """
    rise = after / warm_up if after < warm_up else 1.0
    fall = (1.0 - before) / (1.0 - warm_up) if before > warm_up else 1.0
    return min(rise, fall)


def parts(problems: Sequence[EncodedProblem]) -> Iterator[list[EncodedProblem]]:
    """The problems in groups of at most ``_PIECES`` word pieces, padding included, or of one problem."""
    part: list[EncodedProblem] = []
    rows, width = 0, 0
    for problem in problems:
        longest = max(len(row.ids) for row in problem.rows)
        if part and (rows + len(problem.rows)) * max(width, longest) > _PIECES:
            yield part
            part, rows, width = [], 0, 0
        part.append(problem)
        rows, width = rows + len(problem.rows), max(width, longest)
    if part:
        yield part
