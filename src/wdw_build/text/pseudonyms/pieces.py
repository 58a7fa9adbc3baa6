"""Cuts text into pieces that may be words of names: runs of letters, parts of handles, and words joined by hyphens."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from wdw_build.text.names.matching import fold_text

# A run of letters, with accents that are characters of their own, and with an apostrophe inside ("O'Neill").
LETTERS = r"(?:[^\W\d_][\u0300-\u036f]*)"
_WORD = re.compile(rf"{LETTERS}+(?:['’](?!s\b){LETTERS}+)*", re.IGNORECASE)
_IN_CAMEL_CASE = re.compile(r"[^\W\d_a-z]?[^\W\d_A-Z]+|[^\W\d_a-z]+(?![^\W\d_A-Z])")
_WEB_BEFORE = re.compile(r"(?:[@#]|https?://|www\.)[\w./%-]*$")
_WEB_AFTER = re.compile(r"[\w-]*\.(?:com|org|net|gov|edu|co)\b")
_HYPHENS = "-‐‑–"
_LONGEST_WEB = 120
_LEAST_IN_A_HANDLE = 4


class Piece(NamedTuple):
    """A stretch of text that is, or begins with, the word of a name.

    ``word`` is the folded word, ``suffix`` the text after it that belongs to a derived word ("omics"). ``is_web``: part of
    a handle, a tag or an address.
    """

    start: int
    end: int
    word: str
    suffix: str = ""
    is_web: bool = False


def folded(text: str) -> str:
    """A word in the form in which names are compared."""
    return fold_text(text)


def pieces(text: str, words: Container[str], families: Container[str]) -> Iterator[Piece]:
    """Yield the stretches of the text that are words of ``words`` or are derived from one, in order, without overlap.

    The capitals of a stretch are not tested, except that a word in camel case is cut before its capitals.
    """
    found = list(_WORD.finditer(text))
    index = 0
    while index < len(found):
        count = _joined(found, index, text, words)
        start, end = found[index].start(), found[index + max(count, 1) - 1].end()
        if count:
            yield Piece(start, end, _key(text[start:end]), is_web=_is_web(text, start, end))
        else:
            yield from _within(text, start, end, words, families)
        index += max(count, 1)


def _key(surface: str) -> str:
    return folded("".join("-" if character in _HYPHENS else character for character in surface))


def _joined(found: list[re.Match[str]], index: int, text: str, words: Container[str]) -> int:
    """The number of written words from ``index``, joined by hyphens, that form the longest word of ``words``; 0 if none."""
    last = index
    while last + 1 < len(found) and last - index < 3 and text[found[last].end() : found[last + 1].start()] in _HYPHENS:
        last += 1
    for end in range(last, index - 1, -1):
        if _key(text[found[index].start() : found[end].end()]) in words:
            return end - index + 1
    return 0


def _is_web(text: str, start: int, end: int) -> bool:
    before = _WEB_BEFORE.search(text[max(0, start - _LONGEST_WEB) : start])
    return bool(before or _WEB_AFTER.match(text[end : end + _LONGEST_WEB]))


def _within(text: str, start: int, end: int, words: Container[str], families: Container[str]) -> Iterator[Piece]:
    """Yield the words of names inside one written word: in camel case, in a handle, or before a suffix."""
    surface, is_web = text[start:end], _is_web(text, start, end)
    derived = _derived(surface, words, families)
    if derived:
        yield Piece(start, start + derived[0], derived[1], surface[derived[0] :], is_web)
        return
    parts = [match.span() for match in _IN_CAMEL_CASE.finditer(surface)]
    whole = [(low, high) for low, high in parts if folded(surface[low:high]) in words]
    if len(parts) > 1 and whole:
        for low, high in whole:
            yield Piece(start + low, start + high, folded(surface[low:high]), is_web=is_web)
    elif is_web:
        yield from _in_handle(start, surface, words)


def _in_handle(start: int, surface: str, words: Container[str]) -> Iterator[Piece]:
    """Yield the words of names in a handle or address ("tomquillby").

    A word of four letters or more is found anywhere, the longest first at each place; a shorter one only if it fills the
    handle before, between or after these.
    """
    long_words = list(_long_words(surface, words))
    edges = [0, *(edge for span in long_words for edge in span), len(surface)]
    rests = zip(edges[::2], edges[1::2], strict=True)
    short_words = [(low, high) for low, high in rests if long_words and folded(surface[low:high]) in words]
    for low, high in sorted([*long_words, *short_words]):
        yield Piece(start + low, start + high, folded(surface[low:high]), is_web=True)


def _long_words(surface: str, words: Container[str]) -> Iterator[tuple[int, int]]:
    low, size = 0, len(surface)
    while low < size:
        highs = range(size, low + _LEAST_IN_A_HANDLE - 1, -1)
        high = next((high for high in highs if folded(surface[low:high]) in words), low)
        if high > low:
            yield low, high
        low = max(high, low + 1)


_LEAST_DERIVED_FROM = 4
# After a shorter name, "er" and "ed" make other names and words: "Miller", "Baked".
_LEAST_BEFORE_A_SHORT_SUFFIX = 5
_SUFFIXES = re.compile(
    r"(?:ism|ist|ists|ite|ites|ians?|esque|omics|nomics|onomics|care|gate|mania|i?[sz]ation|i[sz]ed|phobia|phobes?|philes?|"
    r"niks?|istas?|(?P<family>s|es|ies)|(?P<short>ed|ers?|(?<=a)ns?))"
)


def _derived(surface: str, words: Container[str], families: Container[str]) -> tuple[int, str] | None:
    """The length of the name at the start of a derived word, and its folded form; None for any other word.

    A plural is derived from surnames only: "Roberts" is not the plural of "Robert". A final "e" or "y" may be missing
    ("Gaullist", "Kennedies").
    """
    for length in range(len(surface) - 1, _LEAST_DERIVED_FROM - 2, -1):
        suffix = _SUFFIXES.fullmatch(surface.lower(), length)
        if suffix is None:
            continue
        stem = folded(surface[:length])
        least = _LEAST_BEFORE_A_SHORT_SUFFIX if suffix["short"] else _LEAST_DERIVED_FROM
        for word in (stem,) if suffix["short"] else (stem, stem + "e", stem + "y"):
            if len(word) >= least and word in words and (not suffix["family"] or word in families):
                return length, word
    return None
