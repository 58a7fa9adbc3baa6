"""Tables for other programs: CSV (RFC 4180) and LaTeX (booktabs)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from wdw_build.core.progress import printable
from wdw_build.views.table import Table, text_of

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


def csv_text(table: Table) -> str:
    """The table as CSV: a line of heads, and the group of each row in a column of its own if there are groups."""
    has_groups = any(isinstance(row, str) for row in table.rows)
    stream, group = io.StringIO(), ""
    writer = csv.writer(stream, lineterminator="\n")
    heads = [
        f"{over} {head}".strip() for over, head in zip(table.over or [""] * len(table.head), table.head, strict=True)
    ]
    writer.writerow(["group", *heads] if has_groups else heads)
    for row in table.rows:
        if isinstance(row, str):
            group = row
        else:
            cells = [printable(text_of(cell)).strip() for cell in row]
            writer.writerow([group, *cells] if has_groups else cells)
    return stream.getvalue().rstrip("\n")


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
    return _MARKS.sub(lambda found: _LATEX[found[0]], printable(text))
