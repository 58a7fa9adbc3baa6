"""Text with marked stretches, cut into pieces that any form of output can show: brackets, colours, HTML.

A piece has a kind that says what it is (``blank``, ``person``, ``choice``, ``answer``, ``refused``, ``climbed``, ``id``,
``title``, ``good``, ``bad``, ``dim``, ``strong``, or nothing), never how it looks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Piece(NamedTuple):
    """A stretch of text of one kind; ``label`` is shown with it (the number of a choice)."""

    text: str
    kind: str = ""
    label: str = ""


class Mark(NamedTuple):
    """A stretch [start, end) of a text, in characters."""

    start: int
    end: int
    kind: str
    label: str = ""


def marked(text: str, marks: Iterable[Mark]) -> tuple[Piece, ...]:
    """The text in pieces, nothing lost. Of marks that overlap, the one that starts first counts, then the longer."""
    pieces, at = [], 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.start < at or not mark.start < mark.end <= len(text):
            continue
        if at < mark.start:
            pieces.append(Piece(text[at : mark.start]))
        pieces.append(Piece(text[mark.start : mark.end], mark.kind, mark.label))
        at = mark.end
    if at < len(text) or not pieces:
        pieces.append(Piece(text[at:]))
    return tuple(pieces)


def places(text: str, wanted: str) -> list[tuple[int, int]]:
    """Where a stretch of text stands, as a word or words of its own."""
    found, at = [], text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
            found.append((at, end))
        at = text.find(wanted, end)
    return found
