"""Words and language-model tokens of raw text. The annotators make the tokens of the neural models.

Words are casefolded runs of letters and digits; the overlap tests use them. Language-model tokens are Penn-like: case is
kept, punctuation and clitics are tokens of their own. Corpus and questions use the same function, so the n-gram model
scores what it was estimated on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

# What the Penn Treebank writes for brackets (Marcus et al. 1993), as its tokens must not be taken for those of a tree.
TREEBANK_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}

T = TypeVar("T")
Element = str | tuple[str, int]

_WORD = re.compile(r"[^\W_]+")
_LM_PATTERN = (
    r"(?:[^\W\d_]\.){2,}"  # U.S.
    r"|\d+(?:[.,:/]\d+)*"  # 1,234.5
    r"|@entity\d+"  # the code of a person
    r"|[^\W\d_]+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b"
    r"|[^\W_]+(?:(?:-|['’](?!(?:s|re|ve|ll|d|m|t)\b))[^\W_]+)*"  # Ki-moon, O'Brien
    r"|[^\w\s\x1c-\x1f]|_"
)
_LM_TOKENS = re.compile(_LM_PATTERN, re.IGNORECASE)
# Nearly all texts are pure ASCII, in which these patterns find the same tokens in half the time.
_ASCII_WORD = re.compile("[a-z0-9]+")
_ASCII_LM_TOKENS = re.compile(_LM_PATTERN, re.IGNORECASE | re.ASCII)


def words(text: str) -> list[str]:
    """The casefolded words of a text, in order."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return list(map(str.casefold, _WORD.findall(text)))


def elements(words: Iterable[str]) -> list[Element]:
    """The distinct elements of one bag: the word for its first occurrence, (word, count) for later occurrences."""
    counts: dict[str, int] = {}
    distinct: list[Element] = []
    for word in words:
        counts[word] = counts.get(word, 0) + 1
        distinct.append(word if counts[word] == 1 else (word, counts[word]))
    return distinct


def lm_tokens(text: str) -> list[str]:
    """Tokens for the n-gram model, case kept."""
    return (_ASCII_LM_TOKENS if text.isascii() else _LM_TOKENS).findall(text)


def lm_token_spans(text: str) -> list[tuple[int, int]]:
    """The spans [start, end) of ``lm_tokens``, in characters."""
    return [match.span() for match in (_ASCII_LM_TOKENS if text.isascii() else _LM_TOKENS).finditer(text)]


def encodable(text: str) -> str:
    """The text with question marks for lone surrogates, which UTF-8 cannot hold; its length stays."""
    return text.encode("utf-8", "replace").decode("utf-8")


_CACHED = 1 << 16


class ByChunk(dict[str, T]):
    """Caches a function of the chunks of a text between white space.

    No word and no token contains white space or depends on what is beyond it, so the tokens of a text are those of
    ``text.split()``, chunk by chunk. Chunks recur, and a look-up takes a fraction of the time of a regular expression.
    """

    def __init__(self, function: Callable[[str], T]) -> None:
        self._function = function

    def __missing__(self, chunk: str) -> T:
        if len(self) >= _CACHED:
            self.clear()
        value = self[chunk] = self._function(chunk)
        return value
