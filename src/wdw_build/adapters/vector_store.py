"""A cache of sentence vectors, shared by all runs and workers of a store, as ``annotation_store`` is for annotations."""

from __future__ import annotations

import functools
import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from wdw_build.adapters.kept_results import KeptResults
from wdw_build.core.hashing import digest
from wdw_build.ports import Preloaded, TextEncoder

_LATEST_VECTORS = 8192  # of 1.5 kB each


class VectorStore:
    """``TextEncoder`` that stores each vector by its text and the model; the most recent ones are also kept in memory.

    Exact vectors are rarely needed, and are not stored.
    """

    def __init__(self, results: KeptResults, encoder: TextEncoder) -> None:
        self._encoder, self._kept = encoder, results
        self._latest: OrderedDict[str, Any] = OrderedDict()

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
        if exact:
            return self._encoder.vectors(texts, exact)
        vectors = {text: self._stored(text) for text in dict.fromkeys(texts)}
        missing = [text for text, vector in vectors.items() if vector is None]
        for text, vector in zip(missing, self._encoder.vectors(missing), strict=True):
            self._add(text, vector)
            vectors[text] = vector
        for text, vector in vectors.items():
            self._latest[text] = vector
            self._latest.move_to_end(text)
        while len(self._latest) > _LATEST_VECTORS:
            self._latest.popitem(last=False)
        return [vectors[text] for text in texts]

    def _stored(self, text: str) -> Any:
        """The vector of a text, or None if it is not known."""
        import numpy as np

        if text in self._latest:
            return self._latest[text]
        stored = self._kept.find(self._key(text))
        return None if stored is None else np.frombuffer(stored, dtype="<f4")

    def _add(self, text: str, vector: Any) -> None:
        self._kept.add([(self._key(text), vector.astype("<f4").tobytes())])

    @functools.cached_property
    def _model(self) -> bytes:
        # An identity takes milliseconds: it reads the metadata of installed packages.
        return digest(self.identity)[:16].encode()

    def _key(self, text: str) -> bytes:
        return self._model + hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

    def flush(self) -> None:
        """See ``StoresResults.flush``."""
        self._kept.flush()
