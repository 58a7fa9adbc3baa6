"""Sentence vectors of all-MiniLM-L6-v2, shipped as int8 ONNX, computed one sentence at a time."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from wdw_build.adapters.onnx import models
from wdw_build.adapters.stanza.models import BUNDLED

Vector = Any  # numpy's
PIECES = 64  # word pieces read of a text; a sentence has about 30, and a lead is truncated
_LETTERS = 12 * PIECES  # more letters than PIECES word pieces have; bounds the tokenizer's work on a very long word
_KEPT_VECTORS = 8192  # of 1.5 kB each


class SentenceEncoder:
    """Unit vectors of texts, with a cache. Loads the model on first use, and computes in one thread."""

    def __init__(self, folder: Path = BUNDLED / "encoder") -> None:
        self._model, self._words = folder / "model.onnx", folder / "tokenizer.json"
        self.vector = functools.lru_cache(_KEPT_VECTORS)(self._vector)

    @property
    def identity(self) -> str:
        """The libraries' versions and a hash of the files. Raises ``MissingResourceError`` if one is missing."""
        made_by = models.identity((self._model, self._words), "sentence encoder", "retrieve.event_scorer to lexical")
        return f"{made_by}, {PIECES} pieces"

    @functools.cached_property
    def _session(self) -> Any:
        return models.open_model(self._model)

    @functools.cached_property
    def _tokenizer(self) -> Any:
        tokenizer = models.open_tokenizer(self._words)
        tokenizer.enable_truncation(PIECES)
        return tokenizer

    def _vector(self, text: str) -> Vector:
        # The tokenizer reads UTF-8, which cannot hold lone surrogates.
        encodable = text[:_LETTERS].encode("utf-8", "replace").decode("utf-8")
        ids = [self._tokenizer.encode(encodable).ids]
        return self._session.run(None, {"input_ids": ids})[0][0]
