"""Reads rows of text: JSON objects, and tables whose fields a delimiter separates. An article is an object or a row.

The configuration names the fields or columns. A line or row without an article becomes an ``Unreadable`` with the reason,
and reading continues at the next line. Blank lines and rows are skipped. The rows of a table follow RFC 4180: a quoted
field may hold delimiters, doubled quotes and line ends.
"""

from __future__ import annotations

import ast
import contextlib
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from wdw_build.adapters.corpora.reading.archives import ARCHIVES, is_archive
from wdw_build.adapters.corpora.reading.base import LineFiles, NonEmpty, note_on_files
from wdw_build.adapters.corpora.reading.mapping import Row, RowFiles, RowOptions
from wdw_build.adapters.corpora.reading.markup import AUTO
from wdw_build.adapters.corpora.reading.streams import DAMAGE, SpanLines, offsets, too_long
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
    version = 4
    suffixes = (".jsonl", ".ndjson", ".jl", ".json")
    archives = ARCHIVES
    options_type = JsonOptions

    def choose(self, files: list[Path]) -> list[Path]:
        """All files; not .json files beside files of lines in a folder or an archive, which describe the lines."""
        documents = {file for file in files if ".json" in map(str.lower, file.suffixes)}
        has_lines = any(file not in documents and not is_archive(file) for file in files)
        return [file for file in files if file not in documents] if has_lines and self._path.exists() else files

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of about ``block_bytes``; one span for a document."""
        with contextlib.closing(self.lines(file)) as lines:
            is_document = _is_document(lines)
        return [WHOLE] if is_document else super().spans(file)

    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield every object of a span."""
        for where, lines in self.pieces(file, place, span):
            yield from self._objects(lines, where, may_be_document=not span.start)

    def _objects(self, lines: SpanLines, place: str, *, may_be_document: bool) -> Iterator[Row | Unreadable]:
        if may_be_document and _is_document(lines):
            yield from self._document(lines, place)
            return
        for number, line in lines:
            if lines.is_beyond:
                return
            if line is None:
                remedy = f"; {_remedy(place)}" if number == 1 else ""
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

    def _document(self, lines: SpanLines, place: str) -> Iterator[Row | Unreadable]:
        document = lines.whole()
        if document is None:
            yield Unreadable(place=place, error=f"JSON over several lines, {too_long(self.longest)}; {_remedy(place)}")
            return
        text = "\n".join(map(self.text, document.split(b"\n")))
        yield from _objects(text.removeprefix("\ufeff"), place, 1)


def _is_document(lines: SpanLines) -> bool:
    """Whether an object or array of a file goes on in the next line."""
    first, second = [*filter(None, map(bytes.strip, lines.ahead(2))), b"", b""][:2]
    first = first.removeprefix(b"\xef\xbb\xbf")
    if first.startswith(b"["):
        return not first.endswith((b"]", b"],"))
    return first.startswith(b"{") and (
        first.endswith((b"{", b"[")) or (first.endswith(b",") and not second.startswith(b"{"))
    )


def _remedy(place: str) -> str:
    of_array = f"of an array, write an object per line: jq -c '.[]' {Path(place).name} > lines.jsonl"
    return f"{of_array}; of a table of pandas, see docs/howto/your-format.md"


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
# Rows and bytes that show the delimiter and the header; characters that a name of a column has at most, and that a note shows.
_HEAD_ROWS, _HEAD_BYTES, _LONGEST_NAME, _SHOWN = 50, 1 << 20, 80, 60
# Fields that databases, Python and pandas write for null.
_NULLS = frozenset(("NULL", "None", "nan", "NaN"))


class CsvOptions(RowOptions, frozen=True):
    """Options of the reader ``csv``."""

    encoding: str = AUTO
    delimiter: str = ""
    """The character between fields; empty: a tab for .tsv and .tab, else what a line ``sep=;`` states, else the one of comma,
    semicolon, tab and bar that cuts most of the first rows into equally many fields."""
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


# Rows with the numbers of their first lines.
_NumberedRows = list[tuple[int, list[str]]]


