"""The readers as systems: encode problems, train, answer in batches, save and load."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from wdw_build.errors import MissingResourceError
from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, TrainingContext
from wdw_build.records import TokenSpan
from wdw_build.systems.encoders import ChoiceConfig, QuestionConfig, SpanConfig
from wdw_build.systems.encoders.files import check_length, encoder_folder, encoder_hash
from wdw_build.systems.encoders.inputs import (
    ChoiceInputs,
    EncodedProblem,
    QuestionInputs,
    SpanInputs,
    WordPieces,
)
from wdw_build.systems.encoders.readers import Answer, ChoiceReader, Reader, SpanReader
from wdw_build.systems.encoders.training import encoded, parts, train
from wdw_build.systems.torch_training import reproducible, trained_weights, use_weights

WEIGHTS = "trained.safetensors"
# Problems that are read ahead while problems are answered.
_AHEAD = 16


class EncoderSystem:
    """A ``System`` of a reader and its inputs. Only the trained weights are saved; the others stay in the encoder's folder."""

    def __init__(self, settings: ChoiceConfig | QuestionConfig | SpanConfig) -> None:
        self._settings = settings
        self._device, self._hash = "cpu", ""
        # Training problems of which no window has the answer.
        self.unread_training: int | None = None
        self._inputs: ChoiceInputs | QuestionInputs | SpanInputs
        self._reader: Reader

    @property
    def parameters(self) -> int:
        """See ``System.parameters``; frozen weights are not counted."""
        return sum(weight.numel() for weight in self._reader.parameters() if weight.requires_grad)

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """See ``System.fit``."""
        self._begin(workspace)
        rows = encoded(training, self._inputs.encode, workspace.progress, "read training")
        if isinstance(self._inputs, SpanInputs):
            read = (any(mention.choice == answer for mention in problem.mentions) for answer, problem in rows)
            self.unread_training = len(rows) - sum(read)
        train(
            self._reader,
            rows,
            encoded(validation, self._inputs.encode, workspace.progress, "read validation"),
            self._settings,
            workspace,
        )

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``."""
        self._reader.eval()
        return predictions(problems, self._inputs.encode, self._answers)

    def save(self, folder: Path) -> None:
        """See ``System.save``."""
        save_file(trained_weights(self._reader), folder / WEIGHTS, metadata={"encoder": self._hash})

    def load(self, folder: Path, workspace: TrainingContext) -> None:
        """See ``System.load``. Raises ``MissingResourceError`` if the model was trained on another encoder."""
        self._begin(workspace)
        with safe_open(folder / WEIGHTS, "pt") as saved:
            trained_on = saved.metadata()["encoder"]
        if trained_on != self._hash:
            raise MissingResourceError(
                f"the model in {folder} was trained on another encoder than {encoder_folder(workspace)}",
                hint="give the encoder that it was trained on, or train again",
            )
        use_weights(self._reader, load_file(folder / WEIGHTS))

    def _begin(self, workspace: TrainingContext) -> None:
        """Make inputs and an untrained reader; its random weights depend on the seed."""
        folder, settings = encoder_folder(workspace), self._settings
        check_length(folder, settings.max_tokens)
        self._device, self._hash, pieces = workspace.device, encoder_hash(folder), WordPieces(folder)
        with reproducible(workspace.device, workspace.seed):
            if isinstance(settings, SpanConfig):
                self._inputs = SpanInputs(pieces, settings.max_tokens, settings.stride, settings.max_windows)
                self._reader = SpanReader(folder, settings.freeze_layers, settings.max_answer)
            else:
                inputs = ChoiceInputs if isinstance(settings, ChoiceConfig) else QuestionInputs
                self._inputs = inputs(pieces, settings.max_tokens)
                self._reader = ChoiceReader(folder, settings.freeze_layers)
            self._reader.to(workspace.device)

    def _answers(self, problems: list[EncodedProblem]) -> list[Answer]:
        with reproducible(self._device, seed=0), torch.inference_mode():
            return self._reader.answers(problems)


def predictions(
    problems: Iterable[ReadingProblem],
    encode: Callable[[ReadingProblem], EncodedProblem],
    answer: Callable[[list[EncodedProblem]], list[Answer]],
) -> Iterator[Prediction]:
    """The prediction for each problem. Reads ``_AHEAD`` problems at a time, which are answered in groups of some rows.

    An extracted span is widened to whole tokens.
    """
    waiting = iter(problems)
    while batch := list(islice(waiting, _AHEAD)):
        for part in parts((problem, encode(problem)) for problem in batch):
            answers = answer([encoded for _, encoded in part])
            for (problem, _), (scores, spans) in zip(part, answers, strict=True):
                if spans is not None:
                    texts = tuple(whole_tokens(problem.passage, problem.token_spans, span) for span in spans)
                yield Prediction(scores, None if spans is None else texts)


def whole_tokens(passage: str, tokens: Iterable[TokenSpan], characters: TokenSpan) -> str:
    """The passage's text of the tokens that overlap a span of characters; the span itself if there is none."""
    inside = [span for span in tokens if span[0] < characters[1] and span[1] > characters[0]]
    start, end = (inside[0][0], inside[-1][1]) if inside else characters
    return passage[start:end]
