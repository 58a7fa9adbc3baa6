"""Reads comma- and tab-separated tables: one article a row, in columns that the configuration names.

Rows follow RFC 4180: a quoted field may hold delimiters, doubled quotes and line ends. A malformed row becomes an
``Unreadable``, and reading continues at the next line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from wdw_build.adapters.corpora.reading.base import FileCorpus, NonEmpty
from wdw_build.adapters.corpora.reading.encodings import AUTO
from wdw_build.adapters.corpora.reading.mapping import MappedOptions, article
from wdw_build.adapters.corpora.reading.streams import LONGEST, Lines, too_long
from wdw_build.errors import ConfigError
from wdw_build.records import RawArticle, Unreadable

_BY_SUFFIX = {".tsv": "\t", ".tab": "\t"}


class CsvOptions(MappedOptions, frozen=True):
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
    """The lines of a file as text, for ``csv``. Unlike a generator, the iterator continues after an error."""

    def __init__(self, lines: Lines, reader: CsvReader) -> None:
        self._lines, self._reader = lines, reader
        self.number = self._size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self.number, line = next(self._lines)
        self._size += len(line or b"")
        if line is None or self._size > LONGEST:
            raise _TooLong
        text = self._reader.text(line)
        return (text.removeprefix("\ufeff") if self.number == 1 else text) + "\n"

    def begin_row(self) -> int:
        """Start measuring the next row; return the number of its first line."""
        self._size = 0
        return self.number + 1


class CsvReader(FileCorpus[CsvOptions]):
    """Reads .csv, .tsv and .tab, plain or compressed."""

    name = "csv"
    version = 1
    suffixes = (".csv", ".tsv", ".tab")
    options_type = CsvOptions

    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield an article or an ``Unreadable`` for every row that is not blank. A place names a row's first line."""
        header = list(self.options.columns)
        for number, row in self._rows(file):
            where = f"{place}:{number}"
            if isinstance(row, str):
                yield Unreadable(place=where, error=row)
            elif not header:
                header = row
            elif len(row) != len(header):
                yield Unreadable(place=where, error=f"{len(row)} fields, but {len(header)} columns")
            else:
                yield article(dict(zip(header, row, strict=True)), where, self.options)

    def _rows(self, file: Path) -> Iterator[tuple[int, list[str] | str]]:
        """Yield the number of each row's first line, and the row or an error message. Blank rows are skipped."""
        # The default limit is too low for articles. This one holds for the whole process; _Rows stops a row earlier.
        csv.field_size_limit(2 * LONGEST)
        lines = _Rows(self.lines(file), self)
        rows = self._parser(lines, file)
        while True:
            start = lines.begin_row()
            try:
                row = next(rows)
            except StopIteration:
                return
            except _TooLong:
                yield start, f"row {too_long(LONGEST)}"
            except csv.Error as error:
                yield start, f"bad row: {error}"
            else:
                if row:
                    yield start, row

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
