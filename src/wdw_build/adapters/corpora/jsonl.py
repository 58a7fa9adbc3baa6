"""Reads JSON lines: one article a line, in fields that the configuration names.

A line without an article becomes an ``Unreadable`` with the reason. Blank lines are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wdw_build.adapters.corpora.reading.base import LineFiles
from wdw_build.adapters.corpora.reading.mapping import MappedOptions, RowError, article
from wdw_build.adapters.corpora.reading.streams import too_long
from wdw_build.ports import Span
from wdw_build.records import RawArticle, Unreadable


class JsonlReader(LineFiles[MappedOptions]):
    """Reads .jsonl and .ndjson, plain or compressed."""

    name = "jsonl"
    version = 1
    suffixes = (".jsonl", ".ndjson")
    options_type = MappedOptions

    def read_span(self, file: Path, place: str, span: Span) -> Iterator[RawArticle | Unreadable]:
        """Yield an article or an ``Unreadable`` for every line that is not blank."""
        lines = self.lines(file, span)
        for number, line in lines:
            if lines.is_beyond:
                return
            where = f"{place}:{number}"
            if line is None:
                yield Unreadable(place=where, error=f"line {too_long(self.longest)}")
            elif line.strip():
                yield self._article(line, where)

    def _article(self, line: bytes, place: str) -> RawArticle | Unreadable:
        try:
            row = _object(self.text(line))
        except RowError as error:
            return Unreadable(place=place, error=str(error))
        return article(row, place, self.options)


def _object(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line.removeprefix("\ufeff"), strict=False)
    except RecursionError:
        raise RowError("bad JSON: nested too deeply") from None
    except ValueError as error:
        raise RowError(f"bad JSON: {error}") from None
    if not isinstance(record, dict):
        raise RowError("the line holds no JSON object")
    return record
