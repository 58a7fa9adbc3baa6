"""Fields of a record type by dotted path, as the documentation names them: ``passage.tokens``, ``candidates.rule``.

A path through a list selects every element: ``candidates.rule`` has one value for each candidate.
"""

from __future__ import annotations

import datetime as dt
import difflib
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from wdw_build.errors import UsageError

_MAX_DEPTH = 3


@dataclass(frozen=True)
class Field:
    """A path and the kind of its values: ``text``, ``number``, ``date``, ``truth``, ``list`` or ``record``."""

    path: tuple[str, ...]
    kind: str

    def values(self, record: Any) -> Iterator[Any]:
        """Every value of a record at this path."""
        yield from _values(record, self.path)


def _values(value: Any, path: tuple[str, ...]) -> Iterator[Any]:
    if not path:
        yield value
    elif isinstance(value, Mapping):
        if path[0] in value:
            yield from _values(value[path[0]], path[1:])
    elif isinstance(value, (tuple, list)):
        for element in value:
            yield from _values(element, path)
    else:
        yield from _values(getattr(value, path[0]), path[1:])


def _element(annotation: Any) -> Any:
    """The element type of a list, or the type of an optional field without None; else the annotation itself."""
    arguments = typing.get_args(annotation)
    if isinstance(annotation, types.UnionType) and len(arguments) == 2 and arguments[1] is type(None):
        return arguments[0]
    return _element(arguments[0]) if typing.get_origin(annotation) in {tuple, list} and arguments else annotation


def _kind(annotation: Any) -> str:
    if isinstance(annotation, types.UnionType) and (present := _element(annotation)) is not annotation:
        return _kind(present)
    origin = typing.get_origin(annotation)
    if origin in {tuple, list, dict}:
        return "list"
    if isinstance(annotation, types.UnionType) or not isinstance(annotation, type):
        return "text"
    if issubclass(annotation, msgspec.Struct):
        return "record"
    if annotation is bool:
        return "truth"
    if issubclass(annotation, (int, float)):
        return "number"
    return "date" if issubclass(annotation, dt.date) else "text"


def _hints(kind: Any) -> dict[str, Any]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = typing.get_type_hints(kind)
        return {name: hints[name] for name in kind.__struct_fields__}
    return {}


def known(kind: Any, depth: int = _MAX_DEPTH) -> list[str]:
    """Every path of a record type, down to ``depth`` levels."""
    paths = []
    for name, annotation in _hints(kind).items():
        paths.append(name)
        if depth:
            paths += [f"{name}.{below}" for below in known(_element(annotation), depth - 1)]
    return paths


def resolve(kind: type[msgspec.Struct], text: str) -> Field:
    """The field of a path such as ``passage.tokens``. Raises ``UsageError`` with the nearest name if the type has no such field."""
    current: Any = kind
    path = tuple(text.split("."))
    for name in path:
        current = _element(current)
        if typing.get_origin(current) is dict:
            current = typing.get_args(current)[1]
            continue
        hints = _hints(current)
        if name not in hints:
            paths = known(kind)
            near = difflib.get_close_matches(text, paths, 1)
            hint = (
                f"did you mean {near[0]}?"
                if near
                else f"fields: {', '.join(name for name in paths if '.' not in name)}"
            )
            raise UsageError(f"{kind.__name__} has no field {text!r}", hint=hint)
        current = hints[name]
    return Field(path, _kind(current))
