"""Compact word multisets (bags): words are numbers, and all bags are concatenated in one array.

A bag becomes a set of elements: the second "the" of a bag is a separate element, ("the", 2). The code of an element is the
word's number, plus the size of the vocabulary for each earlier occurrence.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
UNKNOWN = -1
_WORDS, _ARRAYS = "words.txt", "bags.npz"


class Vocabulary:
    """Maps words to numbers. ``learns``: whether a new word gets a number; otherwise its number is ``UNKNOWN``."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._numbers = {word: number for number, word in enumerate(words)}
        self.learns = True

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        """The words, in the order of their numbers."""
        return iter(self._numbers)

    def numbers(self, words: Iterable[str]) -> list[int]:
        """The number of every word."""
        known = self._numbers
        if self.learns:
            return [known.setdefault(word, len(known)) for word in words]
        return [known.get(word, UNKNOWN) for word in words]


class Bags:
    """An append-only collection of bags; a word takes four bytes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._numbers, self._starts = array("i"), array("q", [0])

    def add(self, words: Iterable[str]) -> None:
        """Add a bag."""
        self._numbers.extend(self.vocabulary.numbers(words))
        self._starts.append(len(self._numbers))

    def extend(self, numbers: Numbers, starts: Places) -> None:
        """Add bags of word numbers; ``starts`` as in the property."""
        self._starts.frombytes((starts[1:] + len(self._numbers)).astype(np.int64).tobytes())
        self._numbers.frombytes(numbers.astype(np.int32).tobytes())

    def __len__(self) -> int:
        return len(self._starts) - 1

    @property
    def numbers(self) -> Numbers:
        """The word numbers of all bags, concatenated."""
        return np.frombuffer(self._numbers, dtype=np.int32)

    @property
    def starts(self) -> Places:
        """The offset in ``numbers`` where each bag begins, and then the end of the last bag."""
        return np.frombuffer(self._starts, dtype=np.int64)

    @property
    def sizes(self) -> Places:
        """The number of words of each bag, with or without a number."""
        return np.diff(self.starts)

    @property
    def known(self) -> Places:
        """The number of words of each bag that have a number."""
        before = np.concatenate([[0], np.cumsum(self.numbers != UNKNOWN)])
        return np.diff(before[self.starts])

    def selected(self, chosen: Places) -> Bags:
        """The bags at these places, in this order."""
        sizes = self.sizes[chosen]
        ends = np.cumsum(sizes)
        places = np.repeat(self.starts[:-1][chosen] - (ends - sizes), sizes) + np.arange(sizes.sum())
        bags = Bags(self.vocabulary)
        bags.extend(self.numbers[places], np.concatenate([[0], ends]))
        return bags


def write_bags(folder: Path, bags: Bags) -> None:
    """Write bags and their vocabulary into a folder."""
    np.savez(folder / _ARRAYS, numbers=bags.numbers, starts=bags.starts)
    # Words contain no line ends.
    (folder / _WORDS).write_text("\n".join(bags.vocabulary), encoding="utf-8", newline="\n")


def read_bags(folder: Path) -> Bags:
    """The bags of a folder, with their own vocabulary."""
    text = (folder / _WORDS).read_text(encoding="utf-8")
    bags = Bags(Vocabulary(text.split("\n") if text else ()))
    with np.load(folder / _ARRAYS) as arrays:
        bags.extend(arrays["numbers"], arrays["starts"])
    return bags


def joined(parts: Iterable[Bags]) -> Bags:
    """The bags of several collections in one, with a common vocabulary."""
    bags = Bags(Vocabulary())
    for part in parts:
        numbers = np.array(bags.vocabulary.numbers(part.vocabulary), dtype=np.int32)
        bags.extend(numbers[part.numbers], part.starts)
    return bags


def owners_of(starts: Places) -> Places:
    """The bag of every word."""
    return np.repeat(np.arange(len(starts) - 1, dtype=np.int64), np.diff(starts))


def element_codes(numbers: Numbers, starts: Places, vocabulary: int) -> tuple[Places, Places]:
    """(owners, codes) of the elements of all bags, sorted by bag; words without a number are left out."""
    known = numbers != UNKNOWN
    owners, radix = owners_of(starts)[known], max(1, vocabulary)
    keys = owners * radix + numbers[known]
    keys.sort()
    is_first = np.ones(len(keys), dtype=np.bool_)
    is_first[1:] = keys[1:] != keys[:-1]
    positions = np.arange(len(keys))
    occurrence = positions - np.maximum.accumulate(np.where(is_first, positions, 0))
    # Sorting leaves every bag at its place, so the owners are the same as before.
    return owners, keys - owners * radix + occurrence * radix
