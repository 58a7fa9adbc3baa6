"""Files of JSON that hold a whole table as one object, as pandas writes it by default: what makes lines of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wdw_build.corpus_look.field_guess import guess_fields
from wdw_build.errors import ConfigError

# Rows that show which fields there are.
_ROWS = 200
# Without dtype and date_format, pandas turns ids such as 007 into numbers, and dates into milliseconds.
_NEW = "to_json('articles.jsonl', orient='records', lines=True, date_format='iso')"
SAVE_AGAIN = f"in pandas, save the table again: df.{_NEW}"


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
            read = "dtype=False, convert_axes=False).rename_axis('id').reset_index()" if has_ids else "dtype=False)"
            return f"in pandas: pd.read_json({str(file)!r}, {orient}{read}.{_NEW}"
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
