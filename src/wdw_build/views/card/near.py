"""Passages that are nearly the same text: they share a part of the 8-grams of the shorter one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from wdw_build.text.tokens import words

GRAM = 8
SHARE = 0.5

Texts = Callable[[], Iterator[tuple[str, str]]]


def _grams(text: str) -> list[str]:
    """The distinct 8-grams of a text; of a shorter text the whole."""
    found = words(text)
    return sorted({" ".join(found[at : at + GRAM]) for at in range(max(1, len(found) - GRAM + 1))})


class _Kept:
    """Kept texts by their 8-grams, few of which stand in more than one text."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._sizes: list[int] = []
        self._holders: defaultdict[str, list[int]] = defaultdict(list)

    def keep(self, name: str, grams: list[str]) -> None:
        """Keep a text."""
        for gram in grams:
            self._holders[gram].append(len(self._names))
        self._names.append(name)
        self._sizes.append(len(grams))

    def find(self, grams: list[str]) -> str | None:
        """The first kept text that shares enough of the shorter one's 8-grams, or None."""
        shared = Counter(holder for gram in grams for holder in self._holders.get(gram, ()))
        enough = (at for at, count in shared.items() if count >= SHARE * min(len(grams), self._sizes[at]))
        first = min(enough, default=None)
        return None if first is None else self._names[first]


def near_duplicates(few: Texts, many: Texts) -> tuple[dict[str, str], dict[str, str]]:
    """For the names of ``many`` a near-duplicate among ``few``, and the other way round; those without one are left out.

    Both are gone through once or twice; the 8-grams of ``few`` are kept, and of ``many`` those of what was found.
    """
    kept, found = _Kept(), _Kept()
    for name, text in few():
        kept.keep(name, _grams(text))
    forth: dict[str, str] = {}
    for name, text in many():
        if (other := kept.find(grams := _grams(text))) is not None:
            forth[name] = other
            found.keep(name, grams)
    back = {name: other for name, text in few() if (other := found.find(_grams(text))) is not None}
    return forth, back
