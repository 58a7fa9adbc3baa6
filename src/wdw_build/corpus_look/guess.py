"""Guesses how to read a corpus: the reader that makes articles of its files, and the options that the files need.

A file of JSON may hold a whole table as one object, as pandas writes it by default; then the error says what makes lines of it.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wdw_build.adapters.corpora.reading.archives import is_archive, member_names
from wdw_build.adapters.corpora.reading.base import FileCorpus
from wdw_build.adapters.corpora.reading.files import root_of, split_glob
from wdw_build.adapters.corpora.reading.mapping import Beside, Row, RowFiles
from wdw_build.adapters.corpora.reading.streams import MAX_RATIO
from wdw_build.core.progress import printable
from wdw_build.corpus_look.field_guess import FieldGuess, guess_fields, objects_below
from wdw_build.errors import ConfigError, CorpusError, MissingResourceError, WdwError
from wdw_build.pipeline.registry import READERS, make_reader
from wdw_build.records import RawArticle, Unreadable

# Rows that show which fields there are, and entries that are read.
_ROWS, _ENTRIES = 200, 20
# Options that are tried where rows of a table cannot be read.
_TRIALS: dict[str, tuple[dict[str, Any], ...]] = {"csv": ({}, {"escape": "\\"}, {"quote": "'"}, {"quote": ""})}
_SHEET, _PAPER = "save its sheet as CSV (UTF-8)", "docs/howto/your-format.md says how to make a table of such files"
_FOREIGN = dict.fromkeys((".xlsx", ".xls", ".ods"), ("a workbook", _SHEET))
_FOREIGN |= dict.fromkeys((".docx", ".doc", ".rtf", ".pdf", ".odt"), ("a document for people", _PAPER))
_TEXTS = "docs/howto/your-format.md says how to make JSON lines of plain text and Markdown"
_FOREIGN |= dict.fromkeys((".feather", ".pkl", ".rds"), ("a table of one program", "save it as Parquet or CSV"))
_PLAIN = dict.fromkeys((".md", ".markdown", ".txt"), ("text without fields", _TEXTS))
# Stands for the name of a field that is a file.
_TEXT = "text of a file beside it"
# Readers that are tried on a file whatever its name.
_OF_ANY_FILE = ("jsonl", "csv", "trec")
# Without dtype and date_format, pandas turns ids such as 007 into numbers, and dates into milliseconds.
_NEW = "to_json('articles.jsonl', orient='records', lines=True, date_format='iso')"
_SAVE_AGAIN = f"in pandas, save the table again: df.{_NEW}"


class Guess(NamedTuple):
    """How to read a corpus: the section ``corpus``, and the keys of ``ingest`` that are not defaults."""

    reader: str
    path: Path
    options: dict[str, Any]
    ingest: dict[str, Any]
    notes: tuple[str, ...] = ()
    """What the user should check."""


def guess(path: Path, reader: str = "") -> Guess:
    """The reader that makes articles of the most records among the first ones, with its options; only ``reader`` if given.

    If no reader takes the files of a folder by their names, the path is a glob that names them all. If no reader makes an
    article, raises the error of the first one whose files are there, or ``CorpusError``.
    """
    named = [reader] if reader else [name for name in READERS if _may_read(name, path)]
    all_files = path / "**" / "*" if path.is_dir() else path
    guesses, errors = list[tuple[int, Guess]](), list[WdwError]()
    for names, files in ((named, path), ([reader] if reader else _OF_ANY_FILE, all_files)):
        for name in names if names is named or _first_file(path).suffix.lower() not in _FOREIGN else ():
            try:
                guesses.append(_attempt(name, files))
            except (ConfigError, CorpusError, MissingResourceError) as error:
                errors.append(error)
        if guesses:
            return max(guesses, key=lambda counted: counted[0])[1]
    if not named or not errors:
        raise _no_reader(path)
    if not reader:
        raise errors[0]
    # The reader that is given takes files with other names in the glob alone.
    first = errors[-1 if isinstance(errors[0], MissingResourceError) else 0]
    raise type(first)(first.message, hint=f"{first.hint}; without --reader, init tries all readers")


def _first_file(path: Path) -> Path:
    return next((file for file in sorted(path.rglob("*")) if file.is_file()), path)


def _no_reader(path: Path) -> CorpusError:
    """The error for files that no reader reads, with what can be done about the first one."""
    file = _first_file(path)
    if file.is_dir():
        return CorpusError(f"{path} holds no files", hint="check the path")
    if not file.exists():
        return CorpusError(f"{path} matches folders, and no files", hint=f"init '{path}/*' reads the files in them")
    archives = [file] if is_archive(file) else list(filter(is_archive, sorted(path.rglob("*"))))
    if archives:
        names = member_names(archives[0], MAX_RATIO)
        held = f"the files in {archives[0]}, such as {printable(names[0])}" if names else f"{archives[0]}"
        return CorpusError(
            f"no reader reads {held}", hint=f"unpack {archives[0].name}, and make a table of its files: {_PAPER}"
        )
    if known := (_FOREIGN | _PLAIN).get(file.suffix.lower()):
        kind, remedy = known
        return CorpusError(f"no reader reads {file}: it is {kind}", hint=remedy)
    return CorpusError(
        f"no reader reads files with names such as {file.name}",
        hint=f"readers of other packages: --reader NAME; docs/howto/add-a-reader.md; readers: {', '.join(READERS)}",
    )


def _may_read(name: str, path: Path) -> bool:
    """Whether a file of the corpus has an ending of the reader; readers for other files are not tried."""
    try:
        reader = make_reader(name, path, {})
        return isinstance(reader, FileCorpus) and any(map(reader.takes, itertools.islice(reader.files, 100)))
    except MissingResourceError as error:
        if not path.exists() and not split_glob(path)[1]:
            # The reader's hint names a key of the configuration, and there is no configuration yet.
            raise MissingResourceError(error.message, hint="check the path") from error
        return False


def _attempt(name: str, path: Path) -> tuple[int, Guess]:
    """How many of the first records are articles with a date and a text, and how to read them. Raises ``CorpusError`` if none."""
    guessed = _guess_of(name, path)
    entries = list(itertools.islice(make_reader(name, path, guessed.options).read(), _ENTRIES))
    count = sum(isinstance(entry, RawArticle) and bool(entry.date and entry.paragraphs) for entry in entries)
    if not count:
        raise _no_article(name, path, entries)
    return count, guessed


def _no_article(name: str, path: Path, entries: Sequence[Any]) -> CorpusError:
    """The error that names the first record's place and what is wrong with it."""
    if not entries:
        return CorpusError(f"{path} holds no rows for the reader {name}", hint="name a file with a record in it")
    first = entries[0]
    if isinstance(first, Unreadable) and first.ends_file:
        unread = path / first.place if path.is_dir() else path
        return CorpusError(f"{unread}: {first.error}", hint="check the file")
    missing = "" if isinstance(first, Unreadable) else "date" if not first.date else "text"
    reason = f"the record has no {missing}" if missing else first.error
    file, _, line = first.place.partition(":")
    file = str(path / file) if path.is_dir() else str(path)
    if "in double quotes" in reason:
        return CorpusError(f"{path}: {first.place} is not JSON: {reason}", hint="write it with json.dumps of Python")
    look = (
        f"look at it with: sed -n {line}p {file}" if line.isdecimal() and path.exists() else "look at its first records"
    )
    look = _TEXTS if reason.startswith("text outside") else look
    look = f"every record needs fields with names; {_SAVE_AGAIN}" if reason == "no JSON object" else look
    return CorpusError(f"{path} gives no article with the reader {name}; {first.place}: {reason}", hint=look)


