"""Guesses how to read a corpus: the reader by the files, the fields by their names and values, the form of the dates."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from wdw_build.errors import ConfigError, CorpusError, MissingResourceError
from wdw_build.records import RawArticle
from wdw_build.registry import READERS, make_reader
from wdw_build.text.dates import DAY_FIRST, EPOCH_FORMAT, MONTH_FIRST, USUAL_FORMATS, parse_date

_ROWS, _ENTRIES = 200, 20
# Names of fields without signs and capitals; a name that comes earlier is preferred.
_NAMES = {
    "date": "date published publishedat publisheddate publicationdate publishdate pubdate datepublished datetime createdat "
    "created timestamp time day",
    "text": "text body content article story fulltext maintext articletext articlebody paragraphs",
    "title": "title headline head heading",
    "id": "id articleid docid documentid uid guid uuid url link uri",
    "source": "source agency publisher publication outlet newspaper site domain provider feed",
}
# Formats that are not read without being named. Numeric dates are left to ``ingest``, which looks at the whole corpus.
_DATE_FORMATS = (
    "%d/%m/%y",
    "%m/%d/%y",
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M:%S",
    "%Y.%m.%d",
    "%a %b %d %H:%M:%S %z %Y",
    EPOCH_FORMAT,
)
_UNNAMED = (*USUAL_FORMATS, DAY_FIRST, MONTH_FIRST)
# Years of dates, and of seconds since 1970: a number that gives another year, such as 17, is no date.
_YEARS = (range(1800, 2101), range(1980, 2101))
# Separators of paragraphs in texts without line ends.
_SEPARATORS = ("\\n\\n", "\\n", "<br><br>", "<br />", "<br/>", "<br>")
_MOST, _SHORTEST_TEXT, _SHOWN = 0.9, 80, 40
# A field with the name of a date is one if half of its values are: scraped pages also have "3 days ago".
_HALF = 0.5
_INDEXED = re.compile(r"[^a-z]")

Values = Sequence[Any]


@runtime_checkable
class _ReadsRows(Protocol):
    def first_rows(self, count: int) -> list[Mapping[str, Any]]:
        """The first rows, with all fields."""
        ...


class Guess(NamedTuple):
    """How to read a corpus: the section ``corpus`` but for its path, and the keys of ``ingest`` that are not defaults."""

    reader: str
    options: dict[str, Any]
    ingest: dict[str, Any]


def guess(path: Path) -> Guess:
    """The reader that makes articles of the most records among the first ones, with its options.

    Raises ``CorpusError`` if no reader makes an article, and the error of a reader whose files are there but which lacks a
    library or a field.
    """
    best, most, errors = None, 0, []
    for name in READERS:
        if not _may_read(name, path):
            continue
        try:
            guessed = _guess_of(name, path)
            count = _articles(guessed, path)
        except (ConfigError, CorpusError, MissingResourceError) as error:
            errors.append(error)
            continue
        if count > most:
            best, most = guessed, count
    if best is not None:
        return best
    if errors:
        raise errors[0]
    raise CorpusError(f"no reader makes an article of {path}", hint=f"readers: {', '.join(READERS)}")


def _may_read(name: str, path: Path) -> bool:
    """Whether a file of the corpus has an ending of the reader; readers for other files are not tried."""
    try:
        reader = make_reader(name, path, {})
        endings = tuple(suffix + packing for suffix in reader.suffixes for packing in reader.packed)
        return any(file.name.lower().endswith(endings) for file in itertools.islice(reader.files, 100))
    except MissingResourceError as error:
        if not path.exists() and not any(sign in str(path) for sign in "*?["):
            # The reader's hint names a key of the configuration, and there is no configuration yet.
            raise MissingResourceError(error.message, hint="check the path") from error
        return False


def _guess_of(name: str, path: Path) -> Guess:
    reader = make_reader(name, path, {})
    if not isinstance(reader, _ReadsRows):
        return Guess(name, {}, {})
    try:
        rows = reader.first_rows(_ROWS)
    except OSError as error:
        raise CorpusError(f"cannot read {path} as {name}: {error}") from error
    if not rows:
        raise CorpusError(f"{path} holds no rows for the reader {name}", hint="name a file with a record in it")
    return _guess_fields(name, path, _columns(rows))


def _articles(guessed: Guess, path: Path) -> int:
    """How many of the first records are articles with a date and a text."""
    entries = itertools.islice(make_reader(guessed.reader, path, guessed.options).read(), _ENTRIES)
    return sum(isinstance(entry, RawArticle) and bool(entry.date and entry.paragraphs) for entry in entries)


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The values of each field that are not empty; a dot leads to a nested field."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in _leaves(row, ""):
            columns.setdefault(name, []).append(value)
    return {name: [value for value in values if value not in (None, "", [])] for name, values in columns.items()}


def _leaves(value: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, below in value.items():
        name = f"{prefix}{key}"
        if isinstance(below, Mapping):
            yield from _leaves(below, f"{name}.")
        elif isinstance(below, list) and below and all(isinstance(entry, Mapping) for entry in below):
            for inner in below[0]:
                yield f"{name}.{inner}", [entry[inner] for entry in below if inner in entry]
        else:
            yield name, below


def _guess_fields(reader: str, path: Path, columns: Mapping[str, Values]) -> Guess:
    fields: dict[str, str] = {}
    tests = {"date": _is_date, "text": _is_text, "title": _is_short, "id": _is_unique, "source": _is_short}
    for field, test in tests.items():
        free = [name for name in columns if name not in fields.values()]
        named = sorted(
            (name for name in free if _rank(field, name) is not None), key=lambda name: _rank(field, name) or 0
        )
        # Without a telling name, the values decide for the two fields that an article needs.
        others = sorted(free, key=lambda name: -_mean_length(columns[name])) if field in ("date", "text") else []
        chosen = next((name for name in (*named, *others) if test(columns[name])), None)
        if chosen is None and field == "date":
            chosen = next((name for name in named if _is_date(columns[name], _HALF)), None)
        if chosen is None and field in ("date", "text"):
            raise _not_found(field, path, columns, named)
        if chosen is not None:
            fields[field] = chosen
    texts = columns[fields["text"]]
    options: dict[str, Any] = {
        "fields": {key: fields[key] for key in ("id", "date", "source", "title", "text") if key in fields}
    }
    if separator := _separator(texts):
        options["paragraph_separator"] = separator
    return Guess(reader, options, _ingest(columns, columns[fields["date"]]))


def _not_found(field: str, path: Path, columns: Mapping[str, Values], named: Sequence[str]) -> ConfigError:
    """The error for a field that an article needs; ``named`` are those with its name but other values."""
    seen = [f"{name!r} has values such as {str(columns[name][0])[:_SHOWN]!r}" for name in named[:1] if columns[name]]
    values = f"; {seen[0]}" if seen else ""
    return ConfigError(
        f"no field of {path} looks like the {field} of an article{values}; its fields: {', '.join(columns)}",
        hint="write a configuration with corpus.options.fields, and with ingest.date_formats if no usual form reads the dates",
    )


def _ingest(columns: Mapping[str, Values], dates: Values) -> dict[str, Any]:
    formats = _formats(dates)
    keys: dict[str, Any] = {"date_formats": list(formats)} if formats else {}
    if "kind" in columns and "story" not in columns["kind"]:
        # The field ``kind`` is read without being named, and only the kind "story" is kept by default.
        keys["kinds"] = []
    return keys


def _rank(field: str, name: str) -> int | None:
    """The place of a field's name among the usual ones; None if it is not one."""
    usual = _NAMES[field].split()
    forms = (_INDEXED.sub("", name.lower()), _INDEXED.sub("", name.rpartition(".")[2].lower()))
    return next((usual.index(form) for form in forms if form in usual), None)