class _Head(NamedTuple):
    """What the first rows of a file show."""

    delimiter: str
    columns: list[str]
    """The names of the columns. Those of the same name are NAME, NAME.1, NAME.2, as in pandas."""
    line: int = 0
    """The line where the header begins; 0 if there is none."""
    skipped: str = ""
    """The first row before the header; empty if there is none."""
    repeated: str = ""
    """The first name that several columns have."""


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
    version = 4
    suffixes = (".csv", ".tsv", ".tab")
    archives = ARCHIVES
    options_type = CsvOptions

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of whole rows. A large file is parsed once, because only a parser knows which line ends are quoted."""
        starts = offsets(file, self.block_bytes)
        if len(starts) == 1:
            return [WHOLE]
        cuts, lines = [(0, 0)], self.lines(file)
        head = self._head(lines, file.name)
        for line, start, _ in self._parsed(lines, head.delimiter):
            # The newline before the row starts the span.
            if len(cuts) < len(starts) and line > head.line and start > starts[len(cuts)]:
                cuts.append((start - 1, line - 2))
        ends = [start for start, _ in cuts[1:]] + [END]
        return [FileRange(start, end, before) for (start, before), end in zip(cuts, ends, strict=True)]

    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield every row of a span that is not blank."""
        for where, lines in self.pieces(file, place, span):
            if span.start:
                with contextlib.closing(self.lines(file)) as beginning:
                    head = self._head(beginning, where)
            else:
                head = self._head(lines, where)
            yield from self._rows(lines, where, head, span.end)

    def _rows(self, lines: SpanLines, place: str, head: _Head, end: int) -> Iterator[Row | Unreadable]:
        for line, start, fields in self._parsed(lines, head.delimiter):
            if start > end:
                return
            where = f"{place}:{line}"
            if isinstance(fields, str):
                yield Unreadable(place=where, error=fields)
            elif line <= head.line:
                continue
            elif len(fields) != len(head.columns):
                yield Unreadable(place=where, error=f"{len(fields)} fields, but {len(head.columns)} columns")
            else:
                cells = ("" if field in _NULLS else field for field in fields)
                values: dict[str, Any] = dict(zip(head.columns, cells, strict=True))
                if isinstance(text := self.options.fields.text, str) and text in values:
                    values[text] = _listed(values[text])
                yield Row(where, values)

    def numbered_rows(self, file: Path) -> Iterator[tuple[int, list[str] | str]]:
        """Yield the header and the rows of a file, or error messages, with the numbers of their lines."""
        with contextlib.closing(self.lines(file)) as lines:
            head = self._head(lines, file.name)
            yield from ((line, fields) for line, _, fields in self._parsed(lines, head.delimiter) if line >= head.line)

    def file_notes(self) -> list[str]:
        """See ``FileCorpus.file_notes``; also of rows before the header, and of names that several columns have."""
        heads = list(self._heads())
        skipped = [
            f"{place}: {head.skipped[:_SHOWN]!r}; the header is line {head.line}"
            for place, head in heads
            if head.skipped
        ]
        repeated = [
            f"{place}: {name!r} is the first of them, and {name + '.1'!r} the second"
            for place, head in heads
            if (name := head.repeated)
        ]
        return [
            *super().file_notes(),
            *note_on_files(skipped, len(heads), "have lines before the header, which are not read"),
            *note_on_files(repeated, len(heads), "have several columns of one name"),
        ]

    def _heads(self) -> Iterator[tuple[str, _Head]]:
        """The place and the head of each file, and of each member of an archive, that can be read."""
        for file in () if self.options.columns else self.files:
            with contextlib.suppress(*DAMAGE):
                for place, lines in self.pieces(file, self.place(file)):
                    with contextlib.closing(lines):
                        yield place, self._head(lines, place)

    def _head(self, lines: SpanLines, place: str) -> _Head:
        """The delimiter and the columns of a file, of which nothing was read yet."""
        ahead = lines.ahead(_HEAD_ROWS, _HEAD_BYTES)
        stated = _STATED.match(self.text(ahead[0]).removeprefix("\ufeff")) if ahead else None
        suffixes = map(str.lower, Path(place).suffixes)
        known = self.options.delimiter or next((_BY_SUFFIX[suffix] for suffix in suffixes if suffix in _BY_SUFFIX), "")
        known = known or (stated[1] if stated else "")
        tables = {delimiter: self._first_rows(ahead, delimiter) for delimiter in ([known] if known else _DELIMITERS)}
        # Of equals, the first.
        delimiter = max(tables, key=lambda delimiter: _fit(tables[delimiter]))
        rows = tables[delimiter]
        if self.options.columns or not rows:
            return _Head(delimiter, list(self.options.columns))
        number = _header_at(rows)
        line, header = rows[number]
        skipped = delimiter.join(rows[0][1]).strip(f" {delimiter}") if number else ""
        repeated = next((name for name, count in Counter(filter(None, header)).items() if count > 1), "")
        return _Head(delimiter, _distinct(header), line, skipped, repeated)

    def _first_rows(self, ahead: list[bytes], delimiter: str) -> _NumberedRows:
        """The rows of the first lines, without errors, with the numbers of their lines."""
        lines = SpanLines(io.BytesIO(b"".join(line + b"\n" for line in ahead)), WHOLE, self.longest)
        return [(line, fields) for line, _, fields in self._parsed(lines, delimiter) if isinstance(fields, list)]

    def _parsed(self, source: SpanLines, delimiter: str) -> Iterator[tuple[int, int, list[str] | str]]:
        """Yield the rows of a span, or error messages, with the numbers and the offsets of their first lines.

        Blank rows are skipped.
        """
        # The default limit is too low for articles. This one holds for the whole process; _Rows stops a row earlier.
        csv.field_size_limit(2 * self.longest)
        lines = _Rows(source, self)
        rows = self._parser(lines, delimiter)
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


def _fit(rows: _NumberedRows) -> tuple[bool, float]:
    """How well a delimiter fits: whether the first row is the header of most rows, and how many fields they have."""
    if not rows:
        return False, 0
    number = _header_at(rows)
    widths = [len(row) for _, row in rows[number:]]
    share = widths.count(widths[0]) / len(widths)
    return number == 0 and widths[0] > 1 and share > 1 / 2, share * (widths[0] - 1)


def _header_at(rows: _NumberedRows) -> int:
    """The number of the row that is the header: the first one, but for lines before it, such as "Exported 2024-01-01"."""
    widths = Counter(len(row) for _, row in rows if len(row) > 1)
    count, width = max(((count, width) for width, count in widths.items()), default=(0, 0))
    for number, (_, row) in enumerate(rows):
        filled = sum(bool(field.strip()) for field in row)
        if 2 * filled < width or (len(row) < width and 2 * filled <= width):
            continue
        # Other rows, and most of them, must be as wide as the header; else the text is not quoted, and the first row is the header.
        is_usual = count > 1 and 2 * count > len(rows) - number
        return number if len(row) == width and is_usual and max(map(len, row)) <= _LONGEST_NAME else 0
    return 0


def _distinct(names: list[str]) -> list[str]:
    """The names, with a number after each that repeats an earlier one."""
    distinct = list[str]()
    for name in names:
        numbered, number = name, 0
        while name and numbered in distinct:
            number += 1
            numbered = f"{name}.{number}"
        distinct.append(numbered)
    return distinct
