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
    return sorted({" ".join(found[at : at + GRAM]) for at in range(max(1, len(found) - GRAM + 1))})


def _finder() -> DuplicateFinder:
    # Frequencies only make it quicker, and counting those of all 8-grams would cost more than it saves.
    return DuplicateFinder(SHARE, Counter())


def near_duplicates(few: Texts, many: Texts) -> tuple[dict[str, str], dict[str, str]]:
    """For the names of ``many`` a near-duplicate among ``few``, and the other way round; those without one are left out.

    Both are gone through once or twice; the 8-grams of ``few`` are kept, and of ``many`` those of what was found.
    """
    kept, found = _finder(), _finder()
    for name, text in few():
        kept.keep(name, _grams(text))
    forth: dict[str, str] = {}
    for name, text in many():
        if (other := kept.find(grams := _grams(text))) is not None:
            forth[name] = other
            found.keep(name, grams)
    back = {name: other for name, text in few() if (other := found.find(_grams(text))) is not None}
    return forth, back
