"""JSON lines, one article a line, with the fields' names given by the configuration.

A line that holds no article is yielded as ``Unreadable``, with the reason; blank lines are passed over. An article
without an id is named by its place. What a date or a kind means is decided by ``ingest``, not here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wdw_build.adapters.corpora.base import FileCorpus, NonEmpty, OptionGroup, ReaderOptions
from wdw_build.adapters.corpora.markup import tidy
from wdw_build.adapters.corpora.streams import read_lines, too_long
from wdw_build.records import RawArticle, Unreadable

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MISSING = object()


class Fields(OptionGroup, frozen=True):
    """The name of each field; a dot reaches into a nested object."""

    id: NonEmpty = "id"
    date: NonEmpty = "date"
    source: NonEmpty = "source"
    kind: NonEmpty = "kind"
    title: NonEmpty = "title"
    text: NonEmpty = "text"


class JsonlOptions(ReaderOptions, frozen=True):
    """Options of the reader ``jsonl``."""

    fields: Fields = Fields()
    paragraph_separator: NonEmpty = "\n\n"


class _Unfit(ValueError):
    """The line holds no article; the message says why."""


class JsonlReader(FileCorpus[JsonlOptions]):
    """Reads .jsonl and .ndjson, plain or compressed."""

    name = "jsonl"
    version = 1
    suffixes = (".jsonl", ".ndjson")
    options_type = JsonlOptions

    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield an article, or why there is none, for every line that is not blank."""
        for number, line in read_lines(file):
            where = f"{place}:{number}"
            if line is None:
                yield Unreadable(place=where, error=f"line {too_long()}")
            elif line.strip():
                yield self._article(line, where)

    def _article(self, line: bytes, place: str) -> RawArticle | Unreadable:
        fields = self.options.fields
        try:
            record = _object(line.decode(self.options.encoding, "replace"))
            return RawArticle(
                place=place,
                id=_text(record, fields.id, default=place),
                date=_text(record, fields.date),
                source=_text(record, fields.source, default=""),
                kind=_text(record, fields.kind, default="story"),
                title=_title(record, fields.title),
                dateline="",
                paragraphs=self._paragraphs(_find(record, fields.text)),
            )
        except _Unfit as error:
            return Unreadable(place=place, error=str(error))

    def _paragraphs(self, text: object) -> tuple[str, ...]:
        name = self.options.fields.text
        if text is _MISSING or text is None:
            raise _Unfit(f"no field {name!r}")
        if isinstance(text, str):
            pieces = _split(text, self.options.paragraph_separator)
        elif isinstance(text, list) and all(isinstance(piece, str) for piece in text):
            pieces = text
        else:
            raise _Unfit(f"field {name!r} is neither a text nor a list of texts")
        return tuple(filter(None, map(tidy, pieces)))


def _object(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line.removeprefix("\ufeff"), strict=False)
    except RecursionError:
        raise _Unfit("bad JSON: nested too deeply") from None
    except ValueError as error:
        raise _Unfit(f"bad JSON: {error}") from None
    if not isinstance(record, dict):
        raise _Unfit("the line holds no JSON object")
    return record


def _find(record: dict[str, Any], name: str) -> object:
    """The value of a field, by its name as it is or by the names between its dots."""
    if name in record:
        return record[name]
    value: object = record
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            return _MISSING
        value = value[part]
    return value


def _text(record: dict[str, Any], name: str, default: str | None = None) -> str:
    """A field as a line of text; one that is absent, null or empty has the default, and without one is unfit."""
    value = _find(record, name)
    if value is _MISSING or value is None:
        value = ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _Unfit(f"field {name!r} is no text")
    text = tidy(str(value))
    if not text and default is None:
        raise _Unfit(f"no field {name!r}")
    return text or default or ""


def _title(record: dict[str, Any], name: str) -> str:
    title = _text(record, name, default="")
    return title or (_text(record, "headline", default="") if name == "title" else "")


def _split(text: str, separator: str) -> list[str]:
    """Paragraphs of a text: cut at the separator; where it does not occur, at line ends."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    pieces = _BLANK_LINE.split(text) if separator == "\n\n" else text.split(separator)
    return pieces if len(pieces) > 1 else text.split("\n")
