"""A cache of sentence vectors, shared by all runs, workers and hosts of a store, as ``annotation_store`` is for annotations."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.store.segments import Segments
from wdw_build.ports import Preloaded, TextEncoder

_KEPT_VECTORS = 8192  # of 1.5 kB each


class VectorStore:
    """``TextEncoder`` that stores each vector by its text and the model; the most recent ones are also kept in memory.

    Exact vectors are rarely needed, and are not stored.
    """

    def __init__(self, folder: Path, encoder: TextEncoder) -> None:
        self._encoder, self._folder = encoder, folder
        self._kept: OrderedDict[str, Any] = OrderedDict()

    @property
    def identity(self) -> str:
        """The encoder's identity."""
        return self._encoder.identity

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        if isinstance(self._encoder, Preloaded):
            self._encoder.preload()

    @functools.cached_property
    def _segments(self) -> Segments:
        return Segments(self._folder / f"vectors-{digest(self.identity)[:16]}")

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
            self._kept[text] = vector
            self._kept.move_to_end(text)
        while len(self._kept) > _KEPT_VECTORS:
            self._kept.popitem(last=False)
        return [vectors[text] for text in texts]

    def _stored(self, text: str) -> Any:
        """The vector of a text, or None if it is not known."""
        import numpy as np

        if text in self._kept:
            return self._kept[text]
        stored = self._segments.find(_key(text))
        return None if stored is None else np.frombuffer(msgspec.json.decode(stored, type=bytes), dtype="<f4")

    def _add(self, text: str, vector: Any) -> None:
        encoded = base64.b64encode(vector.astype("<f4").tobytes())
        self._segments.add([(_key(text), b'"' + encoded + b'"')])

    def flush(self) -> None:
        """See ``StoresResults.flush``."""
        self._segments.flush()


def _key(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