def _formats(values: Values) -> tuple[str, ...]:
    """The format to name so that the dates are read; empty if they are read anyway."""
    if _share(values, _UNNAMED) >= _MOST:
        return ()
    shares = {form: _share(values, (form,)) for form in _DATE_FORMATS}
    best = [form for form, share in shares.items() if share == max(shares.values()) > _share(values, _UNNAMED)]
    # Two forms that read the dates equally well read them as different days: neither is guessed.
    return (best[0],) if len(best) == 1 else ()


def _share(values: Values, formats: Sequence[str]) -> float:
    days = [parse_date(str(value), formats) for value in values]
    years = _YEARS[EPOCH_FORMAT in formats]
    return sum(day is not None and day.year in years for day in days) / max(1, len(days))


def _is_date(values: Values, most: float = _MOST) -> bool:
    scalars = [value for value in values if not isinstance(value, list | bool)]
    return bool(scalars) and _share(scalars, (*_UNNAMED, *_formats(scalars))) >= most


def _mean_length(values: Values) -> float:
    lengths = [len("".join(map(str, value)) if isinstance(value, list) else str(value)) for value in values]
    return sum(lengths) / max(1, len(lengths))


def _is_text(values: Values) -> bool:
    texts = all(
        isinstance(value, str) or (isinstance(value, list) and all(isinstance(part, str) for part in value))
        for value in values
    )
    return texts and _mean_length(values) >= _SHORTEST_TEXT


def _is_short(values: Values) -> bool:
    return (
        bool(values) and all(isinstance(value, str) for value in values) and _mean_length(values) < 4 * _SHORTEST_TEXT
    )


def _is_unique(values: Values) -> bool:
    return all(isinstance(value, str | int) for value in values) and len(set(values)) == len(values) > 0


def _separator(values: Values) -> str:
    """The separator of paragraphs if the texts have no line ends but another mark; empty for the default."""
    texts = [value for value in values if isinstance(value, str)]
    if not texts or sum("\n" in text for text in texts) > (1 - _MOST) * len(texts):
        return ""
    return next((mark for mark in _SEPARATORS if sum(mark in text for text in texts) > len(texts) / 2), "")
