"""The weights by which the states of the second tagger's network show what a span of words is.

That is whether it is a person's name: a logistic regression on the states of the span's first and last word, their mean, and the
mean of the sentence (``SecondTagger``, whose network stays as it is). And whether a lone word is a given name and no family name:
one on its states and the mean of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from wdw_build.adapters.minilm import padded
from wdw_build.adapters.sentence_models import GIVEN, SPAN_LAYERS, SPAN_PARTS, WITH_CAPITAL, SecondTagger, cut

# A ridge this strong: there are about as many weights as examples.
PENALTY = 3000.0
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_AROUND = 300
_SENTENCE_START = re.compile(
    r"(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]\.)(?<!\b[A-Z][a-z]{2}\.)(?<=[.!?\n])[\"”’]?\s+(?=[A-Z\"“])"
)

Weights = dict[str, torch.Tensor]


def words_around(text: str, start: int, end: int) -> tuple[list[str], int, int]:
    """The words of about the sentence around a span of a text, and the first and last of them (half open) in the span."""
    low, high = max(0, start - _AROUND, text.rfind("\n", 0, start) + 1), text.find("\n", end)
    high = min(end + _AROUND, len(text) if high < 0 else high)
    low = max([low, *(low + one.end() for one in _SENTENCE_START.finditer(text[low:start]))])
    after = _SENTENCE_START.search(text[end:high])
    high = end + after.start() if after else high
    found = list(_WORD.finditer(text, low, high))
    inside = [number for number, word in enumerate(found) if word.start() < end and word.end() > start]
    return [word[0] for word in found], inside[0], inside[-1] + 1


def states(tagger: SecondTagger, words: Sequence[str], start: int, end: int) -> Any | None:
    """The states of a span as one vector; None if no word of it has a capital."""
    network, read = tagger._network, cut(words, tagger._tokenizer)
    firsts = [first for first in read.firsts[start:end] if read.shapes[first] in WITH_CAPITAL]
    if not firsts:
        return None
    pieces, _ = padded([read.pieces])
    shapes, _ = padded([read.shapes])
    with torch.inference_mode():
        layers = network.states(pieces, None, network.weights["shapes"][shapes])
        own = torch.cat([layers[layer][0][firsts] for layer in SPAN_LAYERS], -1)
        return torch.cat([own[0], own[-1], own.mean(0), layers[-1][0].mean(0)]).double().numpy()


def _size(states: int, parts: int) -> int:
    """The size of the states of a word, of so many states of its parts and of the sentence."""
    return states * len(SPAN_LAYERS) // (len(SPAN_LAYERS) * parts + 1)


def _logistic(rows: Any, right: Any, shares: str | None) -> Any:
    """The weights of the features of ``rows``, and the constant after them."""
    # Takes seconds to load, and only a fit needs it.
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(rows)
    fitted = LogisticRegression(C=1 / PENALTY, max_iter=2000, class_weight=shares).fit(
        scaler.transform(rows), right > 0
    )
    weights = fitted.coef_[0] / scaler.scale_
    return torch.from_numpy(np.append(weights, fitted.intercept_[0] - weights @ scaler.mean_))


def fit(rows: Any, right: Any) -> Weights:
    """The weights of spans whose states are ``rows`` (spans, features)."""
    weights = _logistic(rows, right, shares=None)
    size = _size(rows.shape[1], len(SPAN_PARTS))
    parts = {part: weights[number * size : (number + 1) * size] for number, part in enumerate(SPAN_PARTS)}
    return {**parts, "sentence": weights[len(SPAN_PARTS) * size : -1], "constant": weights[-1]}


def fit_given(rows: Any, is_given: Any) -> Weights:
    """The weights of lone words whose states as spans are ``rows``. Given names weigh as much as family names."""
    size = _size(rows.shape[1], len(SPAN_PARTS))
    own = np.hstack([rows[:, :size], rows[:, len(SPAN_PARTS) * size :]])
    weights = _logistic(own, is_given, shares="balanced")
    return {GIVEN: weights[:size], f"{GIVEN}.sentence": weights[size:-1], f"{GIVEN}.constant": weights[-1]}


def save(weights: Weights, path: Path) -> None:
    """Write the weights as float32."""
    torch.save({name: tensor.float().clone() for name, tensor in weights.items()}, path)


def load(path: Path) -> Weights:
    """The weights that ``save`` wrote."""
    weights: Weights = torch.load(path, weights_only=True)
    return weights
