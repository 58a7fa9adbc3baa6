"""An index of the words of one text: the places of a name without a search through the whole text."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator

_RUN = re.compile(r"[^\W_]+")
_CAPITALISED = re.compile(r"(?<![^\W_])[^\W\d_a-z][^\W_]*")
_AND = re.compile(r" and(?= )")
_APOSTROPHES = frozenset("'’")
# Characters that are read on each side of "and".
_SIDE = 64
# An index costs as much as about this many searches of the text.
_SEARCHES = 20


class ArticleWords:
    """The words of a text. A word is a longest run of letters and digits.

    Capitalised words are indexed at once, all words and the words beside "and" only after many questions about them.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._searches = 0

    @functools.cached_property
    def _starts(self) -> dict[str, list[int]]:
        """The offsets of each capitalised word."""
        starts: defaultdict[str, list[int]] = defaultdict(list)
        for word in _CAPITALISED.finditer(self._text):
            starts[word[0]].append(word.start())
        return dict(starts)

    def find(self, name: str) -> Iterator[int]:
        """Yield the offsets of a name that is not a part of longer words, in order."""
        end = len(name)
        for start in self._candidates(name):
            if self._text.startswith(name, start) and not (
                self._text[start + end : start + end + 1].isalnum() or (start and self._text[start - 1].isalnum())
            ):
                yield start

    def _candidates(self, name: str) -> Iterator[int]:
        """Yield offsets at which a name may be: by the rarest of its capitalised words, or else by a search."""
        words = [(word[0], word.start()) for word in _CAPITALISED.finditer(name)]
        if words:
            places = [(self._starts.get(word, ()), shift) for word, shift in words]
            starts, shift = min(places, key=lambda place: len(place[0]))
            yield from (start - shift for start in starts if start >= shift)
            return
        start = self._text.find(name) if name else -1
        while start >= 0:
            yield start
            start = self._text.find(name, start + 1)

    def has_word(self, word: str) -> bool:
        """Whether the text has the word without a letter, a digit or an apostrophe after it."""
        if self._is_index_worthwhile() and not self._words.issuperset(_RUN.findall(word)):
            return False
        ends = (start + len(word) for start in self.find(word))
        return any(self._text[end : end + 1] not in _APOSTROPHES for end in ends)

    def is_doubled(self, word: str) -> bool:
        """Whether the text has the word on both sides of "and" ("Reagan and Reagan"), also as a part of longer words."""
        if self._is_index_worthwhile() and len(word) <= _SIDE:
            return word in self._doubled
        return f"{word} and {word}" in self._text

    def _is_index_worthwhile(self) -> bool:
        self._searches += 1
        return self._searches > _SEARCHES

    @functools.cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_RUN.findall(self._text))

    @functools.cached_property
    def _doubled(self) -> frozenset[str]:
        """The strings without spaces, of at most ``_SIDE`` characters, that stand on both sides of "and"."""
        doubled: set[str] = set()
        for match in _AND.finditer(self._text):
            before = self._text[max(0, match.start() - _SIDE) : match.start()]
            after = self._text[match.end() + 1 : match.end() + 1 + _SIDE]
            following = after.split(maxsplit=1)[0] if after and not after[0].isspace() else ""
            doubled.update(part for size in range(len(following)) if before.endswith(part := following[: size + 1]))
        return frozenset(doubled)
