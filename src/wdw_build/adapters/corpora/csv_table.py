"""Comma- and tab-separated tables, one article a row, with the columns' names given by the configuration.

Rows follow RFC 4180: a quoted field may hold delimiters, doubled quotes and line ends. A row that breaks the rules is
yielded as ``Unreadable``, and reading goes on at the next line.
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
    """Options of the reader ``csv``. Without ``columns`` the first row names them; ``delimiter`` goes by the suffix."""

    encoding: str = AUTO
    delimiter: str = ""
    quote: str = '"'
    columns: tuple[NonEmpty, ...] = ()


class _TooLong(Exception):
    """A row that is not held in memory."""


class _Rows:
    """Lines of text for ``csv``. An error in one does not end them, as it would end a generator."""

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
        """The number of the line that the next row begins with."""
        self._size = 0
        return self.number + 1


class CsvReader(FileCorpus[CsvOptions]):
    """Reads .csv, .tsv and .tab, plain or compressed."""

    name = "csv"
    version = 1
    suffixes = (".csv", ".tsv", ".tab")
    options_type = CsvOptions

    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield an article, or why there is none, for every row that is not blank; places name a row's first line."""
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
        """Every row that is not blank with its first line's number, or the error that stands in its place."""
        # The default is too short for an article. The bound is for all of the process; a row reaches its own before.
        csv.field_size_limit(2 * LONGEST)
        lines = _Rows(self.lines(file), self)
        rows = self._parser(lines, file)
        while True:
            begun = lines.begin_row()
            try:
                row = next(rows)
            except StopIteration:
                return
            except _TooLong:
                yield begun, f"row {too_long(LONGEST)}"
            except csv.Error as error:
                yield begun, f"bad row: {error}"
            else:
                if row:
                    yield begun, row

    def _parser(self, lines: _Rows, file: Path) -> Iterator[list[str]]:
        suffixes = [suffix.lower() for suffix in file.suffixes]
        delimiter = self.options.delimiter or next((_BY_SUFFIX[one] for one in suffixes if one in _BY_SUFFIX), ",")
        try:
            if delimiter in "\r\n":
                raise ValueError("a row ends there")
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
                hint="Each is one character, and they differ; an empty quote stands for none.",
            ) from None
