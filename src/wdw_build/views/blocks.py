"""What a view shows, as sections of blocks of marked lines, and its text for a terminal.

A marked text is cut into segments, each of one kind. Brackets show the marked segments of a line, and colour is optional. Only this
module makes the text of articles safe for a terminal: control characters become escapes. Colour adds no letters, so copied or piped
text keeps its marks.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wdw_build.core.progress import printable


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


Line = Sequence[Segment]
_COLOURS = {
    "blank": "1;7",
    "person": "36",
    "choice": "33",
    "answer": "1;32",
    "refused": "31",
    "good": "32",
    "bad": "31",
    "dim": "2",
    "strong": "1",
    "id": "4",
    "title": "1;34",
}
_BRACKETS = {
    "blank": ("[", "]"),
    "person": ("{", "}"),
    "choice": ("{", "}"),
    "answer": ("{", "}"),
    "refused": ("~", "~"),
}
_PIPED_WIDTH, _LEAST_WIDTH = 120, 40


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


Block = Prose | Table | Entries


class Section(NamedTuple):
    """Blocks under a title."""

    title: str
    blocks: tuple[Block, ...]


def line_of(*parts: str | Segment) -> Line:
    """A line of segments; a string is a segment of no kind."""
    return tuple(Segment(part) if isinstance(part, str) else part for part in parts)


def prose(*parts: str | Segment) -> Prose:
    """Running text of these segments."""
    return Prose(line_of(*parts))


def table(head: tuple[str, ...], rows: Iterable[tuple[str | Segment, ...]]) -> Table:
    """A table with one segment in each cell."""
    return Table(head, tuple(tuple(map(line_of, row)) for row in rows))


def entries(lines: Iterable[Line]) -> Entries:
    """A list of entries of one line."""
    return Entries(tuple((line,) for line in lines))


class Terminal:
    """Writes segments with or without colour, in lines of at most ``width`` columns."""

    def __init__(self, colour: bool, width: int) -> None:
        self.colour, self.width = colour, max(width, _LEAST_WIDTH)

    def paint(self, text: str, kind: str) -> str:
        """The text in the colour of its kind."""
        code = _COLOURS.get(kind, "") if self.colour else ""
        return f"\x1b[{code}m{text}\x1b[0m" if code else text

    def line(self, line: Line) -> str:
        """The segments on one line, spaces kept."""
        return "".join(self.paint(dressed(segment), segment.kind) for segment in line)

    def flow(self, line: Line, first: str = "", rest: str = "") -> str:
        """The segments wrapped to the width; the first line is indented by ``first``, the others by ``rest``."""
        lines: list[str] = []
        current, used, is_start = first, len(first), True
        for spaces, word in _words(line):
            size = sum(len(text) for text, _ in word)
            gap = 0 if is_start else spaces
            if used + gap + size > self.width and not is_start:
                lines.append(current)
                current, used, gap = rest, len(rest), 0
            current += " " * gap + "".join(self.paint(text, kind) for text, kind in word)
            used, is_start = used + gap + size, False
        return "\n".join([*lines, current])


def dressed(segment: Segment) -> str:
    """The text of a segment in its brackets."""
    opens, closes = _BRACKETS.get(segment.kind, ("", ""))
    label = f"{segment.label} " if segment.label else ""
    return f"{opens}{label}{printable(segment.text)}{closes}"


def _words(line: Line) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """The words of a line: the number of spaces before each word, and the word's parts as (text, kind)."""
    spaces, word = 0, list[tuple[str, str]]()
    for segment in line:
        text = dressed(Segment(" ".join(segment.text.split("\n")), segment.kind, segment.label))
        for number, part in enumerate(text.split(" ")):
            if number and word:
                yield spaces, word
                spaces, word = 0, []
            spaces += number > 0
            if part:
                word.append((part, segment.kind))
    if word:
        yield spaces, word


def terminal() -> Terminal:
    """Standard output; without colour if it is not a terminal, or if NO_COLOR is set."""
    is_terminal = sys.stdout.isatty()
    colour = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Terminal(colour, shutil.get_terminal_size().columns if is_terminal else _PIPED_WIDTH)


def section_lines(sections: Iterable[Section], out: Terminal) -> Iterator[str]:
    """The sections as lines, each after an empty line and its title."""
    for section in sections:
        yield ""
        yield out.paint(section.title, "title")
        for block in section.blocks:
            yield from block_lines(block, out)


def block_lines(block: Block, out: Terminal) -> Iterator[str]:
    """A block as lines, indented by two spaces."""
    match block:
        case Prose(line):
            yield out.flow(line, "  ", "  ")
        case Entries(entries):
            for first, *others in entries:
                yield out.flow(first, "  ", "      ")
                yield from (out.flow(line, "      ", "      ") for line in others)
        case Table(_, rows):
            yield from _table(rows, out)


def _table(rows: Sequence[Sequence[Line]], out: Terminal) -> Iterator[str]:
    """Aligned columns, the last one wrapped. Column heads are shown on the page only, which has room for them."""
    plain = [["".join(map(dressed, cell)) for cell in row[:-1]] for row in rows]
    widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
    margin = " " * (2 + sum(widths) + 2 * len(widths))
    for row, texts in zip(rows, plain, strict=True):
        cells = [
            out.line(cell) + " " * (width - len(text))
            for cell, text, width in zip(row[:-1], texts, widths, strict=True)
        ]
        wrapped = out.flow(row[-1], margin, margin).removeprefix(margin)
        yield f"  {'  '.join(cells)}  {wrapped}".rstrip()
