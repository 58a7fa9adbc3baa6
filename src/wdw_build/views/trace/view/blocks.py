"""The parts of a trace as shown: sections of blocks, and lines of marked segments."""

from __future__ import annotations

from typing import NamedTuple

from wdw_build.views.marks import Segment

Line = tuple[Segment, ...]


class Prose(NamedTuple):
    """Running text."""

    line: Line


class Table(NamedTuple):
    """Rows under a head; the last column may be long."""

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


class Entries(NamedTuple):
    """A list: each entry is a head line and the lines that belong to it."""

    entries: tuple[tuple[Line, ...], ...]


class Verbatim(NamedTuple):
    """Lines whose spaces are kept."""

    lines: tuple[Line, ...]


Block = Prose | Table | Entries | Verbatim


class Section(NamedTuple):
    """Blocks under a title."""

    title: str
    blocks: tuple[Block, ...]


def line_of(*parts: str | Segment) -> Line:
    """A line of segments; a string is a segment of no kind."""
    return tuple(Segment(part) if isinstance(part, str) else part for part in parts)


def shortened(text: str, most: int = 80) -> str:
    """The text, cut to ``most`` characters with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
