"""An index of the words of one text: the places of a name without a search through the text."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator

_RUN = re.compile(r"[^\W_]+")
_AND = re.compile(r" and(?= )")
_APOSTROPHES = frozenset("'’")
# Characters that are read on each side of "and".
_SIDE = 64


class ArticleWords:
    """The words of a text. A word is a longest run of letters and digits; the text is cut into words once."""

    def __init__(self, text: str) -> None:
        self._text = text

    @functools.cached_property
    def _starts(self) -> dict[str, list[int]]:
        """The offsets of each word."""
        starts: defaultdict[str, list[int]] = defaultdict(list)
        for word in _RUN.finditer(self._text):
            starts[word[0]].append(word.start())
        return dict(starts)

    def find(self, name: str) -> Iterator[int]:
        """Yield the offsets of a name that is not a part of longer words, in order."""
        words = list(_RUN.finditer(name))
        if not words:
            yield from self._find_punctuation(name)
            return
        # All words of the name occur there: the rarest has the fewest places to look at.
        rarest = min(words, key=lambda word: len(self._starts.get(word[0], ())))
        for offset in self._starts.get(rarest[0], ()):
            start = offset - rarest.start()
            if start >= 0 and self._text.startswith(name, start) and self._is_whole(start, start + len(name)):
                yield start

    def _find_punctuation(self, name: str) -> Iterator[int]:
        """Yield the offsets of a name without letters and digits."""
        start = self._text.find(name) if name else -1
        while start >= 0:
            if self._is_whole(start, start + len(name)):
                yield start
            start = self._text.find(name, start + 1)

    def _is_whole(self, start: int, end: int) -> bool:
        """Whether neither a letter nor a digit stands directly before ``start`` or at ``end``."""
        is_start = start == 0 or not self._text[start - 1].isalnum()
        return is_start and not self._text[end : end + 1].isalnum()

    def has_word(self, word: str) -> bool:
        """Whether the text has the word without a letter, a digit or an apostrophe after it."""
        ends = (start + len(word) for start in self.find(word))
        return any(self._text[end : end + 1] not in _APOSTROPHES for end in ends)

    def is_doubled(self, word: str) -> bool:
        """Whether the text has the word on both sides of "and" ("Reagan and Reagan"), also as a part of longer words."""
        return word in self._doubled if len(word) <= _SIDE else f"{word} and {word}" in self._text

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
