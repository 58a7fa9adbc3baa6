"""Reads rows of text: JSON objects, and tables whose fields a delimiter separates. An article is an object or a row.

The configuration names the fields or columns. A line or row without an article becomes an ``Unreadable`` with the reason,
and reading continues at the next line. Blank lines and rows are skipped. The rows of a table follow RFC 4180: a quoted
field may hold delimiters, doubled quotes and line ends.
"""

from __future__ import annotations

import ast
import contextlib
import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.adapters.corpora.reading.base import LineFiles, NonEmpty
from wdw_build.adapters.corpora.reading.mapping import Row, RowFiles, RowOptions
from wdw_build.adapters.corpora.reading.markup import AUTO
from wdw_build.adapters.corpora.reading.streams import DAMAGE, DamagedElsewhere, SpanLines, offsets, too_long
from wdw_build.errors import ConfigError
from wdw_build.ports import END, WHOLE, FileRange
from wdw_build.records import Unreadable

# ---- JSON ------------------------------------------------------------------------------------------------------------

_STRICT = msgspec.json.Decoder(dict[str, Any])
_DECODER = json.JSONDecoder(strict=False)
# Between the objects of an array or of a sequence.
_BETWEEN = re.compile(r"[\s,\[\]\x1e]*")


class JsonOptions(RowOptions, frozen=True):
    """Options of the reader ``jsonl``."""

    encoding: str = AUTO


class JsonlReader(RowFiles[JsonOptions], LineFiles[JsonOptions]):
    """Reads one object per line, or documents: objects or an array that span lines. Plain or compressed."""

    name = "jsonl"
    version = 3
    suffixes = (".jsonl", ".ndjson", ".jl", ".json")
    options_type = JsonOptions

    def choose(self, files: list[Path]) -> list[Path]:
        """All files; of a folder with lines, not the .json files beside them, which describe the lines."""
        lines = [file for file in files if ".json" not in map(str.lower, file.suffixes)]
        return lines if lines and self._path.is_dir() else files

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of about ``block_bytes``; one span for a document."""
        return [WHOLE] if self._is_document(file) else super().spans(file)

    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield every object of a span."""
        if not span.start and self._is_document(file):
            yield from self._document(file, place)
            return
        lines = self.lines(file, span)
        for number, line in lines:
            if lines.is_beyond:
                return
            if line is None:
                remedy = f"; {_remedy(file)}" if number == 1 else ""
                yield Unreadable(place=f"{place}:{number}", error=f"line {too_long(self.longest)}{remedy}")
            elif (values := self._strict(line)) is not None:
                yield Row(f"{place}:{number}", values)
            elif line.strip():
                yield from _objects(self.text(line).removeprefix("\ufeff"), place, number)

    def _strict(self, line: bytes) -> dict[str, Any] | None:
        """The object of a line in strict JSON and UTF-8, which is decoded fast; None for all other lines."""
        if self.options.encoding not in (AUTO, "utf-8"):
            return None
        try:
            return _STRICT.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def _is_document(self, file: Path) -> bool:
        """Whether an object or array of the file goes on in the next line."""
        lines = (line.strip() for _, line in self.lines(file) if line)
        try:
            first, second = next(filter(None, lines), b""), next(filter(None, lines), b"")
        except (DamagedElsewhere, *DAMAGE):
            return False
        first = first.removeprefix(b"\xef\xbb\xbf")
        if first.startswith(b"["):
            return not first.endswith((b"]", b"],"))
        return first.startswith(b"{") and (
            first.endswith((b"{", b"[")) or (first.endswith(b",") and not second.startswith(b"{"))
        )

    def _document(self, file: Path, place: str) -> Iterator[Row | Unreadable]:
        lines, size = list[str](), 0
        for _, line in self.lines(file):
            size += self.longest + 1 if line is None else len(line) + 1
            if size > self.longest:
                yield Unreadable(
                    place=place, error=f"JSON over several lines, {too_long(self.longest)}; {_remedy(file)}"
                )
                return
            lines.append(self.text(line or b""))
        yield from _objects("\n".join(lines).removeprefix("\ufeff"), place, 1)


