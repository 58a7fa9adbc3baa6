"""Extractive QA model: the question with a text in the blank, and the spans of the passage that the model scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch

from wdw_bench.systems.encoders import load_model
from wdw_bench.systems.encoders.inputs import EncodedProblem, SpanInputs, WordPieces
from wdw_bench.systems.encoders.system import ProbableSpan, SpanReader, most_probable_span, parts
from wdw_bench.systems.pretrained import QA_MODEL, QaModelConfig
from wdw_bench.systems.torch_training import Answer, TorchSystem, reproducible, whole_tokens
from wdw_build.api import Backends, MissingResourceError, SpanAnswer, lm_token_spans
from wdw_build.reading import Prediction, ReadingProblem, TrainingContext, Untrained

# Problems that are answered at once.
_BATCH = 8


class QaModel(Untrained, TorchSystem[EncodedProblem]):
    """Scores each choice by P(start) P(end) of its most probable mention, and extracts the most probable span.

    Each factor is a softmax over the passage positions of all windows; the model's "no answer" is not used.
    """

    model: SpanReader | None = None

    def __init__(self, settings: QaModelConfig) -> None:
        super().__init__(QA_MODEL.name, _BATCH)
        self._settings = settings

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """As the base class, after loading the model."""
        self._opened()
        return super().choose(problems)

    def _opened(self) -> SpanReader:
        """The model, which is loaded when it is first asked for."""
        if self.model is None:
            settings, folder = self._settings, Path(self._settings.model)
            self.model = SpanReader(_whole_model(folder, self.device), settings.max_answer)
            self._inputs = SpanInputs(
                WordPieces(folder), settings.max_tokens, settings.stride, settings.max_windows, settings.blank
            )
        return self.model

    def extract(self, passage: str, question: str) -> ProbableSpan | None:
        """The most probable span of a passage for a question in ordinary words; None if the passage is empty."""
        reader = self._opened()
        encoded = self._inputs.encode_free(passage, question)
        with reproducible(self.device, seed=0), torch.inference_mode():
            return most_probable_span(reader.logits([encoded])[0], encoded, self._settings.max_answer)

    def encoded(self, problems: Sequence[ReadingProblem]) -> list[EncodedProblem]:
        """The windows of each problem."""
        return [self._inputs.encode(problem) for problem in problems]

    def answers(self, problems: Sequence[EncodedProblem]) -> list[Answer]:
        """The answers of the reader, computed in parts that fit into memory."""
        reader = self._opened()
        return [answer for part in parts(problems) for answer in reader.answers(part)]


def _whole_model(folder: Path, device: str) -> Any:
    """A QA model of transformers, ready to answer. Raises ``MissingResourceError`` if it cannot be loaded or lacks weights."""
    model, missing = load_model("AutoModelForQuestionAnswering", folder)
    if missing:
        raise MissingResourceError(
            f"the model in {folder} has no weights for {', '.join(missing[:3])}",
            hint="give a model that was trained for its purpose: one that AutoModelForQuestionAnswering loads whole",
        )
    return model.to(device).eval()


class QaModelAdversary:
    """``SpanAdversary`` by the most probable span of a QA model, on the CPU. The score is the span's probability."""

    def __init__(self, settings: QaModelConfig) -> None:
        self._backends = QA_MODEL.backends(settings, TrainingContext())
        self._model = QaModel(settings)

    @property
    def identity(self) -> str:
        """Version, libraries and the hash of the model."""
        return "qa-model spans 1, " + ", ".join(f"{name} {value[:16]}" for name, value in self._backends.items())

    def answer(self, passage: str, question: str) -> SpanAnswer:
        """The most probable span, widened to whole tokens."""
        span = self._model.extract(passage, question)
        if span is None:
            return SpanAnswer((), 0.0)
        return SpanAnswer((whole_tokens(passage, lm_token_spans(passage), span.characters),), span.probability)


def qa_model_adversary(backends: Backends, settings: Mapping[str, Any]) -> QaModelAdversary:
    """The adversary with the model of ``bench.settings.qa-model``: an entry point of ``wdw_build.span_adversaries``."""
    return QaModelAdversary(msgspec.convert(settings, QaModelConfig))
