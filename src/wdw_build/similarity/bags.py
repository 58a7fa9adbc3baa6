"""Word multisets (bags) in little memory: words as numbers, and the bags one after another in one array.

A bag becomes a set of elements by counting repeated words ("the" 1, "the" 2); each element has a number.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Element = str | tuple[str, int]
Numbers = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]


def elements(words: Iterable[str]) -> list[Element]:
    """A bag of words as a set: the first occurrence of a word is the word, a later one the word with its count."""
    counts: dict[str, int] = {}
    distinct: list[Element] = []
    for word in words:
        if word in counts:
            counts[word] += 1
            distinct.append((word, counts[word]))
        else:
            counts[word] = 1
            distinct.append(word)
    return distinct


class Vocabulary:
    """Numbers of elements. ``learns``: whether a new element gets a number."""

    def __init__(self) -> None:
        self._numbers: dict[Element, int] = {}
        self.learns = True

    def __len__(self) -> int:
        return len(self._numbers)

    def numbers(self, words: Sequence[str]) -> list[int]:
        """The numbers of a bag's elements that have one."""
        known = self._numbers
        if self.learns:
            return [known.setdefault(element, len(known)) for element in elements(words)]
        return [known[element] for element in elements(words) if element in known]


class Bags:
    """A growing collection of bags; an element takes four bytes. ``sizes`` includes elements without a number."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._numbers, self._starts, self._sizes = array("i"), array("q", [0]), array("i")

    def add(self, words: Sequence[str]) -> None:
        """Add a bag."""
        self._numbers.extend(self.vocabulary.numbers(words))
        self._starts.append(len(self._numbers))
        self._sizes.append(len(words))

    def __len__(self) -> int:
        return len(self._sizes)

    @property
    def numbers(self) -> Numbers:
        """The elements of all bags, one bag after another."""
        return np.frombuffer(self._numbers, dtype=np.int32)

    @property
    def starts(self) -> Places:
        """The position in ``numbers`` where each bag begins, and where the last one ends."""
        return np.frombuffer(self._starts, dtype=np.int64)

    @property
    def sizes(self) -> Numbers:
        """The number of elements of each bag, with or without a number."""
        return np.frombuffer(self._sizes, dtype=np.int32)