def _remedy(file: Path) -> str:
    return f"of an array, write an object per line: jq -c '.[]' {file.name} > lines.jsonl"


def _objects(text: str, place: str, number: int) -> Iterator[Row | Unreadable]:
    """Yield the objects of a text: one, several, or an array of them, with commas or white space between.

    ``number`` is the number of the text's first line. Bad JSON is lost up to the next object that begins a line.
    """
    try:
        value: object = json.loads(text, strict=False)
    except RecursionError:
        yield Unreadable(place=f"{place}:{number}", error="bad JSON: nested too deeply")
        return
    except ValueError:
        value = [{}]  # what precedes the error is read
    if isinstance(value, dict):
        yield Row(f"{place}:{number}", value)
        return
    if not isinstance(value, list) or not any(isinstance(entry, dict) for entry in value):
        yield Unreadable(place=f"{place}:{number}", error="no JSON object")
        return
    end, in_line = 0, 0
    while (start := _end_of_match(text, end)) < len(text):
        lines = text.count("\n", end, start)
        number, in_line = number + lines, 1 if lines else in_line + 1
        where = f"{place}:{number}" if in_line == 1 else f"{place}:{number}#{in_line}"
        try:
            value, after = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            yield Unreadable(place=where, error=f"bad JSON: {error}")
            # The next object that begins a line in the same column.
            after = text.find(text[text.rfind("\n", 0, start) : start + 1], start) if "\n" in text[:start] else -1
            if after < 0:
                return
            number, end = number + text.count("\n", start, after), after
            continue
        yield Row(where, value) if isinstance(value, dict) else Unreadable(place=where, error="no JSON object")
        number, end = number + text.count("\n", start, after), after


def _end_of_match(text: str, start: int) -> int:
    match = _BETWEEN.match(text, start)
    return match.end() if match else start


# ---- tables ----------------------------------------------------------------------------------------------------------

_BY_SUFFIX = {".tsv": "\t", ".tab": "\t"}
_DELIMITERS = ",;\t|"
# The first line of a table from Excel that states the delimiter.
_STATED = re.compile(r"\"?sep=(.)\"?\s*$", re.IGNORECASE)
# A field that is null in an export of MySQL or PostgreSQL.
_NULL = re.compile(r"(?<![^,;\t|])\\N(?=[,;\t|]|$)")
# Fields that databases, Python and pandas write for null.
_NULLS = frozenset(("NULL", "None", "nan", "NaN"))


class CsvOptions(RowOptions, frozen=True):
    """Options of the reader ``csv``."""

    encoding: str = AUTO
    delimiter: str = ""
    """The character between fields; empty: a tab for .tsv and .tab, else what a line ``sep=;`` states, else the one of comma,
    semicolon, tab and bar that the first row has most of."""
    quote: str = '"'
    """The character around quoted fields; empty: fields are not quoted."""
    escape: str = ""
    """The character before a quotation mark within a quoted field, such as a backslash; empty: the mark is doubled."""
    columns: tuple[NonEmpty, ...] = ()
    """The names of the columns; empty: the first row holds them."""


def _listed(text: str) -> str | list[str]:
    """The texts of a list that pandas wrote into one field, as Python or JSON writes it; other texts as they are."""
    if text.startswith(("['", '["')) and text.endswith("]"):
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            texts = ast.literal_eval(text)
            if isinstance(texts, list) and all(isinstance(part, str) for part in texts):
                return texts
    return text


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
            raise csv.Error(f"row {too_long(self._reader.longest)}")
        text = self._reader.text(line)
        if number == 1:
            text = text.removeprefix("\ufeff")
            text = "" if _STATED.match(text) else text
        return (_NULL.sub("", text) if "\\N" in text else text) + "\n"

    def begin_row(self) -> None:
        """Start measuring the next row."""
        self._size, self._is_first = 0, True


