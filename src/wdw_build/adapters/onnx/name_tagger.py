"""The second tagger of names: the sentence encoder with a layer for tags, trained by scripts/train_models.py (persons)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wdw_build.adapters.onnx import models
from wdw_build.adapters.onnx.pieces import cut
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.core.hashing import digest
from wdw_build.text.names.second_opinion import LEAST, WEIGHTS, Opinion

KINDS = ("PERSON", "LOC", "ORG", "MISC")
# In the order of the model's scores.
TAGS = ("O", *(f"{place}-{kind}" for kind in KINDS for place in "BI"))
_BEGINS, _INSIDE = TAGS.index("B-PERSON"), TAGS.index("I-PERSON")


class SecondTagger:
    """Probabilities of tags for the words of a sentence. Loads the model on first use."""

    def __init__(self, model: Path = BUNDLED / "persons" / "model.onnx") -> None:
        # The pieces are those of the sentence encoder.
        self._model, self._words = model, BUNDLED / "encoder" / "tokenizer.json"

    @property
    def identity(self) -> str:
        """The libraries' versions, and hashes of the files and of the weights that both opinions get.

        Raises ``MissingResourceError`` if a library or a file is missing.
        """
        files = self._model, self._words
        made_by = models.identity(files, "second tagger of names", "nlp.second_opinion to false")
        return f"{made_by}, weights {digest((WEIGHTS, LEAST))[:16]}"

    @functools.cached_property
    def _session(self) -> Any:
        return models.open_model(self._model)

    @functools.cached_property
    def _tokenizer(self) -> Any:
        return models.open_tokenizer(self._words)

    def _run(self, words: Sequence[str]) -> tuple[int, Any, Any]:
        """The number of words read, and for them the probabilities of the tags (words, tags) and of starts (words)."""
        read = cut(words, self._tokenizer)
        inputs = {"pieces": [read.pieces], "shapes": [read.shapes], "before": [read.before]}
        tags, starts = self._session.run(None, inputs)
        return len(read.firsts), tags[0][read.firsts], starts[0][read.firsts]

    def starts(self, words: Sequence[str]) -> list[float]:
        """For each word, the probability that a sentence starts there, as ``Annotator.starts``."""
        read, _, starts = self._run(words)
        return [*starts.tolist(), *[0.0] * (len(words) - read)]

    def opinion(self, words: Sequence[str]) -> Opinion:
        """The opinion on each word of a sentence. Words beyond the model's longest input are outside every name."""
        read, of_words, _ = self._run(words)
        unread = len(words) - read
        return Opinion(
            begins=[*of_words[:, _BEGINS].tolist(), *[0.0] * unread],
            inside=[*of_words[:, _INSIDE].tolist(), *[0.0] * unread],
            tags=[*(TAGS[best] for best in of_words.argmax(axis=1).tolist()), *["O"] * unread],
        )
