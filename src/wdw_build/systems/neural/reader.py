"""A neural reader as a system: trains one of the modules, answers problems with it, writes and reads it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor

from wdw_build.core.hashing import digest
from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, TrainingContext
from wdw_build.systems.neural.batches import ProblemEncoder, collate, sorted_order
from wdw_build.systems.neural.models import make_reader
from wdw_build.systems.neural.settings import ReaderConfig
from wdw_build.systems.neural.training import (
    CHECKPOINT_SECONDS,
    Training,
    prepare,
    unseen_words,
)
from wdw_build.systems.neural.vocabulary import SPARE_ROWS, Vocabulary, initial_vectors
from wdw_build.systems.torch_training import reproducible, trained_weights, use_weights
from wdw_build.systems.vectors import Vectors

_WINDOW = 8
"""Batches that ``choose`` reads ahead, to sort their problems by length."""


class NeuralReader:
    """``System`` of a neural reader; its settings say which one."""

    def __init__(self, title: str, settings: ReaderConfig, *, checkpoint_seconds: float = CHECKPOINT_SECONDS) -> None:
        self._title, self._settings, self._checkpoint_seconds = title, settings, checkpoint_seconds
        self._model: Any = None
        self._vocabulary: Any = None
        self._vectors: Vectors | None = None
        self._device, self._seed = "cpu", 0

    @property
    def parameters(self) -> int:
        """See ``System.parameters``."""
        if self._model is None:
            return 0
        return sum(parameter.numel() for parameter in self._model.parameters() if parameter.requires_grad)

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """See ``System.fit``."""
        self._use(workspace)
        vectors = self._vectors.identity if self._vectors else ""
        key = digest([type(self._settings).__name__, self._settings, len(training), len(validation), vectors])
        prepared = prepare(training, validation, self._settings, self._vectors, workspace.progress)
        with reproducible(workspace.device):
            torch.manual_seed(workspace.seed)
            self._make(prepared.vocabulary, workspace.seed)
            Training(
                *(self._model, self._settings, prepared, workspace),
                title=self._title,
                checkpoint=f"checkpoint-{key[:16]}-{workspace.seed}.pt",
                checkpoint_seconds=self._checkpoint_seconds,
            ).run()

    def _use(self, workspace: TrainingContext) -> None:
        self._device = workspace.device
        self._vectors = None if self._settings.vector_size else Vectors(workspace.vectors)

    def _make(self, vocabulary: Vocabulary, seed: int) -> None:
        """A module with initial weights."""
        self._vocabulary, self._seed = vocabulary, seed
        embedding = initial_vectors(vocabulary, self._settings, self._vectors, seed)
        model = make_reader(self._settings, embedding, vocabulary.character_size, vocabulary.markers)
        self._model = model.to(self._device)

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``. The scores are the probabilities of the choices."""
        stream = iter(problems)
        while window := list(itertools.islice(stream, _WINDOW * self._settings.batch)):
            with reproducible(self._device), torch.no_grad():
                predictions = self._predict(window)
            del window
            yield from predictions

    def _predict(self, problems: Sequence[ReadingProblem]) -> list[Prediction]:
        encoder = ProblemEncoder(self._with_fixed_vectors(problems), self._settings)
        encoded = [encoder.encode(problem) for problem in problems]
        spellings = encoder.spellings.characters() if self._settings.reads_characters else None
        scores: dict[int, tuple[float, ...]] = {}
        self._model.eval()
        for numbers in sorted_order(np.array([len(problem.passage) for problem in encoded]), self._settings.batch):
            batch = collate([encoded[number] for number in numbers], spellings).to(self._device)
            probabilities = self._model(batch).double().exp().cpu().tolist()
            for number, row in zip(numbers.tolist(), probabilities, strict=True):
                scores[number] = tuple(row[: len(encoded[number].markers)])
        return [Prediction(scores[number]) for number in range(len(encoded))]

    def _with_fixed_vectors(self, problems: Sequence[ReadingProblem]) -> Vocabulary:
        """The vocabulary and, if word vectors are fixed, the problems' other words that have one.

        Their vectors are written into the spare rows of the table.
        """
        vocabulary: Vocabulary = self._vocabulary
        if self._vectors is None or self._settings.train_vectors:
            return vocabulary
        words = dict.fromkeys(
            word for problem in problems for word in unseen_words(problem, vocabulary, self._settings)
        )
        vectors, found = self._vectors.lookup(list(words))
        known = list(itertools.compress(words, found.tolist()))[:SPARE_ROWS]
        rows = torch.from_numpy(vectors[found][:SPARE_ROWS])
        table: Tensor = self._model.words.words
        table[len(table) - SPARE_ROWS : len(table) - SPARE_ROWS + len(rows)] = rows.to(table.device)
        return vocabulary.extended(known)

    def save(self, folder: Path) -> None:
        """See ``System.save``. Fixed word vectors are not written."""
        (folder / "vocabulary.json").write_bytes(msgspec.json.encode((self._vocabulary, self._seed)))
        torch.save(trained_weights(self._model), folder / "weights.pt")

    def load(self, folder: Path, workspace: TrainingContext) -> None:
        """See ``System.load``."""
        self._use(workspace)
        with reproducible(workspace.device):
            saved = (folder / "vocabulary.json").read_bytes()
            self._make(*msgspec.json.decode(saved, type=tuple[Vocabulary, int]))
        use_weights(self._model, torch.load(folder / "weights.pt", map_location="cpu", weights_only=True))
