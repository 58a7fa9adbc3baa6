"""A neural reader as a system: encodes problems, trains one of the modules and answers with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any

import torch
from torch import Tensor

from wdw_bench.systems.neural import ReaderConfig
from wdw_bench.systems.neural.batches import EncodedProblem, Ids, ProblemEncoder, collate, reader_tokens
from wdw_bench.systems.neural.models import make_reader
from wdw_bench.systems.neural.tokens import SPARE_ROWS, Vocabulary, count_vocabulary, initial_vectors
from wdw_bench.systems.torch_training import Answer, TorchSystem, Training, reproducible
from wdw_bench.systems.vectors import Vectors
from wdw_build.api import CorpusError
from wdw_build.reading import LabelledProblems, ReadingProblem, TrainingContext
from wdw_build.reading.problems import watched


class NeuralReader(TorchSystem[EncodedProblem]):
    """``System`` of a neural reader; its settings say which one."""

    def __init__(self, title: str, settings: ReaderConfig) -> None:
        super().__init__(title, settings.batch)
        self._settings = settings
        self._vocabulary: Any = None
        self._vectors: Vectors | None = None
        # The characters of each spelling; None if the reader reads none.
        self.spellings: Ids | None = None

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Train a new module. Raises ``CorpusError`` if no training problem's passage mentions its answer."""
        with reproducible(workspace.device, workspace.seed):
            problems = self.prepare(training, validation, workspace)
            Training(self, self._settings, problems, workspace).run()

    def prepare(
        self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext
    ) -> tuple[list[EncodedProblem], list[EncodedProblem]]:
        """Both splits as word ids in memory, by a vocabulary of the training problems; makes an untrained module.

        Training problems whose answer the passage does not mention are left out. Raises ``CorpusError`` if none is left.
        """
        self.device, progress, settings = workspace.device, workspace.progress, self._settings
        self._vectors = None if settings.vector_size else Vectors(workspace.vectors)
        tokens = (reader_tokens(labelled.problem, settings) for labelled in watched(training, "vocabulary", progress))
        vocabulary = count_vocabulary(tokens, settings)
        known, _ = self._unseen((labelled.problem for labelled in validation), vocabulary)
        self._vocabulary = vocabulary = vocabulary.extended(known)
        encoder = ProblemEncoder(vocabulary, settings)

        def encoded(problems: LabelledProblems, label: str) -> Iterator[EncodedProblem]:
            watch = watched(problems, label, progress)
            return (encoder.encode(labelled.problem, labelled.answer) for labelled in watch)

        learnable = [problem for problem in encoded(training, "encoding training") if problem.mentions_answer]
        held_out = list(encoded(validation, "encoding validation"))
        if left_out := len(training) - len(learnable):
            progress.say(f"{left_out} training problems are left out: their passages do not mention the answer")
        if not learnable:
            raise CorpusError("no training problem's answer is mentioned in its passage", hint="train on more problems")
        self.spellings = encoder.spellings()
        embedding = initial_vectors(vocabulary, settings, self._vectors, workspace.seed)
        model = make_reader(settings, embedding, vocabulary.character_size, vocabulary.markers)
        self.model = model.to(self.device)
        return learnable, held_out

    def _unseen(self, problems: Iterable[ReadingProblem], vocabulary: Vocabulary) -> tuple[list[str], Any]:
        """The problems' words that only the fixed pretrained vectors know, in order, and their vectors (n, d)."""
        if self._vectors is None or self._settings.train_vectors:
            return [], ()
        words: dict[str, None] = {}
        for problem in problems:
            tokens = reader_tokens(problem, self._settings)
            words |= dict.fromkeys(vocabulary.unseen([*tokens.question, *tokens.passage]))
        vectors, is_known = self._vectors.lookup(list(words))
        return list(compress(words, is_known.tolist())), vectors[is_known]

    def optimiser(self) -> torch.optim.Optimizer:
        """SGD or Adam, as the settings say."""
        parameters = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        kind = torch.optim.SGD if self._settings.optimiser == "sgd" else torch.optim.Adam
        return kind(parameters, lr=self._settings.rate)

    def rate(self, epoch: int, batch: int, batches: int) -> float:
        """The rate of the settings, halved in each epoch from ``halve_from``."""
        first = self._settings.halve_from
        return self._settings.rate * 0.5 ** (max(0, epoch + 2 - first) if first else 0)

    def backward(self, problems: Sequence[EncodedProblem]) -> Tensor:
        """The loss is the mean negative log-likelihood of the answers."""
        batch = collate(problems, self.spellings).to(self.device)
        loss: Tensor = -self.model(batch).gather(1, batch.answer.unsqueeze(1)).mean()
        loss.backward()  # type: ignore[no-untyped-call]  # torch ships no type for it
        return loss.detach()

    def answers(self, problems: Sequence[EncodedProblem]) -> list[Answer]:
        """The probability of each choice."""
        probabilities = self.model(collate(problems, self.spellings).to(self.device)).double().exp().cpu().tolist()
        return [
            Answer(tuple(row[: len(problem.markers)])) for problem, row in zip(problems, probabilities, strict=True)
        ]

    def encoded(self, problems: Sequence[ReadingProblem]) -> list[EncodedProblem]:
        """The problems as word ids.

        If word vectors are fixed, the vectors of words that training did not see are written into the spare rows of the table.
        """
        known, vectors = self._unseen(problems, self._vocabulary)
        known = known[:SPARE_ROWS]
        if known:
            table: Tensor = self.model.words.words
            first = len(table) - SPARE_ROWS
            table[first : first + len(known)] = torch.from_numpy(vectors[: len(known)]).to(table.device)
        encoder = ProblemEncoder(self._vocabulary.extended(known), self._settings)
        encoded = [encoder.encode(problem) for problem in problems]
        self.spellings = encoder.spellings()
        return encoded
