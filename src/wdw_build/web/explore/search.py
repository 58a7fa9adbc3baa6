"""Questions to the catalogue: filters from an address become a query with parameters, never text of SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wdw_build.errors import UsageError

PAGE = 50
_PROBLEMS = {"split", "level", "state", "choices", "window", "cell", "passage"}
_NUMBERS = {"choices", "window"}
_REJECTIONS = {"stage", "reason"}


class Page(NamedTuple):
    """Rows of one page, how many there are in all, and the pages beside it (0: none)."""

    rows: list[sqlite3.Row]
    total: int
    number: int
    pages: int


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UsageError(f"{name} is a whole number, not {text!r}")
    return int(text)


class Catalogue:
    """Read-only; a connection for each call, so that any thread may ask."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _all(self, query: str, values: list[Any]) -> list[sqlite3.Row]:
        connection = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()

    def problems(self, asked: Mapping[str, str]) -> Page:
        """The problems that meet every filter, in the order of the stage. ``text``: every word must stand somewhere."""
        parts, values = _equal(asked, _PROBLEMS)
        for word in asked.get("text", "").casefold().split():
            parts.append("instr(words, ?) > 0")
            values.append(word)
        for name, sign in (("from", ">="), ("to", "<=")):
            if asked.get(name):
                parts.append(f"date {sign} ?")
                values.append(asked[name])
        return self._page("problems", parts, values, asked)

    def rejections(self, asked: Mapping[str, str]) -> Page:
        """The rejections of a stage and reason. ``text``: a part of the id or the detail."""
        parts, values = _equal(asked, _REJECTIONS)
        for word in asked.get("text", "").split():
            parts.append("(instr(id, ?) > 0 OR instr(detail, ?) > 0)")
            values += [word, word]
        return self._page("rejections", parts, values, asked)

    def _page(self, table: str, parts: list[str], values: list[Any], asked: Mapping[str, str]) -> Page:
        # The names are this module's own; what was asked for goes in as values.
        condition = f" WHERE {' AND '.join(parts)}" if parts else ""
        total = int(self._all(f"SELECT count(*) FROM {table}{condition}", values)[0][0])  # noqa: S608
        pages = max(1, -(-total // PAGE))
        number = min(pages, max(1, _number("page", asked.get("page") or "1")))
        rows = self._all(
            f"SELECT * FROM {table}{condition} ORDER BY number LIMIT ? OFFSET ?",  # noqa: S608
            [*values, PAGE, (number - 1) * PAGE],
        )
        return Page(rows, total, number, pages)

    def values(self, column: str) -> list[Any]:
        """The values of a column of the problems that a filter may take."""
        if column not in _PROBLEMS - {"passage"}:
            raise KeyError(column)
        return [row[0] for row in self._all(f'SELECT DISTINCT "{column}" FROM problems ORDER BY 1', [])]  # noqa: S608


def _equal(asked: Mapping[str, str], names: set[str]) -> tuple[list[str], list[Any]]:
    given = [name for name in sorted(names) if asked.get(name)]
    values: list[Any] = [_number(name, asked[name]) if name in _NUMBERS else asked[name] for name in given]
    return [f'"{name}" = ?' for name in given], values
