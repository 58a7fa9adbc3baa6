"""Spans of a passage: offsets of browsers and of Python, and the places of a typed answer.

Python counts code points. JavaScript counts UTF-16 units, so that a character outside the Basic Multilingual Plane, such
as an emoji, counts twice.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from wdw_build.records import TokenSpan

_LAST_OF_BMP = 0xFFFF
# A full stop belongs to "Jr." and "Sr.".
_BEFORE = re.compile(r"^[\s,;:.!?…–—-]+")
_AFTER = re.compile(r"(?:['’]s|[\s,;:!?…–—-]|(?<!\bJr)(?<!\bSr)\.)+$")
_PAIRS = (("“", "”"), ("‘", "’"), ('"', '"'), ("'", "'"), ("(", ")"), ("[", "]"))


def from_utf16(text: str, offset: int) -> int:
    """The code point at a UTF-16 offset. Raises ``ValueError`` for an offset outside the text or within a character."""
    starts = accumulate((1 + (ord(character) > _LAST_OF_BMP) for character in text), initial=0)
    for position, units in enumerate(starts):
        if units == offset:
            return position
    raise ValueError(f"no character begins at {offset} UTF-16 units")


def to_utf16(text: str, position: int) -> int:
    """The UTF-16 offset of a code point."""
    return position + sum(ord(character) > _LAST_OF_BMP for character in text[:position])


def places(text: str, answer: str) -> list[TokenSpan]:
    """Where an answer stands in a text as whole words, with any white space between words, any case and any accents."""
    text, pieces = _without_accents(text), _without_accents(answer).split()
    if not pieces:
        return []
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, pieces)) + r"(?!\w)"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _without_accents(text: str) -> str:
    """The text with each letter replaced by its base letter; of the same length, so that offsets stay."""
    return text if text.isascii() else "".join(unicodedata.normalize("NFD", letter)[0] for letter in text)


def sentence_spans(text: str, sentences: Iterable[str]) -> Iterator[TokenSpan]:
    """Start and end of each sentence; the sentences are pieces of the text in order."""
    end = 0
    for sentence in sentences:
        start = text.index(sentence, end)
        end = start + len(sentence)
        yield start, end


def trimmed(text: str, span: TokenSpan) -> TokenSpan:
    """The span without white space, punctuation and a possessive at its ends; quotes and brackets that close within it stay."""
    start, end = span
    piece, before = text[start:end] if 0 <= start < end <= len(text) else "", None
    while piece != before:
        before = piece
        piece = _without_pair(_AFTER.sub("", _BEFORE.sub("", piece)))
    start = text.find(piece, max(start, 0))
    return (start, start + len(piece)) if piece else span


def _without_pair(piece: str) -> str:
    """The piece without an opening mark that it does not close, and without a closing mark that it does not open."""
    inner = piece[1:-1]
    if any(piece.startswith(first) and last not in inner for first, last in _PAIRS):
        return piece[1:]
    return piece[:-1] if any(piece.endswith(last) and first not in inner for first, last in _PAIRS) else piece


def texts(text: str, spans: Iterable[TokenSpan]) -> tuple[str, ...]:
    """The text of each span."""
    return tuple(text[start:end] for start, end in spans)


def overlap(spans: Sequence[TokenSpan]) -> bool:
    """Whether two of the spans share a character."""
    in_order = sorted(spans)
    return any(second[0] < first[1] for first, second in pairwise(in_order))


def cuts_a_word(text: str, span: TokenSpan) -> bool:
    """Whether an edge of the span stands between two letters or digits."""
    return any(0 < edge < len(text) and text[edge - 1].isalnum() and text[edge].isalnum() for edge in span)
