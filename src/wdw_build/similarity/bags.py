"""Many bags of words in little memory: numbers for words, and the bags one after another in an array.

A bag becomes a set by numbering repeated words ("the" 1, "the" 2); each such element has a number.
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
    """A bag of words as a set: a word as it is, then with the number of its repetition."""
    seen: dict[str, int] = {}
    found: list[Element] = []
    for word in words:
        if word in seen:
            seen[word] += 1
            found.append((word, seen[word]))
        else:
            seen[word] = 1
            found.append(word)
    return found


class Vocabulary:
    """Elements by number. ``learns``: whether elements not met before get one."""

    def __init__(self) -> None:
        self._numbers: dict[Element, int] = {}
        self.learns = True

    def __len__(self) -> int:
        return len(self._numbers)

    def numbers(self, words: Sequence[str]) -> list[int]:
        """The numbers of a bag's elements, without those of elements that have none."""
        known = self._numbers
        if self.learns:
            return [known.setdefault(element, len(known)) for element in elements(words)]
        return [known[element] for element in elements(words) if element in known]


class Bags:
    """Bags as they are added: four bytes an element. ``sizes`` counts elements without a number, too."""

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
        """The elements of all bags, bag after bag."""
        return np.frombuffer(self._numbers, dtype=np.int32)

    @property
    def starts(self) -> Places:
        """Where each bag begins in ``numbers``, and where the last one ends."""
        return np.frombuffer(self._starts, dtype=np.int64)

    @property
    def sizes(self) -> Numbers:
        """How many elements each bag has, known or not."""
        return np.frombuffer(self._sizes, dtype=np.int32)
