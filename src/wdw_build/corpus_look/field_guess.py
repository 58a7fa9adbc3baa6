"""Guesses which fields of a row are the date, the text and the others: by their names, then by their values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wdw_build.adapters.corpora.reading.markup import host_of
from wdw_build.corpus_look.date_field import MOST, SHOWN, Values, date_field, formats, is_date, is_of_page
from wdw_build.errors import ConfigError
from wdw_build.text.sentences.repair import is_tokenised

# Shares of the rows that have a field: fields that fewer rows have are only read if no other field will do.
_HALF, _SOME = 0.5, 0.1
# Names of fields without signs and capitals; a name that comes earlier is preferred.
_NAMES = {
    "date": "date published publishedat publisheddate publicationdate publishdate datepublish pubdate datepublished "
    "webpublicationdate publicationdatetime firstpublished versioncreated datetime createdat created posted issued timestamp "
    "time day",
    "text": "text body content article story fulltext maintext articletext articlebody bodytext bodyhtml contentencoded "
    "paragraphs",
    "title": "title headline headlinemain webtitle head heading hd",
    "id": "id articleid docid documentid uid guid uuid oid an url link uri permalink",
    "source": "source sourcename newspaper agency publisher publication publicationname pubtitle outlet site sitename domain "
    "sourcedomain hostname provider feed sn sourceid newspaperid publisherid",
}
# Separators of paragraphs in texts without line ends.
_SEPARATORS = ("\\n\\n", "\\n")
_MARKUP = re.compile(r"(?:<|&lt;)/?(?:p|div|br|span|a|em|b|i|strong)\b[^<>]*(?:>|&gt;)", re.IGNORECASE)
# The keys that say what a part of a text is.
_KINDS = ("subtype", "type")
# Forms of dates that a spreadsheet wrote, and what to do.
_OF_SPREADSHEETS = {
    r"-?\d(?:\.\d+)?[eE]\+?\d+": "a spreadsheet rounded the dates: give their cells the format Number without decimals, and export "
    "the table again",
    r"[34]\d{4}(?:\.\d+)?": "these are day numbers of a spreadsheet: give their cells the format Date, and export the table again",
}
_PARTS = ("year", "month", "day")
_BY_HAND = "docs/howto/your-format.md, Without init"
# A source that differs in each of so many rows is none.
_FEW_ROWS = 10
_SHORTEST_TEXT, _BEGINNING = 80, 60
# A field is read in place of one whose values are so many times shorter, such as a summary, if it has the name of a text.
_SEVERAL, _TEXT_NAME = 3, re.compile(r"(?!.*html)[^.]*(?:text|content|body|article|story)[^.]*\Z", re.IGNORECASE)
_INDEXED = re.compile(r"[^a-z]")
# What names of fields may begin with: "post_title" of WordPress, "canonical_url".
_PREFIX = re.compile(r"(?:post|article|item|entry|story|news|original|canonical|wp)[_ -]", re.IGNORECASE)


class FieldGuess(NamedTuple):
    """The options of a reader of rows, the keys of ``ingest`` that are not defaults, and what the user should check."""

    options: dict[str, Any]
    ingest: dict[str, Any]
    notes: tuple[str, ...]


def objects_below(row: Any, name: str) -> list[Mapping[str, Any]]:
    """The objects in the list under a dotted name; none if the row has no such list."""
    for part in name.split("."):
        row = row.get(part) if isinstance(row, Mapping) else None
    return [entry for entry in row if isinstance(entry, Mapping)] if isinstance(row, list) else []


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The values of each field that are not empty; a dot leads to a nested field."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in _leaves(row, ""):
            columns.setdefault(name, []).append(_single(value))
    return {name: [value for value in values if not _is_empty(value)] for name, values in columns.items()}


def _single(value: object) -> object:
    """The value as readers take it: the only one of a list, and the text of bytes."""
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _is_empty(value: object) -> bool:
    return value in (None, "", []) or value != value


def _leaves(value: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, below in value.items():
        name = f"{prefix}{key}"
        if isinstance(below, Mapping):
            yield from _leaves(below, f"{name}.")
        elif isinstance(below, list) and any(isinstance(entry, Mapping) for entry in below):
            objects = [entry for entry in below if isinstance(entry, Mapping)]
            for inner in dict.fromkeys(key for entry in objects for key in entry):
                yield f"{name}.{inner}", [entry[inner] for entry in objects if isinstance(entry.get(inner), str)]
        else:
            yield name, below


def guess_fields(path: Path, rows: Sequence[Mapping[str, Any]], folders: set[str]) -> FieldGuess:
    """The fields of rows. ``folders``: the keys of folders ``key=value``.

    Raises ``ConfigError`` if no field looks like the date or the text.
    """
    columns = columns_of(rows)
    fields, notes = dict[str, Any](), list[str]()
    for field in _TESTS:
        unused = {name: values for name, values in columns.items() if name not in fields.values()}
        chosen, named, of_field = _chosen(field, unused, len(rows))
        notes += of_field
        in_folder = next((key for key in sorted(folders) if _rank(field, key) is not None), None)
        if chosen is None and in_folder and field != "text":
            fields[field] = {"folder": in_folder}
        elif chosen is None and field in ("date", "text"):
            raise _not_found(field, path, columns, named)
        elif chosen is not None:
            fields[field] = chosen
        elif field == "source" and named:
            notes.append(f"the field {named[0]!r} is hardly the source: it differs in every record; name it if it is")
    if address := _address_of_source(columns, fields.get("source")):
        fields["source"] = address
    sources = columns.get(str(fields.get("source")), [])
    # Another web address in each row.
    if "id" not in fields and len(sources) == len(rows) and host_of(str(sources[0])) and _is_unique(sources):
        fields["id"] = fields["source"]
    if "id" not in fields:
        notes += _repeated_ids(columns, len(rows))
    text, of_texts = _clean_text(columns, fields["text"])
    notes += of_texts
    is_markup = sum(bool(_MARKUP.search(_joined(value))) for value in columns[text]) > len(columns[text]) / 2
    fields["text"] = _typed(rows, text)
    keys: dict[str, Any] = {"fields": {key: fields[key] for key in _IN_ORDER if key in fields}}
    if is_markup:
        keys["strip_html"] = True
    elif separator := _separator(columns[text]):
        keys["paragraph_separator"] = separator
    dates = columns[fields["date"]] if isinstance(fields["date"], str) else []
    return FieldGuess(keys, _ingest(columns, dates), tuple(notes))


def _chosen(field: str, columns: Mapping[str, Values], rows: int) -> tuple[str | None, list[str], list[str]]:
    """The column to read a field from (None if none will do), those with a telling name, and notes."""
    chosen, named, notes = None, list[str](), list[str]()
    # A column that most rows lack is read only if no other one will do.
    for least in (_HALF, _SOME, 0.0):
        free = {name: values for name, values in columns.items() if len(values) >= least * rows}
        ranks = {name: rank for name in free if (rank := _rank(field, name)) is not None}
        named = sorted(ranks, key=lambda name: ranks[name])
        # Without a telling name, the values decide for the two fields that an article needs.
        others = sorted(free, key=lambda name: -_mean_length(columns[name])) if field in ("date", "text") else []
        if field == "date":
            chosen, notes = date_field(free, named, others)
        else:
            sizes = {name: len(columns[name]) for name in (*named, *others) if _TESTS[field](columns[name])}
            least = {"id": rows, "source": MOST * max(sizes.values(), default=0)}.get(field, 0)
            chosen = next((name for name, size in sizes.items() if size >= least), None)
        # Some dates of publication are better than those of a crawl for all rows; rows without a date are rejected.
        if chosen is not None and not (field == "date" and least > _SOME and is_of_page(chosen)):
            break
    return chosen, named, notes


def _address_of_source(columns: Mapping[str, Values], source: Any) -> str:
    """The column of addresses whose hosts are the sources, if ``source`` is no column or has too few values; or ""."""
    links = [name for name in columns if _rank("id", name) is not None and _is_source(columns[name])]
    hosts = {name: set(filter(None, (host_of(str(value)) for value in columns[name]))) for name in links}
    # An aggregator's links to its own pages have one host.
    address = max(filter(hosts.get, links), key=lambda name: len(hosts[name]), default="")
    if not address or source is None:
        return address
    values = len(columns.get(str(source), []))
    return address if 0 < values < MOST * len(columns[address]) and len(hosts[address]) > 1 else ""


def _repeated_ids(columns: Mapping[str, Values], rows: int) -> list[str]:
    """A note with the field that would be the id if no value occurred twice; none if there is no such field."""
    named = [name for name in columns if _rank("id", name) is not None and len(columns[name]) == rows]
    repeated = {name: sum(count > 1 for count in Counter(map(str, columns[name])).values()) for name in named}
    if not any(repeated.values()):
        return []
    name = min(repeated, key=lambda name: repeated[name])
    return [
        f"no field is read as the id: values of {name!r} that occur more than once: {repeated[name]:,}; if "
        "corpus.options.fields.id names it, only the first article of each is kept"
    ]


def _clean_text(columns: Mapping[str, Values], named: str) -> tuple[str, list[str]]:
    """The field to read as the text, and a note with the beginnings of both fields if another one could be the text, too.

    If most values of one of them are tokenised, the other one is read; else one that is several times as long as the named one.
    """
    length = _mean_length(columns[named])
    others = [name for name in columns if name != named and _is_text(columns[name])]
    longest = max(others, key=lambda name: _mean_length(columns[name]), default=named)
    if longest == named or _mean_length(columns[longest]) < length / 2:
        return named, []
    is_usual = bool(_TEXT_NAME.search(longest)) and 2 * len(columns[longest]) > len(columns[named])
    is_whole = is_usual and _mean_length(columns[longest]) >= _SEVERAL * length
    # The sort is stable: without a difference, the first field comes first.
    fields = (longest, named) if is_whole else (named, longest)
    chosen, other = sorted(fields, key=lambda name: _are_tokenised(columns[name]))
    why = ", because the other one is tokenised" * (_are_tokenised(columns[other]) > _are_tokenised(columns[chosen]))
    why = why or ", because it is several times as long" * (chosen == longest)
    examples = [f"{name!r}: {_joined(columns[name][0])[:_BEGINNING]!r}" for name in (chosen, other)]
    return chosen, [f"two fields could be the text; the first one is read{why}: {examples[0]}, or {examples[1]}"]


def _are_tokenised(values: Values) -> bool:
    return sum(is_tokenised([_joined(value)]) for value in values) > len(values) / 2


def _typed(rows: Sequence[Mapping[str, Any]], text: str) -> str:
    """The field with a condition for the kind of parts that hold most of the text, if its list has parts of other kinds."""
    parent, _, child = text.rpartition(".")
    parts = [part for row in rows for part in objects_below(row, parent)] if parent else []
    for key in _KINDS:
        lengths = Counter[str]()
        for part in parts:
            if isinstance(part.get(child), str):
                lengths[str(part.get(key, ""))] += len(part[child])
        kind = next(iter(lengths.most_common(1)), ("", 0))[0]
        if kind and len(lengths) > 1:
            return f"{parent}[{key}={kind}].{child}"
    return text


def _not_found(field: str, path: Path, columns: Mapping[str, Values], named: Sequence[str]) -> ConfigError:
    """The error for a field that an article needs; ``named`` are those with its name but other values."""
    example = columns[named[0]][0] if named and columns[named[0]] else ""
    if isinstance(example, list):
        example = next((part for part in example if not _is_part(part)), example)
    first = str(example)[:SHOWN]
    values = f"; {named[0]!r} has values such as {first!r}" if first else ""
    for form, remedy in _OF_SPREADSHEETS.items():
        if field == "date" and re.fullmatch(form, first):
            return ConfigError(f"the dates of {path} cannot be read{values}", hint=remedy)
    if field == "text" and any(path.rglob("*.txt")):
        hint = "the .txt files may hold the texts: docs/howto/add-a-reader.md says how to read them; then init --reader NAME"
    else:
        hint = _by_hand(field, columns, first)
    return ConfigError(
        f"no field of {path} looks like the {field} of an article{values}; its fields: {', '.join(columns)}", hint=hint
    )


def _by_hand(field: str, columns: Mapping[str, Values], first: str) -> str:
    """How to read articles without a field that looks like the date or the text; ``first``: a value of the field so named."""
    if field == "text":
        return f"name the field in corpus.options.fields.text of a configuration ({_BY_HAND})"
    parts = [name for part in _PARTS for name in columns if name.rpartition(".")[2].lower() == part]
    if len(parts) == len(_PARTS):
        return f"join {', '.join(parts)} to a date with a row_function ({_BY_HAND})"
    if not first:
        return f"name the field in corpus.options.fields.date of a configuration, or make the date with a row_function ({_BY_HAND})"
    return (
        "name the form of these dates in ingest.date_formats of a configuration, such as 'Published %d %B %Y', or rewrite them "
        f"with a row_function ({_BY_HAND})"
    )


def _ingest(columns: Mapping[str, Values], dates: Values) -> dict[str, Any]:
    named = formats(dates)
    keys: dict[str, Any] = {"date_formats": list(named)} if named else {}
    if columns.get("kind") and "story" not in columns["kind"]:
        # The field ``kind`` is read without being named, and only the kind "story" is kept by default.
        keys["kinds"] = []
    return keys


def _rank(field: str, name: str) -> int | None:
    """The place of a field's name among the usual ones; None if it is not one."""
    usual = _NAMES[field].split()
    last = name.rpartition(".")[2]
    forms = [_INDEXED.sub("", form.lower()) for form in (name, last, _PREFIX.sub("", last, count=1))]
    return next((usual.index(form) for form in forms if form in usual), None)


