"""Spans of a passage: offsets of browsers and of Python, and the places of a typed answer.

Python counts code points. JavaScript counts UTF-16 units, so that a character outside the Basic Multilingual Plane, such
as an emoji, counts twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from wdw_build.records import TokenSpan

_LAST_OF_BMP = 0xFFFF


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
    """Where an answer stands in a text as whole words, with any white space between words and any case."""
    pieces = answer.split()
    if not pieces:
        return []
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, pieces)) + r"(?!\w)"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


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
