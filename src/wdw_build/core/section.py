"""The base of every section of the configuration, the types that sections share, and the descriptions of their keys.

A description is the string below the declaration of a field, read from the source code; other structs have them, too.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
import typing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta

from wdw_build.errors import ConfigError

_NOT_TEXT = re.compile(r"Expected `[^`]*\bstr\b[^`]*`, got `(?:int|float|bool|date|datetime|time)`")

# Java, which searches the index, has whole numbers of 32 bits.
LARGEST_INT = 2**31 - 1
PositiveInt = Annotated[int, Meta(ge=1, le=LARGEST_INT)]
NonNegativeInt = Annotated[int, Meta(ge=0, le=LARGEST_INT)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]


def paper(value: Any) -> Meta:
    """Annotates the type of a key with its value in ``preset: paper``; without it, that is the default."""
    return Meta(extra={"paper": value})


# A rule that the paper does not have (docs/reference/algorithm.md, *Added*). It is no key: ``rules.off`` names the rules that
# are off.
AddedRule = Annotated[bool, Meta(extra={"paper": False, "rule": True})]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the configuration's sections. The string below a key is its description."""


def extras(kind: type[Section], name: str) -> dict[str, Any]:
    """Field -> what its type declares under ``name`` (``paper``, ``rule``), for the fields that declare it."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        key: meta.extra[name]
        for key in kind.__struct_fields__
        for meta in getattr(hints[key], "__metadata__", ())
        if meta.extra and name in meta.extra
    }


def in_quotes(error: msgspec.ValidationError, given: Any) -> tuple[str, str] | None:
    """The key of a text that YAML read as a number, a date, or true or false, and its value in quotes; None for other errors.

    ``given``: the keys with the values as they were decoded, or better as they are written. For a text in a list, the key and
    value are those of the list. Raises ``LookupError`` if ``given`` lacks the key.
    """
    fault, _, path = str(error).partition(" - at ")
    if not _NOT_TEXT.match(fault):
        return None
    key, value = "", given
    for step in re.findall(r"[^.\[\]`$]+", path.partition("[...]")[0]):
        if isinstance(given, Mapping):
            given = given[step]
            key, value = step, given
        else:
            given = given[int(step)]
    return key, msgspec.json.encode(_as_text(value)).decode()


def write_in_quotes(error: msgspec.ValidationError, given: Any) -> str:
    """The hint to write a text in quotes that YAML read as another type (see ``in_quotes``); empty for other errors."""
    quoted = in_quotes(error, given)
    return "write it in quotes, as it stands in the file, such as {}: {}".format(*quoted) if quoted else ""


def _as_text(value: Any) -> Any:
    """The value with texts in place of what YAML reads as other types."""
    if isinstance(value, Mapping):
        return {key: _as_text(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [_as_text(below) for below in value]
    # YAML reads the words yes, no, on and off, also in capitals, as true or false.
    return ("on" if value else "NO") if isinstance(value, bool) else str(value)


def refuse_empty_range(low_key: str, low: int, high_key: str, high: int) -> None:
    """Raise ``ConfigError`` if the lower bound is above the upper bound."""
    if low > high:
        raise ConfigError(
            f"{low_key} ({low}) is above {high_key} ({high})", hint=f"lower {low_key}, or raise {high_key}"
        )


def refuse_repeats(key: str, values: Iterable[str], what: str) -> None:
    """Raise ``ConfigError`` if a list names a value twice."""
    for name, count in Counter(values).items():
        if count > 1:
            raise ConfigError(f"{key} has {name!r} {count} times", hint=f"name each {what} once")


# ---- descriptions ----------------------------------------------------------------------------------------------------

Struct = type[msgspec.Struct]


def field_docs(kind: Struct) -> dict[str, str]:
    """Field -> description in one line, for the fields of a struct and of its bases that have one."""
    docs: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            docs |= _declared(base)
    return docs


@functools.cache
def _declared(kind: Struct) -> dict[str, str]:
    module = sys.modules.get(kind.__module__)
    tree = ast.parse(inspect.getsource(module)) if module is not None else ast.Module([], [])
    bodies = [node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__]
    docs = {}
    for field, below in pairwise(bodies[0] if bodies else []):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))) if (
                name in kind.__struct_fields__  # not a constant of the class
            ):
                docs[name] = " ".join(text.split())
    return docs


def schema(kind: Struct) -> dict[str, Any]:
    """The JSON schema of a struct, with the descriptions of all fields."""
    json_schema = msgspec.json.schema(kind)
    for part in {kind, *contained(kind)}:
        properties = json_schema["$defs"][part.__name__]["properties"]
        for name, text in field_docs(part).items():
            properties[name] = {"description": text, **properties[name]}
    return json_schema


def contained(kind: Struct) -> frozenset[Struct]:
    """The structs that are in the fields of a struct, at any depth, also within tuples, mappings and unions."""
    structs: set[Struct] = set()
    open_kinds = [kind]
    while open_kinds:
        inside = {part for hint in typing.get_type_hints(open_kinds.pop()).values() for part in _structs_of(hint)}
        open_kinds += inside - structs
        structs |= inside
    return frozenset(structs)


def _structs_of(hint: Any) -> Iterator[Struct]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for argument in typing.get_args(hint):
        yield from _structs_of(argument)
