"""The adversary that answers questions in ordinary words by an extractive QA model from disk."""

from __future__ import annotations

import threading
from pathlib import Path

from wdw_build.ports import SpanAnswer
from wdw_build.reading import Workspace
from wdw_build.systems.encoders.system import whole_tokens
from wdw_build.systems.pretrained import QA_MODEL
from wdw_build.systems.pretrained.qa_model import QaModel
from wdw_build.systems.pretrained.settings import QaModelConfig
from wdw_build.text.tokens import lm_token_spans


class QaModelAdversary:
    """``SpanAdversary`` by the most probable span of a QA model, on the CPU. The score is the span's probability."""

    def __init__(self, settings: QaModelConfig) -> None:
        self._backends = QA_MODEL.backends(settings, Workspace(folder=Path()))
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
