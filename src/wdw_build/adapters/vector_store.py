"""A cache of sentence vectors, shared by all runs, workers and hosts of a store, as ``annotation_store`` is for annotations."""

from __future__ import annotations

import base64
import functools
import hashlib
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.store.segments import Segments
from wdw_build.ports import TextEncoder

_KEPT_VECTORS = 8192  # of 1.5 kB each


class VectorStore:
    """``TextEncoder`` that stores each vector by its text and the model; the most recent ones are also kept in memory."""

    def __init__(self, folder: Path, encoder: TextEncoder) -> None:
        self._encoder, self._folder = encoder, folder
        self.vector = functools.lru_cache(_KEPT_VECTORS)(self._vector)

    @property
    def identity(self) -> str:
        """The encoder's identity."""
        return self._encoder.identity

    @functools.cached_property
    def _segments(self) -> Segments:
        return Segments(self._folder / f"vectors-{digest(self.identity)[:16]}")

    def _vector(self, text: str) -> Any:
        import numpy as np

        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        stored = self._segments.find(key)
        if stored is not None:
            return np.frombuffer(msgspec.json.decode(stored, type=bytes), dtype="<f4")
        vector = self._encoder.vector(text)
        encoded = base64.b64encode(np.asarray(vector, dtype="<f4").tobytes())
        self._segments.add([(key, b'"' + encoded + b'"')])
        return vector

    def flush(self) -> None:
        """See ``StoresResults.flush``."""
        self._segments.flush()
