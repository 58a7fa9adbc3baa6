"""Presets: named sets of values for the keys of a configuration. A key that is given in the file or by ``--set`` wins.

``careful`` is the declared defaults. ``paper`` turns off every rule that the paper does not have (docs/reference/algorithm.md,
*Added*), and keeps Algorithms 1 and 2 and the suppression. The declaration of a key holds its value in a preset:
``Meta(extra={"paper": False})``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

import msgspec

from wdw_build.core.config.settings import Config, Preset, Section
from wdw_build.core.plugins import config_type

Values = Mapping[str, Mapping[str, Any]]


def _declared(preset: str, section: type[Section]) -> Iterator[tuple[str, Any]]:
    """(key, value) for the keys of a section that the preset sets."""
    for key, hint in get_type_hints(section, include_extras=True).items():
        for meta in getattr(hint, "__metadata__", ()):
            values = meta.extra or {} if isinstance(meta, msgspec.Meta) else {}
            if preset in values:
                yield key, values[preset]


def preset_values(preset: str, config: type[Config] = Config) -> Values:
    """Section -> key -> value, for the keys that a preset sets."""
    sections = {name: hint for name, hint in get_type_hints(config).items() if isinstance(hint, type)}
    values = {name: dict(_declared(preset, hint)) for name, hint in sections.items() if issubclass(hint, Section)}
    return {name: keys for name, keys in values.items() if keys}


PRESETS: Mapping[str, Values] = {preset: preset_values(preset) for preset in get_args(Preset)}


def with_preset(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a configuration over those of its preset. An unknown preset is left to the decoder to refuse."""
    preset = raw.get("preset")
    values = preset_values(preset, config_type()) if isinstance(preset, str) and preset in PRESETS else {}
    merged = dict(raw)
    for section, keys in values.items():
        given = raw.get(section)
        # A section that is not a mapping is an error, which the decoder names.
        if given is None or isinstance(given, Mapping):
            merged[section] = {**keys, **(given or {})}
    return merged
