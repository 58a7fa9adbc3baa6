"""Passages that are nearly the same text: they share a part of the 8-grams of the shorter one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from wdw_build.text.joins import DuplicateFinder
from wdw_build.text.tokens import words

GRAM = 8
SHARE = 0.5

Texts = Callable[[], Iterator[tuple[str, str]]]


def _grams(text: str) -> list[str]:
    """The distinct 8-grams of a text; of a shorter text the whole."""
    found = words(text)
    return list(dict.fromkeys(" ".join(found[at : at + GRAM]) for at in range(max(1, len(found) - GRAM + 1))))


def _finder() -> DuplicateFinder:
    # Frequencies only make it quicker, and counting those of all 8-grams would cost more than it saves.
    return DuplicateFinder(SHARE, Counter())


def near_duplicates(few: Texts, many: Texts) -> tuple[dict[str, str], dict[str, str]]:
    """For the names of ``many`` a near-duplicate among ``few``, and the other way round; those without one are left out.

    Both are gone through several times. Most texts share no 8-gram with any of the other side: of those, and of all of
    ``many``, nothing is kept but, for ``few``, a number for each 8-gram.
    """
    of_few = {hash(gram) for _, text in few() for gram in _grams(text)}
    of_both = {number for _, text in many() for gram in _grams(text) if (number := hash(gram)) in of_few}
    del of_few

    def sharing(texts: Texts) -> Iterator[tuple[str, list[str]]]:
        for name, text in texts():
            grams = _grams(text)
            if any(hash(gram) in of_both for gram in grams):
                yield name, grams

    kept, found = _finder(), _finder()
    for name, grams in sharing(few):
        kept.keep(name, grams)
    forth: dict[str, str] = {}
    for name, grams in sharing(many):
        if (other := kept.find(grams)) is not None:
            forth[name] = other
            found.keep(name, grams)
    back = {name: other for name, grams in sharing(few) if (other := found.find(grams)) is not None}
    return forth, back
