"""Pieces of text on a terminal: brackets that say what is marked, and colour where it is wanted.

Text of articles is made safe here, once: control characters are shown as escapes. With colour or without, the letters are
the same, so that what is copied or piped says as much.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence

from wdw_build.core.run.progress import printable
from wdw_build.views.marks import Piece
from wdw_build.views.trace.steps import Trace
from wdw_build.views.trace.view import Block, Entries, Prose, Section, Table, Verbatim, sections

Line = Sequence[Piece]
_COLOURS = {
    "blank": "1;7",
    "person": "36",
    "choice": "33",
    "answer": "1;32",
    "refused": "31",
    "climbed": "1;35",
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


class Terminal:
    """How to write to a stream: with colour, and how wide (columns)."""

    def __init__(self, colour: bool, width: int) -> None:
        self.colour, self.width = colour, max(width, _LEAST_WIDTH)

    def paint(self, text: str, kind: str) -> str:
        """The text in the colour of its kind."""
        code = _COLOURS.get(kind, "") if self.colour else ""
        return f"\x1b[{code}m{text}\x1b[0m" if code else text

    def line(self, line: Line) -> str:
        """Pieces as they stand, on one line."""
        return "".join(self.paint(dressed(piece), piece.kind) for piece in line)

    def flow(self, line: Line, first: str = "", rest: str = "") -> str:
        """Pieces as lines of the width, ``first`` before the first and ``rest`` before the others."""
        lines: list[str] = []
        current, used, margin = first, len(first), True
        for spaces, word in _words(line):
            size = sum(len(text) for text, _ in word)
            gap = 0 if margin else spaces
            if used + gap + size > self.width and not margin:
                lines.append(current)
                current, used, gap = rest, len(rest), 0
            current += " " * gap + "".join(self.paint(text, kind) for text, kind in word)
            used, margin = used + gap + size, False
        return "\n".join([*lines, current])


def dressed(piece: Piece) -> str:
    """The text of a piece in its brackets."""
    opens, closes = _BRACKETS.get(piece.kind, ("", ""))
    label = f"{piece.label} " if piece.label else ""
    return f"{opens}{label}{printable(piece.text)}{closes}"


def _words(line: Line) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """The words of a line: how many spaces stand before, and the pieces (text, kind) that nothing stands between."""
    spaces, word = 0, list[tuple[str, str]]()
    for piece in line:
        text = dressed(Piece(" ".join(piece.text.split("\n")), piece.kind, piece.label))
        for at, part in enumerate(text.split(" ")):
            if at and word:
                yield spaces, word
                spaces, word = 0, []
            spaces += at > 0
            if part:
                word.append((part, piece.kind))
    if word:
        yield spaces, word


def terminal() -> Terminal:
    """The terminal that standard output is; no colour if it is none, or if NO_COLOR is set."""
    seen = sys.stdout.isatty()
    colour = seen and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Terminal(colour, shutil.get_terminal_size().columns if seen else _PIPED_WIDTH)


def text(trace: Trace, out: Terminal) -> str:
    """The whole trace."""
    head = out.line((Piece(trace.id, "title"), Piece(f"  run {trace.run}")))
    legend = "[deleted] {other person} {n choice} {n* answer} ~refused~"
    return "\n".join(
        [
            head,
            out.flow((Piece(trace.ended, "strong"),)),
            out.paint(legend, "dim"),
            *(line for section in sections(trace) for line in _section(section, out)),
        ]
    )


def _section(section: Section, out: Terminal) -> Iterator[str]:
    yield ""
    yield out.paint(section.title, "title")
    for block in section.blocks:
        yield from _block(block, out)


def _block(block: Block, out: Terminal) -> Iterator[str]:
    match block:
        case Prose(line):
            yield out.flow(line, "  ", "  ")
        case Entries(entries):
            for first, *others in entries:
                yield out.flow(first, "  ", "      ")
                yield from (out.flow(line, "      ", "      ") for line in others)
        case Verbatim(lines):
            yield from (f"  {out.line(line)}" for line in lines)
        case Table(_, rows):
            yield from _table(rows, out)


def _table(rows: Iterable[Sequence[Line]], out: Terminal) -> Iterator[str]:
    """Columns of one width, the last one flowing; the heads are for the page, where there is room."""
    every = list(rows)
    plain = [["".join(map(dressed, cell)) for cell in row[:-1]] for row in every]
    widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
    for row, texts in zip(every, plain, strict=True):
        cells = [
            out.line(cell) + " " * (width - len(text))
            for cell, text, width in zip(row[:-1], texts, widths, strict=True)
        ]
        margin = 2 + sum(widths) + 2 * len(widths)
        start = f"  {'  '.join(cells)}  "
        flowed = out.flow(row[-1], " " * margin, " " * margin)
        yield (start + flowed[margin:]).rstrip()
