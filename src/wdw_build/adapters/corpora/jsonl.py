"""Reads JSON lines: one article a line, in fields that the configuration names.

A line without an article becomes an ``Unreadable`` with the reason. Blank lines are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from wdw_build.adapters.corpora.reading.base import LineFiles
from wdw_build.adapters.corpora.reading.mapping import MappedOptions, article
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
                yield self._article(self.text(line), where)

    def _article(self, line: str, place: str) -> RawArticle | Unreadable:
        try:
            row = json.loads(line.removeprefix("\ufeff"), strict=False)
        except RecursionError:
            return Unreadable(place=place, error="bad JSON: nested too deeply")
        except ValueError as error:
            return Unreadable(place=place, error=f"bad JSON: {error}")
        if not isinstance(row, dict):
            return Unreadable(place=place, error="the line holds no JSON object")
        return article(row, place, self.options)
