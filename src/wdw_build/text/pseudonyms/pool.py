"""The pool of names that surrogates are drawn from, and which of its surnames a corpus leaves free."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from wdw_build.text.names.matching import fold_text, identifying_tokens

_LETTERS = re.compile(r"[^\W\d_]+")
_BLENDS = 20_000
_LEAST_OF_A_BLEND = 3
# A prime number: the surnames, which are sorted, are taken from all parts of the alphabet.
_STRIDE = 397


@dataclass(frozen=True)
class Origin:
    """Names of one origin: given names of women and of men, and surnames."""

    name: str
    female: tuple[str, ...]
    male: tuple[str, ...]
    family: tuple[str, ...]


@dataclass(frozen=True)
class NamePool:
    """Names of several origins, and blends: surnames that join the start of one surname and the end of another.

    ``female`` and ``male``: folded given names that mostly women or mostly men bear; they tell the gender of real persons.
    """

    origins: tuple[Origin, ...]
    female: frozenset[str] = frozenset()
    male: frozenset[str] = frozenset()

    @functools.cached_property
    def blends(self) -> tuple[str, ...]:
        """Invented surnames, in a fixed order, for a corpus whose persons bear nearly all surnames of the pool."""
        blends = (_blend(one, other) for one, other in _pairs(self.origins))
        return tuple(itertools.islice(dict.fromkeys(filter(None, blends)), _BLENDS))

    @functools.cached_property
    def surnames(self) -> frozenset[str]:
        """The folded forms of all surnames and blends."""
        families = (name for origin in self.origins for name in origin.family)
        return frozenset(map(fold_text, itertools.chain(families, self.blends)))

    def without(self, taken: Set[str]) -> FreeNames:
        """The pool without the surnames whose folded forms are taken."""
        origins = (
            Origin(origin.name, origin.female, origin.male, _free(origin.family, taken)) for origin in self.origins
        )
        return FreeNames(tuple(origins), _free(self.blends, taken))


@dataclass(frozen=True)
class FreeNames:
    """The names that a corpus leaves free."""

    origins: tuple[Origin, ...]
    blends: tuple[str, ...]


def _free(names: Iterable[str], taken: Set[str]) -> tuple[str, ...]:
    return tuple(name for name in names if fold_text(name) not in taken)


def _pairs(origins: tuple[Origin, ...]) -> Iterator[tuple[str, str]]:
    """Yield pairs of surnames of different origins, mixed evenly."""
    for step in itertools.count():
        pairs = [
            (one.family[step * _STRIDE % len(one.family)], other.family[step * _STRIDE % len(other.family)])
            for one, other in itertools.permutations(origins, 2)
            if step < len(one.family) and other.family
        ]
        if not pairs:
            return
        yield from pairs


def _blend(one: str, other: str) -> str:
    """The first half of one surname and the second half of another; empty if a half is too short."""
    start, end = one[: (len(one) + 1) // 2], other[len(other) // 2 :]
    long_enough = len(start) >= _LEAST_OF_A_BLEND and len(end) >= _LEAST_OF_A_BLEND
    return start + end.lower() if long_enough else ""


def words_of_text(text: str) -> set[str]:
    """The folded words of a text, whatever their case."""
    return set(_LETTERS.findall(fold_text(text)))


def words_of_name(name: str) -> Iterator[str]:
    """Yield the identifying words of a name, and the parts of hyphenated ones."""
    for token in identifying_tokens(name):
        yield token
        yield from _LETTERS.findall(token)
