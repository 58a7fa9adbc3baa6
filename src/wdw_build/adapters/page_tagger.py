"""The tagger of page text: the first layers of the second tagger of names, with a layer for kinds of page text.

Its results are rounded as those of the other models (``core.rounding``). ``scripts/fit_page_marker.py`` trains it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from wdw_build.adapters.minilm import MiniLM
from wdw_build.adapters.sentence_models import ENCODER, Pieces, SecondTagger, WordModel, rounds, states_of
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.text.sentences.page_marks import KINDS

LAYERS = 3
# The fewer, the fewer texts are read twice; with two, no more is found.
_DECIMALS = 1


class PageTagger(WordModel):
    """The probabilities of the kinds of words, by a trained network."""

    _what: ClassVar[str] = "tagger of page text"
    _instead: ClassVar[str] = "rules.off to [ingest.mark_page_text], and choices.max_page_text to 1.0"

    def __init__(
        self, model: Path = BUNDLED / "page_text" / "model.pt", embedded: Path = BUNDLED / "persons" / "model.pt"
    ) -> None:
        # The first look (``text.sentences.page_marks``) chooses what is read, so its weights belong to the identity.
        super().__init__(model, ENCODER / "tokenizer.json", embedded, BUNDLED / "page_text" / "lines.bin")
        self._embedded = embedded

    @functools.cached_property
    def _network(self) -> MiniLM:
        return MiniLM(self._model, self._embedded)

    def probabilities(self, texts: Sequence[Sequence[str]]) -> list[list[tuple[float, ...]]]:
        """See ``PageTagger`` in ``ports``."""
        results = self._in_batches(texts, exact=False)
        certain = self._certain(texts, results, lambda values: rounds(values, _DECIMALS))
        story = (1.0, *[0.0] * (len(KINDS) - 1))
        return [
            [*map(tuple, values.round(_DECIMALS).tolist()), *[story] * (len(words) - len(values))]
            for words, values in zip(texts, certain, strict=True)
        ]

    def starts(self, texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """See ``PageTagger`` in ``ports``; by the second tagger of names."""
        return self._second.starts(texts)

    @functools.cached_property
    def _second(self) -> SecondTagger:
        return SecondTagger(self._embedded)

    def _computed(self, texts: Sequence[Pieces], exact: bool) -> list[Any]:
        """The probabilities of the kinds (words, kinds) for texts of about the same length."""
        import torch

        with torch.inference_mode():
            states = states_of(self._network, texts, exact)[-1]
            return [
                self._network.linear(states[row, text.firsts], "kinds").double().softmax(-1).numpy()
                for row, text in enumerate(texts)
            ]
