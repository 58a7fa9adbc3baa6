"""The language of ``--where``: conditions over the fields of records, parsed by recursive descent.

    condition  = and {"or" and}
    and        = not {"and" not}
    not        = "not" not | "(" condition ")" | test
    test       = field [operator value]
    operator   = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" (contains, case ignored)
    value      = number | date | word | "quoted text" | true | false

A field is a dotted path, as the documentation names it: ``passage.tokens``, ``candidates.rule``. A path through a list selects
every element. A field alone holds if its value is not empty, zero or false. A comparison with a missing value does not hold.
A list is compared by its length. A test of a field with several values (``candidates.rule``) holds if it holds for one value.
"""

from __future__ import annotations

import datetime as dt
import difflib
import operator
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from wdw_build.errors import UsageError

Condition = Callable[[Any], bool]

_TOKEN = re.compile(
    r"""\s*(?:(?P<op><=|>=|!=|==|[=<>~()])|"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<word>[^\s()<>=!~"']+))"""
)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_MAX_DEPTH = 50
_HINT = "such as: choices >= 4 and passage.title ~ ferry"
_PATH_DEPTH = 3


# ---- fields --------------------------------------------------------------------------------------------------------


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


def known(kind: Any, depth: int = _PATH_DEPTH) -> list[str]:
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


# ---- conditions -----------------------------------------------------------------------------------------------------


class _Token(msgspec.Struct, frozen=True):
    kind: str
    text: str
    place: int


def _tokens(text: str) -> list[_Token]:
    tokens, offset = [], 0
    while offset < len(text.rstrip()):
        match = _TOKEN.match(text, offset)
        if match is None:
            rest = text[offset:].lstrip()
            place = len(text) - len(rest) + 1
            raise UsageError(f"--where: {rest!r} at character {place} is not part of a condition", hint=_HINT)
        kind = str(match.lastgroup)
        place = match.start(kind)
        tokens.append(_Token("quoted" if kind in {"double", "single"} else kind, match[kind], place + 1))
        offset = match.end()
    return tokens


class _Parser:
    """Recursive descent over the tokens of one condition."""

    def __init__(self, kind: type[msgspec.Struct], text: str) -> None:
        self._kind, self._tokens, self._at, self._depth = kind, _tokens(text), 0, 0
        self._end = _Token("end", "the end", len(text) + 1)

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else self._end

    def _take(self, text: str) -> bool:
        token = self._next
        # A quoted word is always a value, even "and".
        if token.kind in {"op", "word"} and token.text == text:
            self._at += 1
            return True
        return False

    def whole(self) -> Condition:
        """Parse the whole text."""
        condition = self._any()
        if self._next is not self._end:
            raise self._error("'and', 'or' or the end")
        return condition

    def _error(self, wanted: str) -> UsageError:
        before = self._tokens[self._at - 1].text if self._at else ""
        has_swapped_sign = before == "=" and self._next.text in ("<", ">")
        hint = f"write {self._next.text}= for ={self._next.text}" if has_swapped_sign else _HINT
        return UsageError(
            f"--where: {wanted} expected at character {self._next.place}, not {self._next.text!r}", hint=hint
        )

    def _any(self) -> Condition:
        return self._joined("or", self._all, any)

    def _all(self) -> Condition:
        return self._joined("and", self._not, all)

    def _joined(self, word: str, part: Callable[[], Condition], combine: Callable[[Iterable[bool]], bool]) -> Condition:
        parts = [part()]
        while self._take(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else lambda record: combine(holds(record) for holds in parts)

    def _not(self) -> Condition:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise UsageError(f"--where: nested more than {_MAX_DEPTH} levels deep", hint=_HINT)
        try:
            if self._take("not"):
                inner = self._not()
                return lambda record: not inner(record)
            if self._take("("):
                inner = self._any()
                if not self._take(")"):
                    raise self._error("')'")
                return inner
            return self._test()
        finally:
            self._depth -= 1

    def _test(self) -> Condition:
        if self._next.kind != "word":
            raise self._error("a field")
        field = resolve(self._kind, self._next.text)
        self._at += 1
        sign = self._next
        if sign.kind != "op" or sign.text in "()":
            return lambda record: any(bool(value) for value in field.values(record))
        self._at += 1
        value = self._next
        if value.kind not in {"word", "quoted"}:
            raise self._error("a value")
        self._at += 1
        return _comparison(field, sign.text, value.text)


def _comparison(field: Field, sign: str, text: str) -> Condition:
    if sign == "~":
        wanted = text.casefold()
        return lambda record: any(
            wanted in _plain(value).casefold() for value in field.values(record) if value is not None
        )
    compare, value = _COMPARE[sign], _value(field, text)
    if field.kind == "list":
        return lambda record: any(compare(len(elements), value) for elements in field.values(record))
    return lambda record: any(actual is not None and compare(actual, value) for actual in field.values(record))


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else str(msgspec.to_builtins(value))


def _value(field: Field, text: str) -> Any:
    """The text as a value of the field's type. Raises ``UsageError`` if it cannot be one."""
    name = ".".join(field.path)
    try:
        match field.kind:
            case "number" | "list":
                return float(text)
            case "date":
                return dt.date.fromisoformat(text)
            case "truth":
                return {"true": True, "false": False}[text.lower()]
            case "record":
                raise UsageError(f"--where: {name} is a record: compare one of its fields", hint=_HINT)
    except (ValueError, KeyError) as error:
        needs = {"number": "a number", "list": "a number (its length)", "date": "a date such as 2014-03-04"}
        raise UsageError(
            f"--where: {name} must be compared with {needs.get(field.kind, 'true or false')}, not {text!r}", hint=_HINT
        ) from error
    return text


def where(kind: type[msgspec.Struct], text: str) -> Condition:
    """Compile a condition on records of a type. Raises ``UsageError`` with the position of the first error."""
    return _Parser(kind, text).whole()
