"""Extractive QA model: the question with a text in the blank, and the spans of the passage that the model scores."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch

from wdw_build.ports import SpanAnswer
from wdw_build.reading import Prediction, ReadingProblem, TrainingContext, Untrained
from wdw_build.systems.encoders.inputs import EncodedProblem, SpanInputs, WordPieces
from wdw_build.systems.encoders.readers import (
    Answer,
    ProbableSpan,
    SpanLogits,
    most_probable_span,
    row_inputs,
    span_answer,
    span_logits,
)
from wdw_build.systems.encoders.system import predictions, whole_tokens
from wdw_build.systems.pretrained import QA_MODEL, QaModelConfig, whole_model
from wdw_build.systems.torch_training import reproducible
from wdw_build.text.tokens import lm_token_spans


class QaModel(Untrained):
    """Scores each choice by P(start) P(end) of its most probable mention, and extracts the most probable span.

    Each factor is a softmax over the passage positions of all windows; what the model says of "no answer" is not used.
    """

    def __init__(self, settings: QaModelConfig) -> None:
        self._settings = settings
        self._model: Any = None

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``."""
        self._open()
        return predictions(problems, self._inputs.encode, self._answers)

    def _open(self) -> None:
        if self._model is None:
            settings, folder = self._settings, Path(self._settings.model)
            self._model = whole_model("AutoModelForQuestionAnswering", folder, self.device)
            self._inputs = SpanInputs(
                WordPieces(folder), settings.max_tokens, settings.stride, settings.max_windows, settings.blank
            )

    def extract(self, passage: str, question: str) -> ProbableSpan | None:
        """The most probable span of a passage for a question in ordinary words; None if the passage is empty."""
        self._open()
        encoded = self._inputs.encode_free(passage, question)
        return most_probable_span(self._logits([encoded])[0], encoded, self._settings.max_answer)

    def _answers(self, problems: list[EncodedProblem]) -> list[Answer]:
        pairs = zip(self._logits(problems), problems, strict=True)
        return [span_answer(logit, problem, self._settings.max_answer) for logit, problem in pairs]

    def _logits(self, problems: list[EncodedProblem]) -> list[SpanLogits]:
        with reproducible(self.device, seed=0), torch.inference_mode():
            found = self._model(**row_inputs([row for problem in problems for row in problem.rows], self._model))
            return span_logits(problems, torch.stack([found.start_logits, found.end_logits], dim=-1))


class QaModelAdversary:
    """``SpanAdversary`` by the most probable span of a QA model, on the CPU. The score is the span's probability."""

    def __init__(self, settings: QaModelConfig) -> None:
        self._backends = QA_MODEL.backends(settings, TrainingContext(folder=Path()))
        self._model, self._lock = QaModel(settings), threading.Lock()

    @property
    def identity(self) -> str:
        """Version, libraries and the hash of the model."""
        return "qa-model spans 1, " + ", ".join(f"{name} {value[:16]}" for name, value in self._backends.items())

    def answer(self, passage: str, question: str) -> SpanAnswer:
        """See ``SpanAdversary.answer``. A span is widened to whole tokens."""
        with self._lock:
            found = self._model.extract(passage, question)
        if found is None:
            return SpanAnswer((), 0.0)
        return SpanAnswer((whole_tokens(passage, lm_token_spans(passage), found.characters),), found.probability)
