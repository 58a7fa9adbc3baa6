"""A quick upper bound on the number of words that the sentences of an article have in common with a question."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

_HASHES = 1 << 16


def _hashed(words: Collection[str]) -> NDArray[np.uint16]:
    """(n,) the hash of each word. Hashes differ between processes, so results may not depend on words with equal hashes."""
    return (np.fromiter(map(hash, words), np.int64, len(words)) & (_HASHES - 1)).astype(np.uint16)


def marked(words: Collection[str]) -> NDArray[np.uint16]:
    """(2^16,) 1 at the hash of each of these words, else 0."""
    marks = np.zeros(_HASHES, np.uint16)
    marks[_hashed(words)] = 1
    return marks


class HashedSentences:
    """The sentences of an article as hashes of their words."""

    def __init__(self, words: Collection[str], bounds: Sequence[int]) -> None:
        """``bounds``: where each sentence begins in ``words``, and the number of words."""
        lengths = np.diff(bounds)
        # Sentences without words would be counted wrongly by ``reduceat``.
        self._numbers = np.flatnonzero(lengths)
        self._lengths = lengths[self._numbers]
        self._starts = np.array(bounds[:-1], np.int64)[self._numbers]
        self._words = _hashed(words)

    def sharing(self, marks: NDArray[np.uint16], share: float, least: int) -> list[int]:
        """The numbers of the sentences of at least ``least`` words of which more than ``share`` are marked, in order.

        Words with the hash of a marked word count as marked, so a sentence may be too many, but none is missing.
        """
        if not len(self._numbers):
            return []
        counts = np.add.reduceat(marks[self._words], self._starts)
        found: list[int] = self._numbers[(counts > share * self._lengths) & (self._lengths >= least)].tolist()
        return found
