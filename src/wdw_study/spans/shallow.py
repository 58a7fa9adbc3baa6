"""The adversary that needs no trained reader: candidate spans of the passage, ranked by a log-linear model.

The candidates are the phrases, names and numbers of the sentences nearest to the question. As in the log-linear baseline
of Rajpurkar et al. (2016, section 5.2), the candidates are constituents and the features are overlap, type and syntax;
here the features are dense, and a sentence encoder adds similarity.

The weights in ``weights.json`` were fitted by ``scripts/fit_span_adversary.py`` to 3,029 questions of SQuAD 1.1 (Rajpurkar et
al. 2016, CC BY-SA 4.0): 2,500 of twelve articles of its training part, and 529 of twenty articles of its development part, as
XQuAD (Artetxe et al. 2020) publishes them. No text of SQuAD is in this package.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from wdw_build.api import (
    ANNOTATOR,
    DECIMALS,
    SENTENCE_ENCODER,
    SENTENCE_SPLITTER,
    Annotator,
    Backends,
    SentenceSplitter,
    SpanAnswer,
    TextEncoder,
    cosines_with,
    digest,
    lm_token_spans,
)
from wdw_build.records import Tokens
from wdw_study.spans.features import NAMES, Ranked, rank
from wdw_study.spans.passage import Sentence, conjuncts
from wdw_study.spans.question import AskedFor, analyse

_WEIGHTS = Path(__file__).with_name("weights.json")
_KEPT_PASSAGES = 64
# Longer sentences are cut, and later sentences are not read, so that the time of an answer is bounded.
_MOST_TOKENS, _MOST_SENTENCES = 120, 60


class ShallowAdversary:
    """``SpanAdversary`` by a log-linear ranking of candidate spans. Passages are parsed once and kept."""

    def __init__(
        self,
        annotator: Annotator,
        splitter: SentenceSplitter,
        encoder: TextEncoder,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        """``weights``: feature -> weight; None for the fitted ones."""
        weights = msgspec.json.decode(_WEIGHTS.read_bytes(), type=dict[str, float]) if weights is None else weights
        self._annotator, self._splitter, self._encoder = annotator, splitter, encoder
        self._cosines = functools.partial(cosines_with, encoder)
        self._weights = np.array([weights.get(name, 0.0) for name in NAMES])
        self._weights_hash = digest(weights)[:16]
        self._read = functools.lru_cache(_KEPT_PASSAGES)(lambda passage: read_passage(passage, annotator, splitter))

    @property
    def identity(self) -> str:
        """Version and weights, and the identities of the annotator, the sentence splitter and the encoder."""
        models = f"{self._annotator.identity}; {self._splitter.identity}; {self._encoder.identity}"
        return f"shallow spans 2, weights {self._weights_hash}; {models}"

    def answer(self, passage: str, question: str) -> SpanAnswer:
        """The best candidate, and its probability under the model as the score."""
        sentences, asked = self._read(passage), analyse(question)
        ranked = rank(sentences, asked, self._cosines)
        if not ranked.places:
            return SpanAnswer((), 0.0)
        # The last digits of the scores depend on the processor, and so would the first of equal ones.
        scores = (ranked.rows @ self._weights).round(DECIMALS)
        best = int(scores.argmax())
        probability = round(float(1 / np.exp(scores - scores[best]).sum()), DECIMALS)
        return SpanAnswer(_spans(sentences, asked, ranked, best), probability)

    def ranked(self, passage: str, question: str) -> Ranked:
        """The candidates with their features, to fit the weights."""
        return rank(self._read(passage), analyse(question), self._cosines)


def read_passage(passage: str, annotator: Annotator, splitter: SentenceSplitter) -> list[Sentence]:
    """The sentences of a passage with names and trees."""
    tokens = []
    for text in splitter.sentences(passage):
        if spans := tuple(lm_token_spans(text)[:_MOST_TOKENS]):
            tokens.append(Tokens(text=text, words=tuple(text[start:end] for start, end in spans), spans=spans))
    tokens = tokens[:_MOST_SENTENCES]
    parts = zip(tokens, annotator.names(tokens), annotator.trees(tokens), strict=True)
    return [Sentence(one.text, one.words, one.spans, names, tree) for one, names, tree in parts]


def _spans(sentences: Sequence[Sentence], asked: AskedFor, ranked: Ranked, best: int) -> tuple[str, ...]:
    """The best candidate; if the question asks for several, the phrases that are coordinated with it, each a span."""
    number, candidate = ranked.places[best]
    ranges = conjuncts(candidate) if asked.plural else ()
    if not ranges:
        return (candidate.text,)
    sentence = sentences[number]
    return tuple(sentence.text[sentence.spans[start][0] : sentence.spans[end - 1][1]] for start, end in ranges)


def shallow_adversary(backends: Backends, settings: Mapping[str, Any]) -> ShallowAdversary:
    """The adversary with the backends that a configuration names: an entry point of ``wdw_build.span_adversaries``."""
    return ShallowAdversary(backends.get(ANNOTATOR), backends.get(SENTENCE_SPLITTER), backends.get(SENTENCE_ENCODER))
