"""Words marked in a text: pieces, marked or not, cut to a length around the first mark."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+")
# Between two words of a phrase the text may have what a tokeniser would set apart.
_BETWEEN = r"[\W_]{0,8}"
_SHOWN = 480
_BEFORE = 120


class Piece(NamedTuple):
    """A stretch of text."""

    text: str
    marked: bool = False


class Passage(NamedTuple):
    """A text to show, with what it is."""

    label: str
    pieces: tuple[Piece, ...]


def find(text: str, phrase: str) -> list[tuple[int, int]]:
    """Where the words of a phrase stand in a text one after the other, whatever the case and the signs between."""
    words = _WORD.findall(phrase)
    if not words:
        return []
    pattern = r"(?<![^\W_])" + _BETWEEN.join(map(re.escape, words)) + r"(?![^\W_])"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def shared(text: str, words: set[str]) -> list[tuple[int, int]]:
    """Where words of this (casefolded) set stand in a text; neighbours are one stretch."""
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        if match.group().casefold() not in words:
            continue
        if spans and not _WORD.search(text, spans[-1][1], match.start()):
            spans[-1] = (spans[-1][0], match.end())
        else:
            spans.append(match.span())
    return spans


def pieces(text: str, spans: Iterable[tuple[int, int]], shown: int = _SHOWN) -> tuple[Piece, ...]:
    """A text in pieces; a long one is cut to ``shown`` characters around its first mark."""
    ordered = sorted(spans)
    start = max(0, ordered[0][0] - _BEFORE) if ordered and ordered[0][0] > shown - _BEFORE else 0
    end = start + shown
    made = [Piece("… ")] if start else []
    at = start
    for first, last in ordered:
        if first >= at and first < end:
            made += [Piece(text[at:first]), Piece(text[first : min(last, end)], True)]
            at = min(last, end)
    made.append(Piece(text[at:end]))
    if end < len(text):
        made.append(Piece(" …"))
    return tuple(piece for piece in made if piece.text)


def phrases(label: str, text: str, wanted: Iterable[str]) -> Passage:
    """A text with phrases marked."""
    return Passage(label, pieces(text, [span for phrase in wanted for span in find(text, phrase)]))
