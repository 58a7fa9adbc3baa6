"""Marked text: a text cut into segments, each of one kind. Every page and the terminal use it.

A kind says what a segment is (``blank``, ``person``, ``choice``, ``answer``, ``refused``, ``id``, ``title``, ``good``, ``bad``,
``dim``, ``strong``, or nothing), never how it looks: each form of output has its own brackets, colours or elements for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


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


def find_name(text: str, name: str) -> list[tuple[int, int]]:
    """The (start, end) of every exact occurrence of a name that is not a part of a longer word."""
    if not name:
        return []
    pattern = rf"(?<![^\W_]){re.escape(name)}(?![^\W_])"
    return [match.span() for match in re.finditer(pattern, text)]
