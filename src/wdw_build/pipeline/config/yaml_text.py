"""Parses the YAML of a configuration, and refuses what YAML allows and no configuration needs.

Refused are keys that occur twice, deep nesting, aliases that expand to very many values or contain themselves, keys that
are not text, numbers that are not finite, and text that no file name and no output could contain.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from wdw_build.core.text_files import has_surrogates
from wdw_build.errors import ConfigError

_MAX_DEPTH = 50
_TEXT, _BOOL = "tag:yaml.org,2002:str", "tag:yaml.org,2002:bool"
# A value behind an alias counts as often as the alias is used.
_MAX_VALUES = 100_000


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, which remembers the first key that occurs twice in a mapping."""

    repeated = ""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        lines: dict[str, int] = {}
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            line = key.start_mark.line + 1
            # YAML 1.1 reads the key "off" as false.
            key.tag = _TEXT if key.tag == _BOOL else key.tag
            if key.value in lines and not self.repeated:
                self.repeated = f"the key {key.value!r} occurs in line {lines[key.value]} and again in line {line}"
            lines[key.value] = line
        return node

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        super().flatten_mapping(node)
        if len(node.value) > _MAX_VALUES:
            raise yaml.YAMLError(f"merge keys (<<) give more than {_MAX_VALUES:,} keys")


def parse_yaml(text: str, source: str, hint: str) -> Any:
    """The value of a YAML document. Raises ``ConfigError`` that names ``source``; ``hint`` is for text that is not YAML."""
    try:
        loader = _Loader(text)
        value = loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" (line {mark.line + 1}, column {mark.column + 1})" if mark else ""
        raise ConfigError(f"{source} is not YAML: {error.problem}{place}", hint=hint) from error
    except (yaml.YAMLError, ValueError) as error:
        # ValueError: a date that does not exist, such as 2014-02-30.
        raise ConfigError(f"{source} is not YAML: {error}", hint=hint) from error
    except RecursionError:
        raise _too_deep(source) from None
    if loader.repeated:
        raise ConfigError(f"{source}: {loader.repeated}", hint="keep one of the two")
    return value


def written_values(text: str) -> Any:
    """The value of a YAML document in which every single value is the text that is written. Raises ``YAMLError``."""
    return yaml.load(text, yaml.BaseLoader)  # noqa: S506 (it makes no other objects than texts, lists and mappings)


def check_values(raw: Mapping[str, Any], source: str) -> None:
    """Raise ``ConfigError``, which names the key, for a key or a value that no configuration can contain."""
    for count, (where, value) in enumerate(_values(raw, "", 0, source), 1):
        if count > _MAX_VALUES:
            raise ConfigError(
                f"{source} has more than {_MAX_VALUES:,} values, counting those behind an alias (*name) at each use",
                hint="write fewer values, without aliases of aliases",
            )
        if reason := _why_refused(value):
            raise ConfigError(f"{source}: {where}: {reason}", hint=f"give {where} another value")


def _values(value: Any, where: str, depth: int, source: str) -> Iterator[tuple[str, Any]]:
    """Yield the keys, lists and single values at any depth, each with the key that leads to it."""
    if depth > _MAX_DEPTH:
        raise _too_deep(source)
    yield where, value
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                at = f"{where}: " if where else ""
                raise ConfigError(f"{source}: {at}the key {key!r} is not text", hint=f"write it in quotes: '{key}'")
            path = f"{where}.{key}" if where else key
            yield path, key
            yield from _values(inner, path, depth + 1, source)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _values(inner, f"{where}[{number}]", depth + 1, source)


def _why_refused(value: Any) -> str:
    if isinstance(value, str):
        if "\0" in value:
            return "it contains a null character"
        if has_surrogates(value):
            return "it contains half a surrogate pair, which is not a character"
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a finite number"
    if value is None or isinstance(value, Mapping | list | tuple | int | float | dt.date):
        return ""
    return f"a value of the type {type(value).__name__} cannot be used"


def _too_deep(source: str) -> ConfigError:
    return ConfigError(
        f"{source} is nested more than {_MAX_DEPTH} levels deep",
        hint="check the brackets, and that no alias (*name) contains itself",
    )
