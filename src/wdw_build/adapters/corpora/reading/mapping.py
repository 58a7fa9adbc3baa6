"""Makes articles of rows with named fields, by the mapping ``corpus.options.fields``.

The place of an article without an id becomes its id. ``ingest`` decides what a date or a kind means.
"""

from __future__ import annotations

import datetime as dt
import functools
import itertools
import math
import re
import runpy
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar
from urllib.parse import unquote

import msgspec

from wdw_build.adapters.corpora.reading.archives import is_archive
from wdw_build.adapters.corpora.reading.base import FileCorpus, NonEmpty, OptionGroup, ReaderOptions
from wdw_build.adapters.corpora.reading.markup import AUTO, decode, host_of, tidy
from wdw_build.adapters.corpora.reading.streams import DAMAGE, LONGEST, open_bytes, too_long
from wdw_build.core.hashing import digest, file_sha256
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.ports import WHOLE, FileRange
from wdw_build.records import RawArticle, Unreadable

NAME = "row"


class RowFunction:
    """The function ``row`` of a Python file, which gets a row as a dictionary and returns it changed.

    The file is executed. Raises ``MissingResourceError`` if it cannot be read, ``ConfigError`` if it fails or has no such function.
    """

    def __init__(self, path: Path) -> None:
        key = "corpus.options.row_function"
        try:
            self.sha256 = file_sha256(path)
            self._function = runpy.run_path(str(path))[NAME]
        except OSError as error:
            hint = "the path is relative to the folder of the corpus"
            raise MissingResourceError(f"{key}: cannot read {path}: {error.strerror}", hint=hint) from error
        except Exception as error:
            raise ConfigError(
                f"{key}: {path} gives no function {NAME}: {type(error).__name__}: {error}",
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


_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MISSING = object()
# A part of a dotted name, and a condition for the objects of its list: contents[type=paragraph].content
_PART = re.compile(r"([^.\[]+)(?:\[([^=\]]+)=([^\]]*)\])?")


class Folder(OptionGroup, frozen=True):
    """A field that the folders of a file hold."""

    folder: NonEmpty
    """The key of a folder named ``key=value``, or the number of the folder below the corpus."""


Field = NonEmpty | Folder


class Beside(OptionGroup, frozen=True):
    """A field that is a file in the folder of the row's file."""

    file: Annotated[str, msgspec.Meta(pattern=r"^[^/\\]+$")]
    """The file's name, such as ``doc.txt``; ``*`` stands for the name of the row's file up to its first dot."""

    def path(self, file: Path) -> Path:
        """The file with the field of a row of ``file``."""
        return file.with_name(self.file.replace("*", file.name.partition(".")[0]))


class FieldNames(OptionGroup, frozen=True):
    """The name of each field in the corpus; a dot separates the names of nested fields. ``{folder: KEY}`` takes a folder's."""

    id: Field = "id"
    """If the field is missing, the id is the place, such as ``file.jsonl:17``."""
    date: Field = "date"
    """Required, but may be empty; a number is read as text, such as ``20030401``."""
    source: Field = "source"
    """If the field is missing, the source is empty. Of an object, the name is read; of a URL, the host.
    A leading `www.` is cut."""
    kind: Field = "kind"
    """If the field is missing, the kind is ``story``."""
    title: Field = "title"
    """If the field is missing, ``headline`` is read, or else the title is empty."""
    text: NonEmpty | Beside = "text"
    """Required, but may be empty; a text, or a list of texts that each are a paragraph. ``{file: NAME}`` takes the text of a
    file beside the row's."""


class RowOptions(ReaderOptions, frozen=True):
    """Options of the readers of files of rows."""

    fields: FieldNames = FieldNames()
    """The names of the fields."""
    paragraph_separator: NonEmpty = "\n\n"
    """The separator of paragraphs. In a text without it, every line is a paragraph."""
    strip_html: bool = False
    """Whether titles and texts are HTML, whose tags are removed."""
    items: str = ""
    """The field with a list of articles, such as ``response.results``; empty: a row is an article."""
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
        for row in self._items(file, place, span):
            yield row if isinstance(row, Unreadable) else self._article(row, file)

    def _items(self, file: Path, place: str, span: FileRange) -> Iterator[Row | Unreadable]:
        """The rows, or the objects in the option ``items`` of each row."""
        for row in self.rows(file, place, span):
            if isinstance(row, Unreadable) or not self.options.items:
                yield row
                continue
            items = _find(row.values, self.options.items)
            if not isinstance(items, list):
                yield Unreadable(place=row.place, error=tidy(_missing(row.values, self.options.items)))
                continue
            for number, item in enumerate(items, 1):
                where = f"{row.place}#{number}"
                yield Row(where, item) if isinstance(item, Mapping) else Unreadable(place=where, error="no object")

    def _article(self, row: Row, file: Path) -> RawArticle | Unreadable:
        try:
            values = self.row_function(row.values) if self.row_function else row.values
            text = self.options.fields.text
            body = self._text_beside(text.path(file), file) if isinstance(text, Beside) else _find(values, text)
            return article(values, body, row.place, self.options)
        except ValueError as error:
            # The name of a field may contain surrogates, which no output can hold.
            return Unreadable(place=row.place, error=tidy(str(error)))

    def _text_beside(self, path: Path, file: Path) -> object:
        """The text of a file beside ``file``. Raises ``ValueError`` if there is none, or if it must not be read."""
        if is_archive(file):
            raise ValueError(f"the text in a file beside it ({path.name}) is not read in archives: unpack {file.name}")
        if reason := self._why_not_followed(path):
            raise ValueError(f"{path.name} beside it is {reason}")
        try:
            with open_bytes(path, self.options.max_unpack_ratio) as stream:
                return self.text(stream.read(self.longest + 1)).removeprefix("\ufeff")
        except DAMAGE as error:
            raise ValueError(
                f"no text in {path.name} beside it: {getattr(error, 'strerror', None) or error}"
            ) from error

    @functools.cached_property
    def row_function(self) -> RowFunction | None:
        """The user's function; None without the option."""
        name = self.options.row_function
        return RowFunction(self.root / name) if name else None

    @property
    def code(self) -> dict[str, str]:
        """See ``WithCode``."""
        return {self.options.row_function: self.row_function.sha256} if self.row_function else {}

    @property
    def identity(self) -> str:
        """See ``FileCorpus.identity``; with the hashes of the user's function and of the texts beside the files."""
        own = f"; row function {self.row_function.sha256}" if self.row_function else ""
        if isinstance(text := self.options.fields.text, Beside):
            paths = [path for file in self.files if (path := text.path(file)).exists()]
            own += f"; {len(paths)} texts {digest([(self.place(path), self._hash(path)) for path in paths])}"
        return f"{super().identity}{own}"

    def _size(self, file: Path) -> int:
        text = self.options.fields.text
        beside = [text.path(file)] if isinstance(text, Beside) else []
        return sum(super(RowFiles, self)._size(path) for path in (file, *beside) if path.exists())

    def first_rows(self, count: int) -> list[Row | Unreadable]:
        """The first rows of each file, ``count`` in all, to find out which fields there are.

        An ``Unreadable`` stands for the rest of a damaged file.
        """
        first = list[Row | Unreadable]()
        for file in self.files[:count]:
            rows = self.until_damage(file, WHOLE, self._items)
            first += itertools.islice(rows, min(max(1, count // len(self.files)), count - len(first)))
        return first


def article(row: Mapping[str, Any], text: object, place: str, options: RowOptions) -> RawArticle:
    """The article in a row; ``text``: the value of its field ``text``. Raises ``ValueError`` that says why there is none."""
    fields = options.fields
    source = _text(row, place, fields.source, default="")
    title = _text(row, place, fields.title, default="")
    if not title and fields.title == "title":
        title = _text(row, place, "headline", default="")
    return RawArticle(
        place=place,
        id=_text(row, place, fields.id, default=place),
        date=_text(row, place, fields.date),
        source=host_of(source) or source.removeprefix("www."),
        kind=_text(row, place, fields.kind, default="story"),
        title=tidy(_without_tags(title)) if options.strip_html else title,
        dateline="",
        paragraphs=_paragraphs(row, text, options),
    )


def columns(fields: FieldNames, available: Iterable[str]) -> list[str]:
    """The columns of a table that hold the fields: the column of a field's name, or of the part before its first dot."""
    names = {name for field in fields.__struct_fields__ if isinstance(name := getattr(fields, field), str)}
    if fields.title == "title":
        names.add("headline")
    existing = set(available)
    return sorted({name if name in existing else re.split(r"[.\[]", name)[0] for name in names} & existing)


def _paragraphs(row: Mapping[str, Any], text: object, options: RowOptions) -> tuple[str, ...]:
    name = options.fields.text
    if text is _MISSING:
        raise ValueError(_missing(row, str(name)))
    if isinstance(text, bytes):
        text = decode(text, AUTO)
    if _is_missing(text):
        pieces = []
    elif isinstance(text, str):
        pieces = _split(text, options)
    elif isinstance(text, list) and all(isinstance(piece, str | list) or _is_missing(piece) for piece in text):
        # A list within the list has the sentences of a paragraph.
        pieces = [piece if isinstance(piece, str) else _sentences(piece) for piece in text if not _is_missing(piece)]
        pieces = [part for piece in pieces for part in _split(piece, options)] if options.strip_html else pieces
    else:
        fields = f": name one of its fields, {', '.join(map(str, text))}" if isinstance(text, Mapping) else ""
        raise ValueError(f"field {name!r} is neither a text nor a list of texts{fields}"[:400])
    if sum(map(len, pieces)) > LONGEST:
        raise ValueError(f"field {name!r} is {too_long()}")
    return tuple(filter(None, map(tidy, pieces)))


def _sentences(paragraph: list[object]) -> str:
    return " ".join(sentence for sentence in paragraph if isinstance(sentence, str))


def _without_tags(markup: str) -> str:
    from wdw_build.adapters.corpora.reading.trees import html_text  # loads lxml

    return html_text(markup)


def _split(text: str, options: RowOptions) -> list[str]:
    text = _without_tags(text) if options.strip_html else text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    separator = options.paragraph_separator
    pieces = _BLANK_LINE.split(text) if separator == "\n\n" else text.split(separator)
    return pieces if len(pieces) > 1 else text.split("\n")


def _is_missing(value: object) -> bool:
    """Whether a value is absent, null, or the NaN that tables write for null."""
    return value is _MISSING or value is None or (isinstance(value, float) and not math.isfinite(value))


def _find(row: Mapping[str, Any], name: str) -> object:
    """The value under a field's whole name or along its dotted path; a list on the path gives the texts in its objects."""
    if name in row:
        return row[name]
    value: object = row
    for part, key, wanted in _PART.findall(name):
        if isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value):
            inner = [entry.get(part) for entry in value if isinstance(entry, Mapping)]
            value = [below for below in inner if isinstance(below, str | list | Mapping)]
        elif isinstance(value, Mapping) and part in value:
            value = value[part]
        else:
            return _MISSING
        if key and isinstance(value, list):
            value = [entry for entry in value if isinstance(entry, Mapping) and str(entry.get(key)) == wanted]
    return value


def _text(row: Mapping[str, Any], place: str, field: str | Folder, default: str | None = None) -> str:
    """A field as one line of text; if it is absent, null or empty, the default. Raises ``ValueError`` if it must not be absent."""
    value = _folder(place, field.folder) if isinstance(field, Folder) else _find(row, field)
    if value is _MISSING and default is None:
        raise ValueError(_missing(row, str(field)))
    if isinstance(value, list) and len(value) == 1:  # as Solr writes each field
        value = value[0]
    if isinstance(value, Mapping) and ("name" in value or default is not None):
        value = value.get("name")
    if _is_missing(value):
        value = ""
    if isinstance(value, bytes):
        value = decode(value, AUTO)
    if isinstance(value, dt.date):  # includes datetime
        value = value.isoformat()
    if isinstance(value, float) and value.is_integer():  # a column of integers with a missing value
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"field {field!r} is not a text")
    return tidy(str(value)) or default or ""


def _folder(place: str, key: str) -> str | None:
    """The value of the folder ``key=value`` of a file, or the folder with a number; None if there is no such folder."""
    folders = place.split("/")[:-1]
    if key.isdecimal():
        return dict(enumerate(folders, 1)).get(int(key))
    values = dict(folder.split("=", 1) for folder in folders if "=" in folder)
    return unquote(values[key]) if key in values else None


def _missing(row: Mapping[str, Any], name: str) -> str:
    """The message for a field that does not exist, with the fields that exist."""
    return f"no field {name!r} among {', '.join(sorted(map(str, row))[:20])}"[:400]
