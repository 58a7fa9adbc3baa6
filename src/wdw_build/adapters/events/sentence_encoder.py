"""Sentence vectors of all-MiniLM-L6-v2, shipped as int8 ONNX, computed one sentence at a time.

Dynamic quantisation takes its scale from the whole input of a pass, so in a batch a sentence's vector would depend on
the other sentences and the padding. Computed alone, it depends only on the sentence, and can be cached.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.core.hashing import digest, hash_file
from wdw_build.core.installed import installed_version
from wdw_build.errors import MissingResourceError

Vector = Any  # numpy's
PIECES = 64  # word pieces read of a text; a sentence has about 30, and a lead is truncated
_LETTERS = 12 * PIECES  # more letters than PIECES word pieces have; bounds the tokenizer's work on a very long word
_KEPT_VECTORS = 8192  # of 1.5 kB each
_LIBRARIES = ("onnxruntime", "tokenizers")


class SentenceEncoder:
    """Unit vectors of texts, with a cache. Loads the model on first use, and computes in one thread."""

    def __init__(self, folder: Path = BUNDLED / "encoder") -> None:
        self._model, self._words = folder / "model.onnx", folder / "tokenizer.json"
        self.vector = functools.lru_cache(_KEPT_VECTORS)(self._vector)

    @property
    def identity(self) -> str:
        """The libraries' versions and a hash of the files. Raises ``MissingResourceError`` if one is missing."""
        for path in (self._model, self._words):
            if not path.is_file():
                raise MissingResourceError(
                    f"no sentence encoder: {path} does not exist",
                    hint="install the package again, or set retrieve.event_scorer to lexical",
                )
        versions = ", ".join(f"{name} {_version(name)}" for name in _LIBRARIES)
        hashes = [hash_file(path) for path in (self._model, self._words)]
        return f"{versions}, model {digest(hashes)[:16]}, {PIECES} pieces"

    @functools.cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            return onnxruntime.InferenceSession(str(self._model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's errors have no common class
            raise MissingResourceError(
                f"onnxruntime cannot load {self._model}: {str(error)[:200]}",
                hint="wdw-build doctor says whether the file is damaged",
            ) from error

    @functools.cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._words))
        tokenizer.no_padding()
        tokenizer.enable_truncation(PIECES)
        return tokenizer

    def _vector(self, text: str) -> Vector:
        # The tokenizer reads UTF-8, which cannot hold lone surrogates.
        encodable = text[:_LETTERS].encode("utf-8", "replace").decode("utf-8")
        ids = [self._tokenizer.encode(encodable).ids]
        return self._session.run(None, {"input_ids": ids})[0][0]


def _version(name: str) -> str:
    hint = f"pip install -c constraints.txt {name}, or set retrieve.event_scorer to lexical"
    return installed_version(name, "the sentence encoder", hint)
