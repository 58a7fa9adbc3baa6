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
    """``TextEncoder`` that stores each vector by its text and the model. Exact vectors are rarely needed, and are not stored."""

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

        if exact:
            return self._encoder.vectors(texts, exact)
        keys = {text: self._key(text) for text in texts}
        stored = {text: self._kept.find(key) for text, key in keys.items()}
        missing = [text for text, vector in stored.items() if vector is None]
        computed = [vector.astype("<f4").tobytes() for vector in self._encoder.vectors(missing)]
        self._kept.add((keys[text], vector) for text, vector in zip(missing, computed, strict=True))
        stored |= zip(missing, computed, strict=True)
        return [np.frombuffer(stored[text] or b"", dtype="<f4") for text in texts]

    @functools.cached_property
    def _model(self) -> bytes:
        # An identity takes milliseconds: it reads the metadata of installed packages.
        return digest(self.identity)[:16].encode()

    def _key(self, text: str) -> bytes:
        return self._model + hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

    def flush(self) -> None:
        """See ``StoresResults.flush``."""
        self._kept.flush()
