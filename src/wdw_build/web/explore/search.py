"""Queries of the catalogue. Values from an address are bound as parameters and never become part of the SQL text."""

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
    """The rows of one page, the number of rows in all, and the number of this page and of all pages, from 1."""

    rows: list[sqlite3.Row]
    total: int
    number: int
    pages: int


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UsageError(f"{name} must be a whole number, not {text!r}")
    return int(text)


class Catalogue:
    """A run's catalogue, opened read-only. Each query opens its own connection, so any thread may call."""

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
        """The problems that meet every filter, in the order of the stage. Every word of ``text`` must occur."""
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
        """The rejections of a stage and reason. Every word of ``text`` must occur in the id or the detail."""
        parts, values = _equal(asked, _REJECTIONS)
        for word in asked.get("text", "").split():
            parts.append("(instr(id, ?) > 0 OR instr(detail, ?) > 0)")
            values += [word, word]
        return self._page("rejections", parts, values, asked)

    def _page(self, table: str, parts: list[str], values: list[Any], asked: Mapping[str, str]) -> Page:
        # The names of tables and columns are constants of this module; requested values are bound.
        where = f" WHERE {' AND '.join(parts)}" if parts else ""
        total = int(self._all(f"SELECT count(*) FROM {table}{where}", values)[0][0])  # noqa: S608 (see above)
        pages = max(1, -(-total // PAGE))
        number = min(pages, max(1, _number("page", asked.get("page") or "1")))
        rows = self._all(
            f"SELECT * FROM {table}{where} ORDER BY number LIMIT ? OFFSET ?",  # noqa: S608 (see above)
            [*values, PAGE, (number - 1) * PAGE],
        )
        return Page(rows, total, number, pages)

    def values(self, column: str) -> list[Any]:
        """The distinct values of a column that can be filtered by."""
        if column not in _PROBLEMS - {"passage"}:
            raise KeyError(column)
        return [row[0] for row in self._all(f'SELECT DISTINCT "{column}" FROM problems ORDER BY 1', [])]  # noqa: S608 (a known column)


def _equal(asked: Mapping[str, str], names: set[str]) -> tuple[list[str], list[Any]]:
    requested = [name for name in sorted(names) if asked.get(name)]
    values: list[Any] = [_number(name, asked[name]) if name in _NUMBERS else asked[name] for name in requested]
    return [f'"{name}" = ?' for name in requested], values
