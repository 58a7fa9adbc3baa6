"""Makes articles of rows with named fields, by the mapping ``corpus.options.fields``.

The place of an article without an id becomes its id. ``ingest`` decides what a date or a kind means.
"""

from __future__ import annotations

import datetime as dt
import functools
import importlib.util
import itertools
import math
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from wdw_build.adapters.corpora.reading.base import FileCorpus, NonEmpty, OptionGroup, ReaderOptions
from wdw_build.adapters.corpora.reading.markup import AUTO, decode, tidy
from wdw_build.adapters.corpora.reading.streams import LONGEST, too_long
from wdw_build.core.hashing import file_sha256
from wdw_build.errors import ConfigError
from wdw_build.ports import WHOLE, FileRange
from wdw_build.records import RawArticle, Unreadable

NAME = "row"


class RowFunction:
    """The function ``row`` of a Python file, which gets a row as a dictionary and returns it changed.

    The file is executed. Raises ``ConfigError`` if it does not exist, fails, or has no such function.
    """

    def __init__(self, path: Path) -> None:
        self.sha256 = _hash(path)
        spec = importlib.util.spec_from_file_location("wdw_build_row_function", path)
        if spec is None or spec.loader is None:
            raise ConfigError(
                f"corpus.options.row_function: {path} is not a Python file", hint="name a file that ends in .py"
            )
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
            self._function = getattr(module, NAME)
        except Exception as error:
            raise ConfigError(
                f"corpus.options.row_function: {path} gives no function {NAME}: {type(error).__name__}: {error}",
                hint=f"define {NAME}(values), which returns a dictionary",
            ) from error

    def __call__(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The changed row. Raises ``ValueError`` that says what the function raised or returned instead."""
        try:
            changed = self._function(dict(values))
        except Exception as error:
            raise ValueError(f"row_function raised {type(error).__name__}: {error}"[:400]) from error
        if not isinstance(changed, Mapping):
            raise ValueError(f"row_function returned {type(changed).__name__} instead of a dictionary")
        return changed


def _hash(path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError as error:
        raise ConfigError(
            f"corpus.options.row_function: cannot read {path}: {error.strerror}",
            hint="the path is relative to the folder of the corpus",
        ) from error


_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MISSING = object()


class FieldNames(OptionGroup, frozen=True):
    """The name of each field in the corpus; a dot separates the names of nested fields."""

    id: NonEmpty = "id"
    """If the field is missing, the id is the place, such as ``file.jsonl:17``."""
    date: NonEmpty = "date"
    """Required; a number is read as text, such as ``20030401``."""
    source: NonEmpty = "source"
    """If the field is missing, the source is empty."""
    kind: NonEmpty = "kind"
    """If the field is missing, the kind is ``story``."""
    title: NonEmpty = "title"
    """If the field is missing, ``headline`` is read, or else the title is empty."""
    text: NonEmpty = "text"
    """Required; a text, or a list of texts that each are a paragraph."""


class MappedOptions(ReaderOptions, frozen=True):
    """Options of the readers of rows."""

    fields: FieldNames = FieldNames()
    """The names of the fields."""
    paragraph_separator: NonEmpty = "\n\n"
    """The separator of paragraphs. In a text without it, every line is a paragraph."""


class RowOptions(MappedOptions, frozen=True):
    """Options of the readers of files of rows."""

    row_function: str = ""
    """A Python file, relative to the folder of the corpus. Its function ``row`` gets each row as a dictionary, and returns
    it changed, before the fields are read. The file is executed."""


class Row(NamedTuple):
    """A row of a table or an object of JSON, with its place."""

    place: str
    values: Mapping[str, Any]


RowT = TypeVar("RowT", bound=RowOptions)


class RowFiles(FileCorpus[RowT]):
    """A reader of files with an article in each row; a subclass implements ``rows``."""

    @abstractmethod
    def rows(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """Yield the rows of a span of a file, and an ``Unreadable`` for each place that holds no row."""

    def read_span(self, file: Path, place: str, span: FileRange) -> Iterator[RawArticle | Unreadable]:
        """Yield an article or an ``Unreadable`` for every row. A place names a row's first line."""
        for row in self.rows(file, place, span):
            yield row if isinstance(row, Unreadable) else self._article(row)

    def _article(self, row: Row) -> RawArticle | Unreadable:
        try:
            values = self.row_function(row.values) if self.row_function else row.values
        except ValueError as error:
            return Unreadable(place=row.place, error=tidy(str(error)))
        return article(values, row.place, self.options)

    @functools.cached_property
    def row_function(self) -> RowFunction | None:
        """The user's function; None without the option."""
        name = self.options.row_function
        return RowFunction(self.root / name) if name else None

    @property
    def identity(self) -> str:
        """See ``FileCorpus.identity``; with the hash of the user's function."""
        own = f"; row function {self.row_function.sha256}" if self.row_function else ""
        return f"{super().identity}{own}"

    def first_rows(self, count: int) -> list[Mapping[str, Any]]:
        """The first rows of the corpus, to find out which fields there are."""
        rows = (row for file in self.files for row in self.rows(file, self.place(file), WHOLE))
        return [row.values for row in itertools.islice(rows, count) if isinstance(row, Row)]


class _RowError(ValueError):
    """The row holds no article; the message says why."""


def article(row: Mapping[str, Any], place: str, options: MappedOptions) -> RawArticle | Unreadable:
    """The article in a row, or an ``Unreadable`` that says why there is none."""
    fields = options.fields
    try:
        return RawArticle(
            place=place,
            id=_text(row, fields.id, default=place),
            date=_text(row, fields.date),
            source=_text(row, fields.source, default=""),
            kind=_text(row, fields.kind, default="story"),
            title=_text(row, fields.title, default="")
            or (_text(row, "headline", default="") if fields.title == "title" else ""),
            dateline="",
            paragraphs=_paragraphs(row, options),
        )
    except _RowError as error:
        # The name of a field may contain surrogates, which no output can hold.
        return Unreadable(place=place, error=tidy(str(error)))


def columns(fields: FieldNames, available: Iterable[str]) -> list[str]:
    """The columns of a table that hold the fields: the column of a field's name, or of the part before its first dot."""
    names = {getattr(fields, name) for name in fields.__struct_fields__}
    if fields.title == "title":
        names.add("headline")
    existing = set(available)
    return sorted({name if name in existing else name.partition(".")[0] for name in names} & existing)


def _paragraphs(row: Mapping[str, Any], options: MappedOptions) -> tuple[str, ...]:
    name = options.fields.text
    text = _find(row, name)
    if text is _MISSING or text is None:
        raise _RowError(_missing(row, name))
    if isinstance(text, bytes):
        text = decode(text, AUTO)
    if isinstance(text, str):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        separator = options.paragraph_separator
        pieces = _BLANK_LINE.split(text) if separator == "\n\n" else text.split(separator)
        pieces = pieces if len(pieces) > 1 else text.split("\n")
    elif isinstance(text, list) and all(isinstance(piece, str) for piece in text):
        pieces = text
    else:
        raise _RowError(f"field {name!r} is neither a text nor a list of texts")
    if sum(map(len, pieces)) > LONGEST:
        raise _RowError(f"field {name!r} is {too_long()}")
    return tuple(filter(None, map(tidy, pieces)))


def _find(row: Mapping[str, Any], name: str) -> object:
    """The value under a field's whole name or along its dotted path; a list on the path gives a list of values."""
    if name in row:
        return row[name]
    value: object = row
    for part in name.split("."):
        if isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
            value = [entry[part] for entry in value if part in entry]
        elif isinstance(value, Mapping) and part in value:
            value = value[part]
        else:
            return _MISSING
    return value


def _text(row: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """A field as one line of text, or the default if it is absent, null or empty. Raises ``_RowError`` without either."""
    value = _find(row, name)
    if value is _MISSING or value is None:
        value = ""
    if isinstance(value, bytes):
        value = decode(value, AUTO)
    if isinstance(value, dt.date):  # includes datetime
        value = value.isoformat()
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _RowError(f"field {name!r} is not a text")
    if isinstance(value, float) and not math.isfinite(value):
        raise _RowError(f"field {name!r} is {value}, which is neither a text nor a number")
    text = tidy(str(value))
    if not text and default is None:
        raise _RowError(_missing(row, name))
    return text or default or ""


def _missing(row: Mapping[str, Any], name: str) -> str:
    """The message for a field that is empty, or that does not exist; the latter names the fields that exist."""
    if _find(row, name) is not _MISSING:
        return f"no field {name!r}: it is empty"
    return f"no field {name!r} among {', '.join(sorted(map(str, row))[:20])}"[:400]
