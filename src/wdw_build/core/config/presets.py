"""Presets: named sets of values for the keys of a configuration. A key that is given in the file or by ``--set`` wins.

``careful`` is the declared defaults. ``paper`` is the values that keys declare with ``section.paper``: every rule that the
paper does not have is off (docs/reference/algorithm.md, *Added*), and Algorithms 1 and 2 and the suppression remain.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Mapping
from typing import Any

from wdw_build.core.config.section import Section
from wdw_build.core.config.settings import Config


@functools.cache
def paper_values(config: type[Config] = Config) -> Mapping[str, Mapping[str, Any]]:
    """Section -> key -> value in ``preset: paper``, of the keys whose value is not the default."""
    sections = {name: kind for name, kind in typing.get_type_hints(config).items() if name in config.__struct_fields__}
    values = {name: _of_section(kind) for name, kind in sections.items() if _is_section(kind)}
    return {name: keys for name, keys in values.items() if keys}


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Section)


def _of_section(kind: type[Section]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return {
        key: meta.extra["paper"]
        for key in kind.__struct_fields__
        for meta in getattr(hints[key], "__metadata__", ())
        if meta.extra and "paper" in meta.extra
    }


def with_preset(raw: Mapping[str, Any], config: type[Config] = Config) -> dict[str, Any]:
    """The keys of a configuration over those of its preset. An unknown preset is left to the decoder to refuse."""
    merged = dict(raw)
    for section, keys in paper_values(config).items() if raw.get("preset") == "paper" else ():
        given = raw.get(section)
        # A section that is not a mapping is an error, which the decoder names.
        if given is None or isinstance(given, Mapping):
            merged[section] = {**keys, **(given or {})}
    return merged