def _guess_of(name: str, path: Path) -> Guess:
    if not isinstance(make_reader(name, path, {}), RowFiles):
        return Guess(name, path, {}, {})
    best, options, most = list[Any](), dict[str, Any](), 0
    entries: list[Any] = []
    for trial in _TRIALS.get(name, ({},)):
        entries = _first_rows(name, path, trial, _ROWS)
        rows = [entry for entry in entries if not isinstance(entry, Unreadable)]
        bad = len(entries) - len(rows)
        if rows and (not best or len(rows) - bad > most):
            best, options, most = rows, trial, len(rows) - bad
        if not bad:
            break
    if not best:
        raise _no_article(name, path, _first_rows(name, path, {}, 1))
    if remedy := table_remedy(root_of(path) / best[0].place.partition(":")[0], best[0].values):
        raise CorpusError(f"{path} holds a whole table in one object", hint=remedy)
    values = [row.values for row in best]
    in_list = _in_list(path, values, _folders(entries))
    try:
        guessed = guess_fields(path, values, _folders(entries))
    except ConfigError as error:
        beside = None if in_list else _texts_beside(path, best)
        if beside:
            guessed = beside
        elif in_list:
            guessed = in_list[1]
        else:
            raise _of_first_file(path, entries, error) from None
    # A list of a single article is also found as if it were an object.
    if in_list and (guessed is in_list[1] or str(guessed.options["fields"]["date"]).startswith(f"{in_list[0]}.")):
        guessed, options = in_list[1], options | {"items": in_list[0]}
    return Guess(name, path, options | guessed.options, guessed.ingest, (*guessed.notes, *_files_beside(name, path)))


