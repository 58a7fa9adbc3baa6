"""Reads rows of text: JSON lines, and comma- and tab-separated tables. An article is a line or a row.

The configuration names the fields or columns. A line or row without an article becomes an ``Unreadable`` with the reason,
and reading continues at the next line. Blank lines and rows are skipped. The rows of a table follow RFC 4180: a quoted
field may hold delimiters, doubled quotes and line ends.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from wdw_build.adapters.corpora.reading.base import LineFiles, NonEmpty
from wdw_build.adapters.corpora.reading.mapping import Row, RowFiles, RowOptions
from wdw_build.adapters.corpora.reading.markup import AUTO
from wdw_build.adapters.corpora.reading.streams import SpanLines, offsets, too_long
from wdw_build.errors import ConfigError
from wdw_build.ports import END, WHOLE, FileRange
from wdw_build.records import Unreadable

_BY_SUFFIX = {".tsv": "\t", ".tab": "\t"}


class JsonlReader(RowFiles[RowOptions], LineFiles[RowOptions]):
    """Reads .jsonl and .ndjson, plain or compressed."""

    name = "jsonl"
    version = 2
    suffixes = (".jsonl", ".ndjson")
    options_type = RowOptions

    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield the object of every line that is not blank."""
        lines = self.lines(file, span)
        for number, line in lines:
            if lines.is_beyond:
                return
            where = f"{place}:{number}"
            if line is None:
                yield Unreadable(place=where, error=f"line {too_long(self.longest)}")
            elif line.strip():
                yield self._row(self.text(line), where)

    def _row(self, line: str, place: str) -> Row | Unreadable:
        try:
            row = json.loads(line.removeprefix("\ufeff"), strict=False)
        except RecursionError:
            return Unreadable(place=place, error="bad JSON: nested too deeply")
        except ValueError as error:
            return Unreadable(place=place, error=f"bad JSON: {error}")
        if not isinstance(row, dict):
            return Unreadable(place=place, error="the line holds no JSON object")
        return Row(place, row)


# ---- comma- and tab-separated tables ---------------------------------------------------------------------------------


class CsvOptions(RowOptions, frozen=True):
    """Options of the reader ``csv``."""

    encoding: str = AUTO
    delimiter: str = ""
    """The character between fields; empty: a tab for .tsv and .tab, a comma for .csv."""
    quote: str = '"'
    """The character around quoted fields; empty: fields are not quoted."""
    columns: tuple[NonEmpty, ...] = ()
    """The names of the columns; empty: the first row holds them."""


class _TooLong(Exception):
    """The row is too long to read."""


class _Rows:
    """The lines of a file as text, for ``csv``. Unlike a generator, the iterator continues after an error.

    ``line`` and ``start`` are the number and the offset of the current row's first line.
    """

    def __init__(self, lines: SpanLines, reader: CsvReader) -> None:
        self._source, self._lines, self._reader = lines, iter(lines), reader
        self.line = self.start = self._size = 0
        self._is_first = True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        number, line = next(self._lines)
        if self._is_first:
            self.line, self.start, self._is_first = number, self._source.start, False
        self._size += len(line or b"")
        if line is None or self._size > self._reader.longest:
            raise _TooLong
        text = self._reader.text(line)
        return (text.removeprefix("\ufeff") if number == 1 else text) + "\n"

    def begin_row(self) -> None:
        """Start measuring the next row."""
        self._size, self._is_first = 0, True


class _Line(NamedTuple):
    """A row or an error message, with the number and the offset of its first line."""

    line: int
    start: int
    fields: list[str] | str


class CsvReader(RowFiles[CsvOptions]):
    """Reads .csv, .tsv and .tab, plain or compressed."""

    name = "csv"
    version = 1
    suffixes = (".csv", ".tsv", ".tab")
    options_type = CsvOptions

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of whole rows. A large file is parsed once, because only a parser knows which line ends are quoted."""
        starts = offsets(file, self.block_bytes)
        if len(starts) == 1:
            return [WHOLE]
        cuts = [(0, 0)]
        has_header = bool(self.options.columns)
        for row in self._lines_of(file, WHOLE):
            # The newline before the row starts the span.
            if len(cuts) < len(starts) and has_header and row.start > starts[len(cuts)]:
                cuts.append((row.start - 1, row.line - 2))
            has_header = has_header or isinstance(row.fields, list)
        ends = [start for start, _ in cuts[1:]] + [END]
        return [FileRange(start, end, before) for (start, before), end in zip(cuts, ends, strict=True)]

    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield every row of a span that is not blank."""
        header = list(self.options.columns)
        if span.start and not header:
            header = next(row.fields for row in self._lines_of(file, WHOLE) if isinstance(row.fields, list))
        for row in self._lines_of(file, span):
            if row.start > span.end:
                return
            where = f"{place}:{row.line}"
            if isinstance(row.fields, str):
                yield Unreadable(place=where, error=row.fields)
            elif not header:
                header = row.fields
            elif len(row.fields) != len(header):
                yield Unreadable(place=where, error=f"{len(row.fields)} fields, but {len(header)} columns")
            else:
                yield Row(where, dict(zip(header, row.fields, strict=True)))

    def _lines_of(self, file: Path, span: FileRange) -> Iterator[_Line]:
        """Yield the rows from a span on, or error messages. Blank rows are skipped."""
        # The default limit is too low for articles. This one holds for the whole process; _Rows stops a row earlier.
        csv.field_size_limit(2 * self.longest)
        lines = _Rows(self.lines(file, span), self)
        rows = self._parser(lines, file)
        while True:
            lines.begin_row()
            try:
                row = next(rows)
            except StopIteration:
                return
            except _TooLong:
                yield _Line(lines.line, lines.start, f"row {too_long(self.longest)}")
            except csv.Error as error:
                yield _Line(lines.line, lines.start, f"bad row: {error}")
            else:
                if row:
                    yield _Line(lines.line, lines.start, row)

    def _parser(self, lines: _Rows, file: Path) -> Iterator[list[str]]:
        suffixes = [suffix.lower() for suffix in file.suffixes]
        delimiter = self.options.delimiter or next(
            (_BY_SUFFIX[suffix] for suffix in suffixes if suffix in _BY_SUFFIX), ","
        )
        try:
            if delimiter in "\r\n":
                raise ValueError("a line end cannot separate fields")
            return csv.reader(
                lines,
                delimiter=delimiter,
                quotechar=self.options.quote or None,
                strict=True,
                quoting=csv.QUOTE_MINIMAL if self.options.quote else csv.QUOTE_NONE,
            )
        except (TypeError, ValueError) as error:
            raise ConfigError(
                f"corpus.options: delimiter {delimiter!r}, quote {self.options.quote!r}: {error}",
                hint="Set each to one character, and not both to the same; an empty quote means no quoting.",
            ) from None