def _mean_length(values: Values) -> float:
    return sum(len(_joined(value)) for value in values) / max(1, len(values))


def _joined(value: object) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)


def _is_text(values: Values) -> bool:
    # An address is no text, however long it is.
    texts = [
        (isinstance(value, str) and not host_of(value)) or (isinstance(value, list) and all(map(_is_part, value)))
        for value in values
    ]
    return sum(texts) >= MOST * len(texts) and _mean_length(values) >= _SHORTEST_TEXT


def _is_part(value: object) -> bool:
    return isinstance(value, str | list) or _is_empty(value)


def _is_short(values: Values) -> bool:
    texts = sum(isinstance(value, str) for value in values)
    return texts > 0 and texts >= MOST * len(values) and _mean_length(values) < 4 * _SHORTEST_TEXT


def _is_source(values: Values) -> bool:
    """Whether short texts, or the hosts of addresses, recur."""
    if not _is_short(values):
        return False
    names = {host_of(str(value)) or str(value) for value in values}
    return len(names) < len(values) or len(values) < _FEW_ROWS


def _is_unique(values: Values) -> bool:
    return all(isinstance(value, str | int | float) for value in values) and len(set(values)) == len(values) > 0


def _separator(values: Values) -> str:
    """The separator of paragraphs if the texts have no line ends but another mark; empty for the default."""
    texts = [value for value in values if isinstance(value, str)]
    if not texts or sum("\n" in text for text in texts) > (1 - MOST) * len(texts):
        return ""
    return next((mark for mark in _SEPARATORS if sum(mark in text for text in texts) > len(texts) / 2), "")


_TESTS = {"date": is_date, "text": _is_text, "title": _is_short, "id": _is_unique, "source": _is_source}
_IN_ORDER = ("id", "date", "source", "title", "text")
