"""The tagger of page text, which knows the kinds of words, and the finder of starts, which knows where sentences start.

The tagger has the layers of the second tagger of names, trained further, and the finder its first three; both have its
embeddings. Their results are rounded as those of the other models (``core.rounding``). ``scripts/fit_page_marker.py`` and
``scripts/fit_joined_lines.py`` train them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from wdw_build.adapters.minilm import MiniLM
from wdw_build.adapters.sentence_models import ENCODER, SCORE_ERROR, Pieces, WordModel, rounds, states_of
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.core.rounding import is_uncertain
from wdw_build.text.pages.tagged_lines import KINDS

STARTS = BUNDLED / "page_text" / "starts.pt"
# The fewer, the fewer texts are read twice; with two, no more is found.
_DECIMALS = 1


class _PageModel(WordModel):
    """A network whose embeddings are those of the second tagger of names."""

    def __init__(self, model: Path, embedded: Path, *more: Path) -> None:
        super().__init__(model, ENCODER / "tokenizer.json", embedded, *more)
        self._embedded = embedded

    @functools.cached_property
    def _network(self) -> MiniLM:
        return MiniLM(self._model, self._embedded)


class PageTagger(_PageModel):
    """The probabilities of the kinds of words, by a trained network; and where sentences start, by another."""

    _what: ClassVar[str] = "tagger of page text"
    _instead: ClassVar[str] = (
        "rules.off to [ingest.mark_page_text, questions.refuse_joined_sentences], and choices.max_page_text to 1.0"
    )

    def __init__(
        self, model: Path = BUNDLED / "page_text" / "model.pt", embedded: Path = BUNDLED / "persons" / "model.pt"
    ) -> None:
        # The first look (``text.pages.first_look``) chooses what is read, so its weights belong to the identity.
        super().__init__(model, embedded, BUNDLED / "page_text" / "lines.bin", STARTS)

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        super().preload()
        self._finder.preload()

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
        """See ``PageTagger`` in ``ports``."""
        return self._finder.starts(texts)

    @functools.cached_property
    def _finder(self) -> _StartFinder:
        return _StartFinder(STARTS, self._embedded)

    def _computed(self, texts: Sequence[Pieces], exact: bool) -> list[Any]:
        """The probabilities of the kinds (words, kinds) for texts of about the same length."""
        import torch

        with torch.inference_mode():
            states = states_of(self._network, texts, exact)[-1]
            return [
                self._network.linear(states[row, text.firsts], "kinds").double().softmax(-1).numpy()
                for row, text in enumerate(texts)
            ]


class _StartFinder(_PageModel):
    """The log odds that a sentence starts at a word, from the states of the word and of the word before it."""

    def starts(self, texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """For each word of each text, the log odds, rounded; words that are not read start nothing."""
        results = self._in_batches(texts, exact=False)
        certain = self._certain(
            texts, results, lambda odds: not is_uncertain(odds, np.full_like(odds, SCORE_ERROR), _DECIMALS).any()
        )
        return [
            [*odds.round(_DECIMALS).tolist(), *[-math.inf] * (len(words) - len(odds))]
            for words, odds in zip(texts, certain, strict=True)
        ]

    def _computed(self, texts: Sequence[Pieces], exact: bool) -> list[Any]:
        """The log odds (words) for texts of about the same length."""
        import torch

        with torch.inference_mode():
            states = states_of(self._network, texts, exact)[-1]
            both = [
                torch.cat([states[row, text.firsts], states[row, [0, *text.firsts][: len(text.firsts)]]], -1)
                for row, text in enumerate(texts)
            ]
            return [self._network.linear(of_text, "starts")[:, 0].double().numpy() for of_text in both]
