"""The columns of the tabular formats, derived from the declaration of the JSON lines."""

from __future__ import annotations

import datetime as dt
import typing
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

Kind = Literal["text", "date", "integer", "number", "texts", "struct"]
# All these formats allow nulls in a column.
_KINDS: dict[Any, Kind] = {
    str: "text",
    dt.date: "date",
    int: "integer",
    float: "number",
    float | None: "number",
    tuple[str, ...]: "texts",
}


@dataclass(frozen=True)
class Column:
    """A column; ``below`` holds the fields of a struct."""

    name: str
    kind: Kind
    below: tuple[Column, ...] = ()


def columns_of(kind: type[msgspec.Struct]) -> tuple[Column, ...]:
    """The columns for a declaration's fields, in their order."""
    hints = typing.get_type_hints(kind)
    return tuple(_column(name, hints[name]) for name in kind.__struct_fields__)


def _column(name: str, hint: Any) -> Column:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return Column(name, "struct", columns_of(hint))
    return Column(name, _KINDS[hint])