def _first_rows(name: str, path: Path, options: Mapping[str, Any], count: int) -> list[Any]:
    reader = make_reader(name, path, options)
    return reader.first_rows(count) if isinstance(reader, RowFiles) else []


def _of_first_file(path: Path, entries: Sequence[Any], error: ConfigError) -> ConfigError:
    """The error of the first file of a folder whose rows alone give it; else the error of all files."""
    rows = [entry for entry in entries if not isinstance(entry, Unreadable)]
    for file, of_file in itertools.groupby(rows, key=lambda row: row.place.partition(":")[0]):
        try:
            guess_fields(path / file if path.is_dir() else path, [row.values for row in of_file], _folders(entries))
        except ConfigError as found:
            return ConfigError(found.message, hint=error.hint)
    return error


def _texts_beside(path: Path, rows: Sequence[Row]) -> FieldGuess | None:
    """The fields of rows whose texts are in files beside theirs; None if the rows have no such files, or lack other fields."""
    files = [path / row.place.partition(":")[0] for row in rows] if path.is_dir() else []
    if len(set(files)) < len(files):  # a file beside many rows is the text of none
        return None
    names = ["*.txt", *(file.name for file in sorted(files[0].parent.glob("*.txt")))] if files else []
    for name in names:
        texts = [Beside(name).path(file) for file in files]
        if all(text.is_file() for text in texts):
            contents = [{_TEXT: text.read_text(encoding="utf-8", errors="replace")} for text in texts]
            with contextlib.suppress(ConfigError):
                guessed = guess_fields(
                    path, [{**row.values, **text} for row, text in zip(rows, contents, strict=True)], set()
                )
                if guessed.options["fields"].pop("text") == _TEXT:
                    titles = [text[_TEXT].partition("\n")[0] for text in contents]
                    # A field that is the first line of every text is its title, whatever it is called.
                    title = [key for key in rows[0].values if [row.values.get(key) for row in rows] == titles]
                    fields = guessed.options["fields"] | ({"title": title[0]} if title else {})
                    fields["text"] = {"file": name}
                    return guessed._replace(options=guessed.options | {"fields": fields})
    return None