class CsvReader(RowFiles[CsvOptions]):
    """Reads .csv, .tsv and .tab, plain or compressed."""

    name = "csv"
    version = 3
    suffixes = (".csv", ".tsv", ".tab")
    options_type = CsvOptions

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of whole rows. A large file is parsed once, because only a parser knows which line ends are quoted."""
        starts = offsets(file, self.block_bytes)
        if len(starts) == 1:
            return [WHOLE]
        cuts = [(0, 0)]
        has_header = bool(self.options.columns)
        for line, start, fields in self.fields_by_line(file, WHOLE):
            # The newline before the row starts the span.
            if len(cuts) < len(starts) and has_header and start > starts[len(cuts)]:
                cuts.append((start - 1, line - 2))
            has_header = has_header or isinstance(fields, list)
        ends = [start for start, _ in cuts[1:]] + [END]
        return [FileRange(start, end, before) for (start, before), end in zip(cuts, ends, strict=True)]

    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield every row of a span that is not blank."""
        header = list(self.options.columns)
        if span.start and not header:
            header = next(fields for _, _, fields in self.fields_by_line(file, WHOLE) if isinstance(fields, list))
        for line, start, fields in self.fields_by_line(file, span):
            if start > span.end:
                return
            where = f"{place}:{line}"
            if isinstance(fields, str):
                yield Unreadable(place=where, error=fields)
            elif not header:
                header = fields
            elif len(fields) != len(header):
                yield Unreadable(place=where, error=f"{len(fields)} fields, but {len(header)} columns")
            else:
                given = ("" if field in _NULLS else field for field in fields)
                values: dict[str, Any] = dict(zip(header, given, strict=True))
                if (text := self.options.fields.text) in values:
                    values[text] = _listed(values[text])
                yield Row(where, values)

    def fields_by_line(self, file: Path, span: FileRange) -> Iterator[tuple[int, int, list[str] | str]]:
        """Yield the rows from a span on, or error messages, with the numbers and the offsets of their first lines.

        Blank rows are skipped.
        """
        # The default limit is too low for articles. This one holds for the whole process; _Rows stops a row earlier.
        csv.field_size_limit(2 * self.longest)
        lines = _Rows(self.lines(file, span), self)
        rows = self._parser(lines, self._delimiter(file))
        while True:
            lines.begin_row()
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                remedy = "; if marks are escaped, set corpus.options.escape" if "expected after" in str(error) else ""
                yield lines.line, lines.start, f"bad row: {error}{remedy}"
            else:
                if row:
                    yield lines.line, lines.start, row

    def _delimiter(self, file: Path) -> str:
        """The delimiter of the options, else of the file's suffix, else of its first rows."""
        by_suffix = next((_BY_SUFFIX[suffix.lower()] for suffix in file.suffixes if suffix.lower() in _BY_SUFFIX), "")
        if given := self.options.delimiter or by_suffix:
            return given
        try:
            first = next((self.text(line or b"") for _, line in self.lines(file)), "").removeprefix("\ufeff")
        except (DamagedElsewhere, *DAMAGE):
            return ","
        stated = _STATED.match(first)
        return stated[1] if stated else max(_DELIMITERS, key=first.count)

    def _parser(self, lines: Iterator[str], delimiter: str) -> Iterator[list[str]]:
        try:
            if delimiter in "\r\n":
                raise ValueError("a line end cannot separate fields")
            return csv.reader(
                lines,
                delimiter=delimiter,
                quotechar=self.options.quote or None,
                escapechar=self.options.escape or None,
                strict=True,
                quoting=csv.QUOTE_MINIMAL if self.options.quote else csv.QUOTE_NONE,
            )
        except (TypeError, ValueError) as error:
            raise ConfigError(
                f"corpus.options: delimiter {delimiter!r}, quote {self.options.quote!r}, escape {self.options.escape!r}: "
                f"{error}",
                hint="Set each to one character, and all to different ones; an empty quote means no quoting.",
            ) from None
