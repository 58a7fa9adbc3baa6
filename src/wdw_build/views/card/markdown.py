"""Markdown elements. Text from articles and from the configuration is escaped, so that it never becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from wdw_build.core.progress import printable

# ASCII punctuation with a meaning in Markdown; that of HTML is escaped separately.
_MARKS = re.compile(r"([\\`*_{}\[\]#+|~$!=:@^\"])")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def plain(text: str) -> str:
    """Escape text: control characters as escape sequences, Markdown punctuation behind a backslash, HTML as entities."""
    return _MARKS.sub(r"\\\1", printable(text)).translate(_HTML)


def code(text: str) -> str:
    """Inline code with any text. Not for tables, where a pipe would end the cell."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{printable(text)}{space}{fence}"


def table(rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A table whose first row is the head; the first ``words`` columns are left-aligned, the others right-aligned."""
    ruler = [*["---"] * words, *["---:"] * (len(rows[0]) - words)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], ruler, *rows[1:]))


def bullets(lines: Iterable[str]) -> str:
    """A bulleted list."""
    return "\n".join(f"- {line}" for line in lines)


def fenced(text: str, language: str = "") -> str:
    """A code block with any text, backticks included."""
    lines = "\n".join(printable(line) for line in text.strip("\n").split("\n"))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", lines)), default=0))
    return f"{fence}{language}\n{lines}\n{fence}"
