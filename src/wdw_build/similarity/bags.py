"""Compact word multisets (bags): words are numbers, and all bags are concatenated in one array.

A bag becomes a set of elements: the second "the" of a bag is a separate element, ("the", 2). Each element has a number.
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
    """The distinct elements of a bag: the word for its first occurrence, (word, count) for later occurrences."""
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
    """Maps elements to numbers. ``learns``: whether a new element gets a number."""

    def __init__(self) -> None:
        self._numbers: dict[Element, int] = {}
        self.learns = True

    def __len__(self) -> int:
        return len(self._numbers)

    def numbers(self, words: Sequence[str]) -> list[int]:
        """The numbers of a bag's elements; elements without a number are left out."""
        known = self._numbers
        if self.learns:
            return [known.setdefault(element, len(known)) for element in elements(words)]
        return [known[element] for element in elements(words) if element in known]


class Bags:
    """An append-only collection of bags; an element takes four bytes. ``sizes`` includes elements without a number."""

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
        """The element numbers of all bags, concatenated."""
        return np.frombuffer(self._numbers, dtype=np.int32)

    @property
    def starts(self) -> Places:
        """The offset in ``numbers`` where each bag begins, and then the end of the last bag."""
        return np.frombuffer(self._starts, dtype=np.int64)

    @property
    def sizes(self) -> Numbers:
        """The number of elements of each bag, with or without a number."""
        return np.frombuffer(self._sizes, dtype=np.int32)
