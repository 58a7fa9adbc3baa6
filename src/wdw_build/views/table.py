"""A table as a value, how a terminal shows it, its form for papers (LaTeX, booktabs), and the bands that its rows count.

``pages.py`` shows a table in Markdown, and the macro ``table`` of ``templates/macros.html.j2`` in HTML. Cells are plain
text: each of the three escapes them in its own way.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from wdw_build.core.progress import printable


class Cell(NamedTuple):
    """The text of a cell with more than the text alone."""

    text: str
    kind: str = ""
    """``code`` for ids and hashes, ``name`` for names of systems (HTML shows them as code, too), or ``strong`` (in HTML)."""


Row = Sequence[str | int | Cell]


class Table(NamedTuple):
    """Rows below a head; a row that is a text heads the group of rows that follow it."""

    head: Sequence[str]
    rows: Sequence[Row | str]
    words: int = 1
    """Columns from the left that hold words; the others hold figures."""
    over: Sequence[str] = ()
    """For each column a common head of adjacent columns, above ``head``; empty for the first column, which has none."""

    @property
    def blocks(self) -> list[tuple[str, list[int]]]:
        """(common head, its columns), from the left."""
        places = groupby(range(len(self.over)), key=lambda at: self.over[at])
        return [(name, list(columns)) for name, columns in places]


def text_of(cell: str | int | Cell) -> str:
    """The text of a cell; whole numbers have no thousands separators."""
    return cell.text if isinstance(cell, Cell) else str(cell)


def terminal(table: Table) -> str:
    """The table in columns of text. Below the name of a group, which is in brackets, rows are indented."""
    rows, indent = [list(table.head)], ""
    for row in table.rows:
        if isinstance(row, str):
            rows.append([f"[{row}]", *[""] * (len(table.head) - 1)])
            indent = "  "
        else:
            name, *cells = map(text_of, row)
            rows.append([indent + name, *cells])
    rows = [list(map(printable, row)) for row in rows]
    return columns(_joined(table, rows)) if table.over else columns(rows, table.words)


def _joined(table: Table, rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows with one cell for the columns of each common head, and the common heads above them."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(table.head))]
    joined = [
        [row[0], *(" ".join(row[at].rjust(widths[at]) for at in block) for _, block in table.blocks[1:])]
        for row in rows
    ]
    return [[printable(name) for name, _ in table.blocks], *joined]


def columns(rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """Rows in columns; the first ``words`` columns are aligned left, the others right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if words == len(widths):
        widths[-1] = 0
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


# ---- LaTeX -----------------------------------------------------------------------------------------------------------

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"}
_MARKS = re.compile("|".join(map(re.escape, _LATEX)))


def latex(table: Table) -> str:
    """The table as a ``tabular`` with the rules of the package booktabs. Each group has a row with its name."""
    columns = len(table.head)
    lines = [rf"\begin{{tabular}}{{{'l' * table.words}{'r' * (columns - table.words)}}}", r"\toprule", *_over(table)]
    lines += [_line([escaped(head) for head in table.head]), r"\midrule"]
    for row in table.rows:
        if isinstance(row, str):
            lines += [rf"\multicolumn{{{columns}}}{{l}}{{\textit{{{escaped(row)}}}}} \\"]
        else:
            lines += [_line([escaped(text_of(cell).strip()) for cell in row])]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _over(table: Table) -> list[str]:
    """The line of common heads, with a rule below each; none without common heads."""
    if not table.over:
        return []
    cells = [rf"\multicolumn{{{len(block)}}}{{c}}{{{escaped(name)}}}" for name, block in table.blocks]
    rules = [rf"\cmidrule(lr){{{block[0] + 1}-{block[-1] + 1}}}" for name, block in table.blocks if name]
    return [_line(cells), " ".join(rules)]


def _line(cells: Sequence[str]) -> str:
    # A bracket after a line break would be its optional argument.
    return " & ".join(f"{{}}{cell}" if cell.startswith("[") else cell for cell in cells) + r" \\"


def escaped(text: str) -> str:
    """Text with the characters that LaTeX reads as commands escaped."""
    return _MARKS.sub(lambda match: _LATEX[match[0]], printable(text))


# ---- bands -----------------------------------------------------------------------------------------------------------

# Bands of whole numbers show both tails of a distribution however far apart they are. Numbers below 10 are counted singly; from
# 10 on, a band is a fifth to a half as wide as its lower bound (10, 15, 20, 25, 30, 40, 50, 60, 80, 100, …), and the last one has
# no end. The bands do not depend on the numbers, so that runs can be compared.
_LAST = 10_000
# Lower bounds; those of negative numbers mirror those of positive ones.
_POSITIVE = [*range(10), *(step * ten for ten in (1, 10, 100) for step in (10, 15, 20, 25, 30, 40, 50, 60, 80)), _LAST]
_BOUNDS = [*(1 - bound for bound in reversed(_POSITIVE[2:])), *_POSITIVE]


def in_bands(counts: Mapping[int, Mapping[str, int]]) -> dict[str, Counter[str]]:
    """Name of a band -> counts of its numbers by split, from the lowest band to the highest, with the empty ones between."""
    bands: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for number, by_split in counts.items():
        bands[bisect_right(_BOUNDS, number)].update(by_split)
    return {_name(band): bands[band] for band in range(min(bands, default=0), max(bands, default=-1) + 1)}


def _name(band: int) -> str:
    """The name of the band above so many bounds, such as ``7``, ``10 to 14`` or ``10,000 or more``."""
    if band == 0:
        return f"{_BOUNDS[0] - 1:,} or less"
    if band == len(_BOUNDS):
        return f"{_BOUNDS[-1]:,} or more"
    low, high = _BOUNDS[band - 1], _BOUNDS[band] - 1
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
