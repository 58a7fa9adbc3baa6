"""The descriptions of the fields of structs: the strings below their declarations, read from the source code."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import typing
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec

Struct = type[msgspec.Struct]


def field_docs(kind: Struct) -> dict[str, str]:
    """Field -> description in one line, for the fields of a struct and of its bases that have one."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found |= _declared(base)
    return found


@functools.cache
def _declared(kind: Struct) -> dict[str, str]:
    module = sys.modules.get(kind.__module__)
    tree = ast.parse(inspect.getsource(module)) if module is not None else ast.Module([], [])
    bodies = [node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__]
    found = {}
    for field, below in pairwise(bodies[0] if bodies else []):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))) if (
                name in kind.__struct_fields__  # not a constant of the class
            ):
                found[name] = " ".join(text.split())
    return found


def schema(kind: Struct) -> dict[str, Any]:
    """The JSON schema of a struct, with the descriptions of all fields."""
    made = msgspec.json.schema(kind)
    for part in {kind, *contained(kind)}:
        properties = made["$defs"][part.__name__]["properties"]
        for name, text in field_docs(part).items():
            properties[name] = {"description": text, **properties[name]}
    return made


def contained(kind: Struct) -> frozenset[Struct]:
    """The structs that are in the fields of a struct, at any depth, also within tuples, mappings and unions."""
    found: set[Struct] = set()
    open_kinds = [kind]
    while open_kinds:
        inside = {part for hint in typing.get_type_hints(open_kinds.pop()).values() for part in _structs_of(hint)}
        open_kinds += inside - found
        found |= inside
    return frozenset(found)


def _structs_of(hint: Any) -> Iterator[Struct]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for argument in typing.get_args(hint):
        yield from _structs_of(argument)
