"""Near-duplicate passages: two texts that share at least half of the distinct 8-grams of the shorter one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from wdw_build.text.tokens import words

GRAM = 8
SHARE = 0.5

Texts = Callable[[], Iterator[tuple[str, str]]]


def _grams(text: str) -> list[str]:
    """The distinct 8-grams of a text; a shorter text is one gram."""
    tokens = words(text)
    return sorted({" ".join(tokens[start : start + GRAM]) for start in range(max(1, len(tokens) - GRAM + 1))})


class _GramIndex:
    """Inverted index from 8-grams to texts."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._sizes: list[int] = []
        self._holders: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, name: str, grams: list[str]) -> None:
        """Add a text."""
        for gram in grams:
            self._holders[gram].append(len(self._names))
        self._names.append(name)
        self._sizes.append(len(grams))

    def find(self, grams: list[str]) -> str | None:
        """The name of the first text in the index that is a near-duplicate, or None."""
        shared = Counter(holder for gram in grams for holder in self._holders.get(gram, ()))
        duplicates = (
            holder for holder, count in shared.items() if count >= SHARE * min(len(grams), self._sizes[holder])
        )
        first = min(duplicates, default=None)
        return None if first is None else self._names[first]


def near_duplicates(indexed: Texts, streamed: Texts) -> tuple[dict[str, str], dict[str, str]]:
    """Map the names of ``streamed`` to a near-duplicate in ``indexed``, and the reverse; leaves out names without a near-duplicate.

    Each side is read once or twice. Memory holds the 8-grams of ``indexed`` and of the near-duplicates in ``streamed``.
    """
    index, duplicates = _GramIndex(), _GramIndex()
    for name, text in indexed():
        index.add(name, _grams(text))
    forth: dict[str, str] = {}
    for name, text in streamed():
        if (other := index.find(grams := _grams(text))) is not None:
            forth[name] = other
            duplicates.add(name, grams)
    back = {name: other for name, text in indexed() if (other := duplicates.find(_grams(text))) is not None}
    return forth, back
