"""How pages are rendered: a Jinja environment for HTML and one for Markdown, which escape every value.

An HTML page of this package is one file that works without a network: it contains its style, and its content security policy allows
nothing else. All have one base template, one style sheet and one set of macros. The served pages of studies have a base template
and a style sheet of their own. An unknown name in a template is an error.

In a Markdown page, ``Markdown`` marks the text that is Markdown already, as the filters for code, blocks and tables return it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from wdw_build.core.progress import printable
from wdw_build.views.table import Cell, Table, text_of

_TEMPLATES = Path(__file__).parent / "templates"
# Characters that HTML forbids (control characters, lone surrogates), and marks that reverse the direction of nearby text.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def html_environment(*folders: Path) -> Environment:
    """The HTML environment for the templates in ``folders``, then the shared ones: ``base.html.j2`` and ``macros.html.j2``."""
    templates = Environment(
        loader=FileSystemLoader([*folders, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_without_forbidden,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["thousands"] = "{:,}".format
    return templates


def _without_forbidden(value: Any) -> Any:
    """The value of an expression with U+FFFD for every character that a page must not hold."""
    if isinstance(value, Markup):
        return Markup(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", value))  # noqa: S704 (it was markup before)
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", value) if isinstance(value, str) else value


# ---- Markdown --------------------------------------------------------------------------------------------------------

# ASCII punctuation with a meaning in Markdown; that of HTML is escaped separately. A plus has one only at the start of a line, a
# colon there and before a character (as in addresses).
_MARKS = re.compile(r"([\\`*_{}\[\]#|~$!=@^\"]|:(?=\S)|^[+:])")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Markdown(str):
    """Text that is Markdown, not to be escaped."""

    __slots__ = ()


def markdown_environment() -> Environment:
    """The Markdown environment for the templates of this package."""
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=False,  # noqa: S701 (``finalize`` escapes for Markdown)
        finalize=plain,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {"thousands": "{:,}".format, "code": code, "fenced": fenced, "table": table}
    return templates


def plain(value: Any) -> Markdown:
    """Escape text: control characters as escape sequences, Markdown punctuation behind a backslash, HTML as entities."""
    if isinstance(value, Markdown):
        return value
    return Markdown(_MARKS.sub(r"\\\1", printable(str(value))).translate(_HTML))


def code(text: str) -> Markdown:
    """Inline code with any text. Not for tables, where a pipe would end the cell."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return Markdown(f"{fence}{space}{printable(text)}{space}{fence}")


def fenced(text: str, language: str = "") -> Markdown:
    """A code block with any text, backticks included."""
    lines = "\n".join(printable(line) for line in text.strip("\n").split("\n"))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", lines)), default=0))
    return Markdown(f"{fence}{language}\n{lines}\n{fence}")


def table(data: Table) -> Markdown:
    """A table with figures aligned right. Groups become a second column; a cell has the columns of one common head."""
    has_groups = any(isinstance(row, str) for row in data.rows)
    lines, group = [_joined(data, data.head, heads=True)], ""
    if has_groups:
        lines[0].insert(1, "group")
    words = data.words + has_groups
    lines.append([*["---"] * words, *["---:"] * (len(lines[0]) - words)])
    for row in data.rows:
        if isinstance(row, str):
            group = plain(row)
        else:
            cells = _joined(data, row)
            lines.append([cells[0], group, *cells[1:]] if has_groups else cells)
    return Markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _joined(data: Table, row: Sequence[str | int | Cell], *, heads: bool = False) -> list[str]:
    """The escaped cells of a row, those below a common head as one cell; in the row of heads the common head precedes it."""
    cells = [_cell(value) for value in row]
    if not data.over:
        return cells
    return [
        (f"{plain(name)}: " if heads and name else "") + " / ".join(cells[at] for at in block)
        for name, block in data.blocks
    ]


def _cell(value: str | int | Cell) -> str:
    if isinstance(value, Cell) and value.kind == "code":
        return code(value.text).replace("|", "\\|")
    if isinstance(value, int):
        return f"{value:,}"
    return value if isinstance(value, Markdown) else plain(text_of(value).strip())
