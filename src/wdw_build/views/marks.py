"""Marked text: a text cut into segments, each of one kind. Report, trace, quality, explore and the terminal all use it.

A kind says what a segment is (``blank``, ``person``, ``choice``, ``answer``, ``refused``, ``evidence``, ``climbed``, ``id``,
``title``, ``good``, ``bad``, ``dim``, ``strong``, or nothing), never how it looks: each form of output has its own brackets,
colours or elements for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from wdw_build.reading import BLANK

_WORD = re.compile(r"[^\W_]+")
# Characters that may stand between two words of a phrase: a tokenizer separates them from the words.
_BETWEEN = r"[\W_]{0,8}"
_EXCERPT = 480
_BEFORE = 120


class Segment(NamedTuple):
    """A stretch of text of one kind. ``label`` is shown with it, such as the number of a choice."""

    text: str
    kind: str = ""
    label: str = ""


class Mark(NamedTuple):
    """The kind of the characters [start, end) of a text."""

    start: int
    end: int
    kind: str
    label: str = ""


def segments(text: str, marks: Iterable[Mark]) -> tuple[Segment, ...]:
    """Cut a text at its marks; the segments' texts joined are the text.

    Of overlapping marks, the one that starts first is used, then the longer one. Marks outside of the text are ignored.
    """
    parts, end = [], 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.start < end or not mark.start < mark.end <= len(text):
            continue
        if end < mark.start:
            parts.append(Segment(text[end : mark.start]))
        parts.append(Segment(text[mark.start : mark.end], mark.kind, mark.label))
        end = mark.end
    if end < len(text) or not parts:
        parts.append(Segment(text[end:]))
    return tuple(parts)


def marked_question(question: str) -> tuple[Segment, ...]:
    """The question with its blank marked."""
    return segments(question, [Mark(*match.span(), "blank") for match in re.finditer(BLANK, question)])


def excerpt(text: str, marks: Iterable[Mark], length: int = _EXCERPT) -> tuple[Segment, ...]:
    """``segments``, cut to ``length`` characters around the first mark; an ellipsis stands for what is left out."""
    ordered = sorted(marks)
    first = ordered[0].start if ordered else 0
    start = first - _BEFORE if first > length - _BEFORE else 0
    end = start + length
    inside = [
        mark._replace(start=mark.start - start, end=min(mark.end, end) - start)
        for mark in ordered
        if start <= mark.start < end
    ]
    before = (Segment("… "),) if start else ()
    after = (Segment(" …"),) if end < len(text) else ()
    return (*before, *segments(text[start:end], inside), *after)


def find_name(text: str, name: str) -> list[tuple[int, int]]:
    """The (start, end) of every exact occurrence of a name that is not a part of a longer word."""
    if not name:
        return []
    pattern = rf"(?<![^\W_]){re.escape(name)}(?![^\W_])"
    return [match.span() for match in re.finditer(pattern, text)]


def find_phrase(text: str, phrase: str) -> list[tuple[int, int]]:
    """The (start, end) of every occurrence of a phrase; case, punctuation and spaces are ignored."""
    words = _WORD.findall(phrase)
    if not words:
        return []
    pattern = r"(?<![^\W_])" + _BETWEEN.join(map(re.escape, words)) + r"(?![^\W_])"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def find_words(text: str, words: set[str]) -> list[tuple[int, int]]:
    """The (start, end) of every run of words that are in a casefolded set."""
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        if match.group().casefold() not in words:
            continue
        if spans and not _WORD.search(text, spans[-1][1], match.start()):
            spans[-1] = (spans[-1][0], match.end())
        else:
            spans.append(match.span())
    return spans
