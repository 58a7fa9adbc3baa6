"""Articles out of rows with named fields, whatever they were stored in: the mapping of ``corpus.options.fields``.

A row that holds no article raises ``Unfit`` with the reason. An article without an id is named by its place. What a
date or a kind means is decided by ``ingest``, not here.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any

from wdw_build.adapters.corpora.reading.base import NonEmpty, OptionGroup, ReaderOptions
from wdw_build.adapters.corpora.reading.encodings import AUTO, decode
from wdw_build.adapters.corpora.reading.markup import tidy
from wdw_build.adapters.corpora.reading.streams import LONGEST, too_long
from wdw_build.records import RawArticle, Unreadable

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MISSING = object()


class Fields(OptionGroup, frozen=True):
    """The name of each field; a dot reaches into a nested one."""

    id: NonEmpty = "id"
    date: NonEmpty = "date"
    source: NonEmpty = "source"
    kind: NonEmpty = "kind"
    title: NonEmpty = "title"
    text: NonEmpty = "text"


class MappedOptions(ReaderOptions, frozen=True):
    """Options of the readers of rows."""

    fields: Fields = Fields()
    paragraph_separator: NonEmpty = "\n\n"


class Unfit(ValueError):
    """The row holds no article; the message says why."""


def article(row: Mapping[str, Any], place: str, options: MappedOptions) -> RawArticle | Unreadable:
    """The article of a row, or why there is none."""
    fields = options.fields
    try:
        return RawArticle(
            place=place,
            id=_text(row, fields.id, default=place),
            date=_text(row, fields.date),
            source=_text(row, fields.source, default=""),
            kind=_text(row, fields.kind, default="story"),
            title=_title(row, fields.title),
            dateline="",
            paragraphs=_paragraphs(row, options),
        )
    except Unfit as error:
        return Unreadable(place=place, error=str(error))


def columns(fields: Fields, known: Iterable[str]) -> list[str]:
    """Which of the columns of a table hold the fields: by their whole name, or by what stands before the first dot."""
    names = {getattr(fields, name) for name in fields.__struct_fields__}
    if fields.title == "title":
        names.add("headline")
    tops = set(known)
    return sorted({name if name in tops else name.partition(".")[0] for name in names} & tops)


def _paragraphs(row: Mapping[str, Any], options: MappedOptions) -> tuple[str, ...]:
    name = options.fields.text
    text = _find(row, name)
    if text is _MISSING or text is None:
        raise Unfit(_lacking(row, name))
    if isinstance(text, bytes):
        text = decode(text, AUTO)
    if isinstance(text, str):
        pieces = _split(text, options.paragraph_separator)
    elif isinstance(text, list) and all(isinstance(piece, str) for piece in text):
        pieces = text
    else:
        raise Unfit(f"field {name!r} is neither a text nor a list of texts")
    if sum(map(len, pieces)) > LONGEST:
        raise Unfit(f"field {name!r} is {too_long()}")
    return tuple(filter(None, map(tidy, pieces)))


def _find(row: Mapping[str, Any], name: str) -> object:
    """The value of a field, by its name as it is or by the names between its dots; of a list, the values of all."""
    if name in row:
        return row[name]
    value: object = row
    for part in name.split("."):
        if isinstance(value, list) and all(isinstance(one, dict) for one in value):
            value = [one[part] for one in value if part in one]
        elif isinstance(value, Mapping) and part in value:
            value = value[part]
        else:
            return _MISSING
    return value


def _text(row: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """A field as a line of text; one that is absent, null or empty has the default, and without one is unfit."""
    value = _find(row, name)
    if value is _MISSING or value is None:
        value = ""
    if isinstance(value, bytes):
        value = decode(value, AUTO)
    if isinstance(value, dt.date):  # a datetime is one, too
        value = value.isoformat()
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Unfit(f"field {name!r} is no text")
    text = tidy(str(value))
    if not text and default is None:
        raise Unfit(_lacking(row, name))
    return text or default or ""


def _lacking(row: Mapping[str, Any], name: str) -> str:
    """That a field is missing, and if there is none of that name, which ones there are."""
    if _find(row, name) is not _MISSING:
        return f"no field {name!r}: it is empty"
    return f"no field {name!r} among {', '.join(sorted(map(str, row))[:20])}"[:400]


def _title(row: Mapping[str, Any], name: str) -> str:
    title = _text(row, name, default="")
    return title or (_text(row, "headline", default="") if name == "title" else "")


def _split(text: str, separator: str) -> list[str]:
    """Paragraphs of a text: cut at the separator; where it does not occur, at line ends."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    pieces = _BLANK_LINE.split(text) if separator == "\n\n" else text.split(separator)
    return pieces if len(pieces) > 1 else text.split("\n")
