"""Words as integers with their stem, weight and vector, so that features are computed on arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from wdw_build.systems.semantic.word_classes import is_verb
from wdw_build.systems.vectors import Vectors
from wdw_build.systems.words import normalise, stem
from wdw_build.text.function_words import STOP_WORDS

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


class Lexicon:
    """Interns words in lower case. ``learn`` words before ``ids`` of them are asked for.

    ``frequencies``: word -> number of training passages that have it, of ``passages`` in total. ``centre`` (d,): the
    vector that is subtracted from every word's vector, so that the cosine of unrelated words is about 0.
    """

    def __init__(self, vectors: Vectors, frequencies: Mapping[str, int], passages: int, centre: Floats) -> None:
        self._vectors, self._frequencies, self._passages = vectors, frequencies, passages
        self._centre = centre
        self._stem_ids: dict[str, int] = {}
        self._ids: dict[str, int] = {}
        self.stems: Ints = np.zeros(0, np.int32)
        self.content: Bools = np.zeros(0, np.bool_)
        self.verbs: Bools = np.zeros(0, np.bool_)
        self.weights: Floats = np.zeros(0, np.float32)
        self.units: Floats = np.zeros((0, vectors.dimensions), np.float32)
        """The vector of each word, scaled to length 1, or zero (n, d)."""

    def __len__(self) -> int:
        return len(self._ids)

    def learn(self, words: Iterable[str]) -> None:
        """Add the words that are new."""
        new = sorted({word.lower() for word in words}.difference(self._ids))
        if not new:
            return
        self._ids.update(zip(new, range(len(self._ids), len(self._ids) + len(new)), strict=True))
        stems = [self._stem_ids.setdefault(stem(word), len(self._stem_ids)) for word in new]
        content = [bool(normalise(word)) and normalise(word) not in STOP_WORDS for word in new]
        self.stems = np.append(self.stems, np.array(stems, np.int32))
        self.content = np.append(self.content, content)
        self.verbs = np.append(self.verbs, [is_verb(word) for word in new])
        self.weights = np.append(self.weights, np.array([self._weight(word) for word in new], np.float32))
        vectors, found = self._vectors.lookup(new)
        vectors[found] -= self._centre
        self.units = np.append(self.units, unit(vectors), axis=0)

    def emptied(self) -> Lexicon:
        """A lexicon without words and with the same frequencies and vectors."""
        return Lexicon(self._vectors, self._frequencies, self._passages, self._centre)

    def ids(self, words: Sequence[str]) -> Ints:
        """The id of each word."""
        return np.fromiter((self._ids[word.lower()] for word in words), np.int32, len(words))

    def _weight(self, word: str) -> float:
        """Inverse document frequency, 0.1 to 1: log((n + 1) / (df + 0.5)) / log((n + 1) / 0.5), at least 0.1."""
        passages = self._passages + 1
        rarity = math.log(passages / (self._frequencies.get(word, 0) + 0.5)) / math.log(passages / 0.5)
        return max(rarity, 0.1)


def unit(vectors: Floats) -> Floats:
    """The vectors scaled to length 1; zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths, lengths, 1)).astype(np.float32, copy=False)
