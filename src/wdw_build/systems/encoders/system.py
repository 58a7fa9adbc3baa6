"""The readers as systems: encode problems, train, answer in batches, save and load."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from wdw_build.errors import MissingResourceError
from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, Workspace
from wdw_build.records import TokenSpan
from wdw_build.systems.determinism import reproducible
from wdw_build.systems.encoders import ChoiceConfig, QuestionConfig, SpanConfig
from wdw_build.systems.encoders.files import check_length, encoder_folder, encoder_hash
from wdw_build.systems.encoders.inputs import (
    ChoiceInputs,
    EncodedProblem,
    ProblemEncoder,
    QuestionInputs,
    SpanInputs,
    WordPieces,
)
from wdw_build.systems.encoders.readers import Answer, ChoiceReader, Reader, SpanReader
from wdw_build.systems.encoders.training import encoded, parts, train

WEIGHTS = "trained.safetensors"
# Problems that are read ahead while problems are answered.
_AHEAD = 16

Settings = ChoiceConfig | QuestionConfig | SpanConfig


class EncoderSystem:
    """A ``System`` of a reader and its inputs. Only the trained weights are saved; the others stay in the encoder's folder."""

    def __init__(
        self,
        settings: Settings,
        inputs: Callable[[WordPieces], ProblemEncoder],
        reader: Callable[[Path], Reader],
    ) -> None:
        self._settings, self._make_inputs, self._make_reader = settings, inputs, reader
        self._device, self._hash = "cpu", ""
        self._inputs: ProblemEncoder | None = None
        self._reader: Reader | None = None

    @property
    def parameters(self) -> int:
        """See ``System.parameters``; frozen weights are not counted."""
        return sum(weight.numel() for weight in self._reader.trained_state().values()) if self._reader else 0

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: Workspace) -> None:
        """See ``System.fit``."""
        inputs, reader = self._begin(workspace)
        train(
            reader,
            encoded(training, inputs, workspace.progress, "read training"),
            encoded(validation, inputs, workspace.progress, "read validation"),
            self._settings,
            workspace,
        )

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``."""
        if self._inputs is None or self._reader is None:
            raise ValueError("choose needs a trained system: call fit or load first")
        self._reader.eval()
        return predictions(problems, self._inputs.encode, self._answers)

    def save(self, folder: Path) -> None:
        """See ``System.save``."""
        if self._reader is None:
            raise ValueError("save needs a trained system: call fit or load first")
        weights = {name: weight.cpu().contiguous() for name, weight in self._reader.trained_state().items()}
        save_file(weights, folder / WEIGHTS, metadata={"encoder": self._hash})

    def load(self, folder: Path, workspace: Workspace) -> None:
        """See ``System.load``. Raises ``MissingResourceError`` if the model was trained on another encoder."""
        _, reader = self._begin(workspace)
        with safe_open(folder / WEIGHTS, "pt") as saved:
            trained_on = saved.metadata()["encoder"]
        if trained_on != self._hash:
            raise MissingResourceError(
                f"the model in {folder} was trained on another encoder than {encoder_folder(workspace)}",
                hint="give the encoder that it was trained on, or train again",
            )
        reader.load_state_dict(load_file(folder / WEIGHTS), strict=False)

    def _begin(self, workspace: Workspace) -> tuple[ProblemEncoder, Reader]:
        """Untrained reader and inputs; the random weights depend on the seed."""
        folder = encoder_folder(workspace)
        check_length(folder, self._settings.max_tokens)
        self._device, self._hash = workspace.device, encoder_hash(folder)
        self._inputs = self._make_inputs(WordPieces(folder))
        with reproducible(workspace.device, workspace.seed):
            self._reader = self._make_reader(folder).to(workspace.device)
        return self._inputs, self._reader

    def _answers(self, problems: list[EncodedProblem]) -> list[Answer]:
        assert self._reader is not None  # noqa: S101 — for the type checker; choose has checked it
        with reproducible(self._device, seed=0), torch.inference_mode():
            return self._reader.answers(problems)


def choice_system(settings: ChoiceConfig) -> EncoderSystem:
    """The system ``choice-encoder``."""
    return EncoderSystem(
        settings,
        lambda pieces: ChoiceInputs(pieces, settings.max_tokens),
        lambda folder: ChoiceReader(folder, settings.freeze_layers),
    )


def question_system(settings: QuestionConfig) -> EncoderSystem:
    """The system ``encoder-question-only``."""
    return EncoderSystem(
        settings,
        lambda pieces: QuestionInputs(pieces, settings.max_tokens),
        lambda folder: ChoiceReader(folder, settings.freeze_layers),
    )


def span_system(settings: SpanConfig) -> EncoderSystem:
    """The system ``span-encoder``."""
    return EncoderSystem(
        settings,
        lambda pieces: SpanInputs(pieces, settings.max_tokens, settings.stride, settings.max_windows),
        lambda folder: SpanReader(folder, settings.freeze_layers, settings.max_answer),
    )


def predictions(
    problems: Iterable[ReadingProblem],
    encode: Callable[[ReadingProblem], EncodedProblem],
    answer: Callable[[list[EncodedProblem]], list[Answer]],
) -> Iterator[Prediction]:
    """The prediction for each problem. Reads ``_AHEAD`` problems at a time, which are answered in groups of some rows."""
    waiting = iter(problems)
    while batch := list(islice(waiting, _AHEAD)):
        for part in parts((problem, encode(problem)) for problem in batch):
            answers = answer([encoded for _, encoded in part])
            yield from (_prediction(problem, given) for (problem, _), given in zip(part, answers, strict=True))


def _prediction(problem: ReadingProblem, answer: Answer) -> Prediction:
    """The prediction for a reader's answer; an extracted span is widened to whole tokens."""
    if answer.spans is None:
        return Prediction(answer.scores)
    tokens = problem.token_spans
    return Prediction(answer.scores, tuple(whole_tokens(problem.passage, tokens, span) for span in answer.spans))


def whole_tokens(passage: str, tokens: Iterable[TokenSpan], characters: TokenSpan) -> str:
    """The passage's text of the tokens that overlap a span of characters; the span itself if there is none."""
    inside = [span for span in tokens if span[0] < characters[1] and span[1] > characters[0]]
    start, end = (inside[0][0], inside[-1][1]) if inside else characters
    return passage[start:end]
