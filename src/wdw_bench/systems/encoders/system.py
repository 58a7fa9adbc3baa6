"""Fine-tuned readers on a transformer: the torch modules, and the system that trains them and answers with them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from wdw_bench.systems.encoders import ChoiceConfig, QuestionConfig, check_length, encoder_folder, load_model
from wdw_bench.systems.encoders.inputs import ChoiceInputs, EncodedProblem, Row, WordPieces
from wdw_bench.systems.torch_training import Answer, TorchSystem, Training, reproducible
from wdw_build.api import ConfigError
from wdw_build.reading import LabelledProblems, ReadingProblem, TrainingContext
from wdw_build.reading.problems import watched
from wdw_build.records import TokenSpan


def row_inputs(rows: Sequence[Row], model: Any) -> dict[str, Tensor]:
    """The arguments of a model of transformers for some rows: ids, mask, and token types if it has them."""
    ids = [torch.as_tensor(row.ids, dtype=torch.int64) for row in rows]
    padded = pad_sequence(ids, batch_first=True, padding_value=model.config.pad_token_id or 0)
    positions, lengths = torch.arange(padded.shape[1]), torch.tensor([[len(row.ids)] for row in rows])
    mask = (positions < lengths).long()
    types = mask * (positions >= torch.tensor([[row.first] for row in rows]))
    has_types = (getattr(model.config, "type_vocab_size", None) or 0) > 1
    named = {"input_ids": padded, "attention_mask": mask} | ({"token_type_ids": types} if has_types else {})
    return {name: tensor.to(model.device) for name, tensor in named.items()}


def freeze(model: Any, count: int) -> None:
    """Train the layers above the lowest ``count`` and the head, but not embeddings and pooling. Raises ``ConfigError``."""
    total = getattr(model.config, "num_hidden_layers", 0)
    lists = [child for child in model.modules() if isinstance(child, nn.ModuleList) and len(child) == total]
    if not lists or count > total:
        raise ConfigError(
            f"freeze_layers is {count}, and the encoder has {total if lists else 'no list of'} layers",
            hint="use an encoder such as BERT, RoBERTa or MiniLM, and set freeze_layers to at most its number of layers",
        )
    model.base_model.requires_grad_(False)
    for layer in list(lists[0])[count:]:
        layer.requires_grad_(True)


class ChoiceReader(nn.Module):
    """P(choice) = softmax over the choices of w . mean(vectors of the choice's row) + b."""

    def __init__(self, folder: Path, freeze_layers: int) -> None:
        super().__init__()
        self.model, _ = load_model("AutoModel", folder)
        freeze(self.model, freeze_layers)
        self.head = nn.Linear(self.model.config.hidden_size, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def _log_probabilities(self, problems: Sequence[EncodedProblem]) -> list[Tensor]:
        inputs = row_inputs([row for problem in problems for row in problem.rows], self.model)
        vectors = self.model(**inputs).last_hidden_state
        weights = inputs["attention_mask"].unsqueeze(-1).to(vectors.dtype)
        # The mean vector of each row, as the encoder's own training pooled it.
        logits = self.head((vectors * weights).sum(dim=1) / weights.sum(dim=1)).squeeze(-1)
        return [part.log_softmax(dim=0) for part in logits.split([problem.choices for problem in problems])]

    def losses(self, problems: Sequence[EncodedProblem]) -> Tensor:
        """-log P(answer)."""
        pairs = zip(self._log_probabilities(problems), problems, strict=True)
        return torch.stack([-log[problem.answer] for log, problem in pairs])

    def answers(self, problems: Sequence[EncodedProblem]) -> list[Answer]:
        """The probability of each choice."""
        return [Answer(tuple(log.double().exp().tolist())) for log in self._log_probabilities(problems)]


class SpanLogits(NamedTuple):
    """Log probabilities of one problem, (windows, positions), that a span starts and ends there; normalised over all windows."""

    start: Tensor
    end: Tensor


class SpanReader(nn.Module):
    """P(span) = P(start) P(end); each factor is a softmax over all passage positions of all windows of the problem.

    ``model``: a question-answering model of transformers.
    """

    def __init__(self, model: Any, max_answer: int) -> None:
        super().__init__()
        self.model, self._max_answer = model, max_answer

    def logits(self, problems: Sequence[EncodedProblem]) -> list[SpanLogits]:
        """The log probabilities of each problem."""
        rows = [row for problem in problems for row in problem.rows]
        output = self.model(**row_inputs(rows, self.model))
        logits = torch.stack([output.start_logits, output.end_logits], dim=-1)
        inside = torch.zeros(logits.shape[:2], dtype=torch.bool)
        for number, row in enumerate(rows):
            inside[number, row.first : row.last] = True
        logits = logits.masked_fill(~inside.to(logits.device).unsqueeze(-1), torch.finfo(logits.dtype).min)
        logs = [
            part.reshape(-1, 2).log_softmax(dim=0).reshape(part.shape)
            for part in torch.split(logits, [len(problem.rows) for problem in problems])
        ]
        return [SpanLogits(log[..., 0], log[..., 1]) for log in logs]

    def answers(self, problems: Sequence[EncodedProblem]) -> list[Answer]:
        """The probability of each choice's most probable mention, 0 without one, and the most probable span."""
        answers = []
        for logits, problem in zip(self.logits(problems), problems, strict=True):
            best = [_mentions(logits, problem, choice).tolist() for choice in range(problem.choices)]
            scores = tuple(math.exp(max(spans)) if spans else 0.0 for spans in best)
            span = most_probable_span(logits, problem, self._max_answer)
            answers.append(Answer(scores, () if span is None else (span.characters,)))
        return answers


class ProbableSpan(NamedTuple):
    """A span of the passage, in characters [start, end), and its probability."""

    characters: TokenSpan
    probability: float


def most_probable_span(logits: SpanLogits, problem: EncodedProblem, max_answer: int) -> ProbableSpan | None:
    """The most probable span of at most ``max_answer`` pieces in one window; None if the passage is empty."""
    best: tuple[float, int, int, int] | None = None
    for number, row in enumerate(problem.rows):
        if not row.characters:
            continue
        start, end = logits.start[number, row.first : row.last], logits.end[number, row.first : row.last]
        scores = (start.unsqueeze(1) + end.unsqueeze(0)).triu()
        allowed = torch.ones_like(scores, dtype=torch.bool).triu().tril(max_answer - 1)
        place = int(scores.masked_fill(~allowed, -math.inf).argmax())
        first, last = divmod(place, len(start))
        if best is None or float(scores[first, last]) > best[0]:
            best = float(scores[first, last]), number, first, last
    if best is None:
        return None
    characters = problem.rows[best[1]].characters
    return ProbableSpan((characters[best[2]][0], characters[best[3]][1]), math.exp(best[0]))


def _mentions(logits: SpanLogits, problem: EncodedProblem, choice: int) -> Tensor:
    """The log probability of each mention of a choice."""
    spans = [(mention.row, mention.start, mention.end) for mention in problem.mentions if mention.choice == choice]
    rows, starts, ends = (list(column) for column in zip(*spans, strict=True)) if spans else ([], [], [])
    return logits.start[rows, starts] + logits.end[rows, ends]


# ---- the system ------------------------------------------------------------------------------------------------------

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
        folder, settings = encoder_folder(workspace), self._settings
        check_length(folder, settings.max_tokens)
        self.device = workspace.device
        reads_passage = isinstance(settings, ChoiceConfig)
        self._inputs = ChoiceInputs(WordPieces(folder), settings.max_tokens, reads_passage=reads_passage)
        # The random weights of the head depend on the seed.
        with reproducible(workspace.device, workspace.seed):
            self.model = ChoiceReader(folder, settings.freeze_layers).to(workspace.device)
        problems = (
            self._read(training, "read training", workspace),
            self._read(validation, "read validation", workspace),
        )
        with reproducible(workspace.device, workspace.seed):
            Training(self, settings, problems, workspace).run()

    def _read(self, problems: LabelledProblems, label: str, workspace: TrainingContext) -> list[EncodedProblem]:
        """The rows of a split in memory, four bytes for each token id."""
        encoded = []
        for labelled in watched(problems, label, workspace.progress):
            problem = self._inputs.encode(labelled.problem)
            rows = [row._replace(ids=np.asarray(row.ids, np.int32)) for row in problem.rows]
            encoded.append(problem._replace(rows=rows, answer=labelled.answer))
        return encoded

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