def _files_beside(name: str, path: Path) -> list[str]:
    """A note with the number of .json files in a folder that are not read because others have lines of JSON."""
    reader = make_reader(name, path, {})
    reader_files = (
        set(reader.files) if name == "jsonl" and path.is_dir() and isinstance(reader, FileCorpus) else set[Path]()
    )
    beside = [file for file in path.rglob("*.json") if file not in reader_files] if reader_files else []
    return [f"{len(beside):,} .json files beside the lines are not read; a glob reads them"] if beside else []


def _in_list(path: Path, rows: Sequence[Mapping[str, Any]], folders: set[str]) -> tuple[str, FieldGuess] | None:
    """The field with a list of articles, and their fields; None if there is no such list."""
    for items in _lists(rows):
        inner = [item for row in rows for item in objects_below(row, items)]
        with contextlib.suppress(ConfigError):
            return items, guess_fields(path, inner, folders)
    return None


def _folders(entries: Sequence[Any]) -> set[str]:
    """The keys of the folders ``key=value`` of the files."""
    return {folder.partition("=")[0] for entry in entries for folder in entry.place.split("/")[:-1] if "=" in folder}


def _lists(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The dotted names of the fields of the first row that are lists of objects."""
    names, waiting = list[str](), list(rows[0].items())
    while waiting:
        name, value = waiting.pop(0)
        if isinstance(value, Mapping):
            waiting += [(f"{name}.{key}", below) for key, below in value.items()]
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            names.append(name)
    return names


def table_remedy(file: Path, value: Mapping[str, Any]) -> str:
    """What makes JSON lines of a file if its object is a table with the fields of articles; else an empty string.

    The forms are those of ``orient`` in pandas: by columns (also as lists), by rows (``index``), and ``split``.
    """
    forms = {"": _by_columns, "orient='index', ": _by_rows, "orient='split', ": _split}
    for orient, rows_of in forms.items():
        labels, rows = rows_of(value)
        if _has_articles(file, rows):
            has_ids = "id" not in rows[0] and labels != [str(number) for number in range(len(rows))]
            # Lines have no labels of rows, which may be the ids of the articles.
            arguments = (
                "dtype=False, convert_axes=False).rename_axis('id').reset_index()" if has_ids else "dtype=False)"
            )
            return f"in pandas: pd.read_json({str(file)!r}, {orient}{arguments}.{_NEW}"
    return ""


# The labels of the rows, and the rows.
_Table = tuple[list[str], list[dict[str, Any]]]


def _by_columns(value: Mapping[str, Any]) -> _Table:
    columns = {name: _numbered(column) for name, column in value.items()}
    labels = _common_keys(list(columns.values()))
    return list(map(str, labels)), [{name: column[label] for name, column in columns.items()} for label in labels]


def _by_rows(value: Mapping[str, Any]) -> _Table:
    rows = list(value.values())
    # A single article in an object is no table.
    return (list(value), rows) if len(rows) > 1 and _common_keys(rows) else ([], [])


def _split(value: Mapping[str, Any]) -> _Table:
    names, data, index = (value.get(key) for key in ("columns", "data", "index"))
    if not isinstance(names, list) or not isinstance(data, list) or not all(isinstance(row, list) for row in data):
        return [], []
    rows = [dict(zip(map(str, names), row, strict=False)) for row in data]
    return list(map(str, index)) if isinstance(index, list) else [], rows


def _numbered(column: Any) -> Any:
    """A list of single values as an object by number, as a column by labels is; other values unchanged."""
    is_column = isinstance(column, list) and not any(isinstance(value, Mapping) for value in column)
    return dict(enumerate(column)) if is_column else column


def _common_keys(values: list[Any]) -> list[Any]:
    """The keys of values that are all objects with the same keys; else none."""
    alike = all(isinstance(value, Mapping) and value.keys() == values[0].keys() for value in values)
    return list(values[0]) if values and alike else []


def _has_articles(file: Path, rows: list[dict[str, Any]]) -> bool:
    try:
        return bool(rows) and bool(guess_fields(file, rows[:_ROWS], set()))
    except ConfigError:
        return False
