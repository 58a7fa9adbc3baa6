"""A cache of sentence vectors, shared by all runs and workers of a store, as ``annotation_store`` is for annotations."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any

from wdw_build.adapters.kept_results import KeptResults
from wdw_build.core.hashing import digest
from wdw_build.ports import Preloaded, TextEncoder


class VectorStore:
    """``TextEncoder`` that stores each vector by its text and the model."""

    def __init__(self, results: KeptResults, encoder: TextEncoder) -> None:
        self._encoder, self._kept = encoder, results

    @property
    def identity(self) -> str:
        """The encoder's identity."""
        return self._encoder.identity

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        if isinstance(self._encoder, Preloaded):
            self._encoder.preload()

    def vectors(self, texts: Sequence[str], exact: bool = False) -> list[Any]:
        """See ``TextEncoder.vectors``. Vectors that are not stored are computed together."""
        import numpy as np

        numbers = "<f8" if exact else "<f4"
        keys = {text: self._key(text, exact) for text in texts}
        stored = {text: self._kept.find(key) for text, key in keys.items()}
        missing = [text for text, vector in stored.items() if vector is None]
        computed = [vector.astype(numbers).tobytes() for vector in self._encoder.vectors(missing, exact)]
        self._kept.add((keys[text], vector) for text, vector in zip(missing, computed, strict=True))
        stored |= zip(missing, computed, strict=True)
        return [np.frombuffer(stored[text] or b"", dtype=numbers) for text in texts]

    @functools.cached_property
    def _model(self) -> bytes:
        # An identity takes milliseconds: it reads the metadata of installed packages.
        return digest(self.identity)[:16].encode()

    def _key(self, text: str, exact: bool) -> bytes:
        return self._model + b"exact" * exact + hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

    def flush(self) -> None:
        """See ``StoresResults.flush``."""
        self._kept.flush()
