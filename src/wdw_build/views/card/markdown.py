"""Pieces of Markdown. Text of articles and of the configuration is data: nothing in it may become markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from wdw_build.core.run.progress import printable

# Every ASCII punctuation mark that can mean something somewhere in Markdown, but for those of HTML.
_MARKS = re.compile(r"([\\`*_{}\[\]#+|~$!=:@^\"])")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def plain(text: str) -> str:
    """Text that is shown as it is: control characters as escapes, marks behind a backslash, no HTML."""
    return _MARKS.sub(r"\\\1", printable(text)).translate(_HTML)


def code(text: str) -> str:
    """Text within a line, shown as it is, in the type of code; not for tables, where a pipe would end it."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{printable(text)}{space}{fence}"


def table(rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A table; the first row is its head, the first ``words`` columns to the left, the others to the right."""
    ruler = [*["---"] * words, *["---:"] * (len(rows[0]) - words)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], ruler, *rows[1:]))


def bullets(lines: Iterable[str]) -> str:
    """A list."""
    return "\n".join(f"- {line}" for line in lines)


def fenced(text: str, language: str = "") -> str:
    """A block shown as it is, whatever backticks stand in it."""
    lines = "\n".join(printable(line) for line in text.strip("\n").split("\n"))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", lines)), default=0))
    return f"{fence}{language}\n{lines}\n{fence}"
