"""Extractive QA model: the question with a text in the blank, and the spans of the passage that the model scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from wdw_build.reading import Prediction, ReadingProblem
from wdw_build.systems.determinism import reproducible
from wdw_build.systems.encoders.inputs import EncodedProblem, SpanInputs
from wdw_build.systems.encoders.pieces import WordPieces
from wdw_build.systems.encoders.readers import (
    Answer,
    ProbableSpan,
    SpanLogits,
    most_probable_span,
    span_answer,
    span_logits,
)
from wdw_build.systems.encoders.system import span_prediction
from wdw_build.systems.encoders.training import parts
from wdw_build.systems.encoders.transformer import row_inputs
from wdw_build.systems.pretrained.loading import AHEAD, PretrainedSystem, load_model
from wdw_build.systems.pretrained.settings import QaModelConfig


class QaModel(PretrainedSystem):
    """Scores each choice by P(start) P(end) of its most probable mention, and extracts the most probable span.

    Each factor is a softmax over the passage positions of all windows; what the model says of "no answer" is not used.
    """

    def __init__(self, settings: QaModelConfig) -> None:
        self._settings = settings
        self._model: Any = None

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``. Reads ``AHEAD`` problems at a time."""
        self._open()
        waiting = iter(problems)
        while batch := list(islice(waiting, AHEAD)):
            for part in parts((problem, self._inputs.encode(problem)) for problem in batch):
                answers = self._answers([encoded for _, encoded in part])
                yield from (
                    span_prediction(problem, answer) for (problem, _), answer in zip(part, answers, strict=True)
                )

    def _open(self) -> None:
        if self._model is None:
            settings, folder = self._settings, Path(self._settings.model)
            self._model = load_model("AutoModelForQuestionAnswering", folder, self.device)
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
