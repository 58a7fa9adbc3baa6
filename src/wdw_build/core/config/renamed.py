"""The former names of configuration keys and values, and their replacement by the current names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wdw_build.errors import ConfigError

# Former names of keys (section.key) and of values, still read, with a warning.
RENAMED = {
    "baselines.order": "baselines.ngram_order",
    "nlp.mend_mentions": "nlp.repair_mentions",
    "nlp.settle_names": "nlp.document_level_names",
    "retrieve.max_figures": "retrieve.max_numeric_ratio",
    "retrieve.name": "retrieve.name_match",
    "retrieve.order": "retrieve.rank_by",
}
RENAMED_VALUES = {
    "suppress.strict": {"random": "chance"},
    "suppress.relaxed": {"random": "chance"},
}


def rename_keys(raw: dict[str, Any], *, replace: bool = False) -> list[str]:
    """Replace former names of keys and values by the current ones, in place; returns one warning per replacement.

    Raises ``ConfigError`` if a key is given under both names; with ``replace`` the value of the former name wins.
    """
    return [*_rename_keys(raw, replace), *_rename_values(raw)]


def _rename_keys(raw: dict[str, Any], replace: bool) -> Iterator[str]:
    for old, new in RENAMED.items():
        section, key = old.split(".")
        values, new_key = raw.get(section), new.split(".")[1]
        if not isinstance(values, dict) or key not in values:
            continue
        if new_key in values and not replace:
            raise ConfigError(f"{old} and {new} are both given", hint=f"{old} is the former name of {new}: remove it")
        values[new_key] = values.pop(key)
        yield f"{old} is now called {new}"


def _rename_values(raw: dict[str, Any]) -> Iterator[str]:
    for path, names in RENAMED_VALUES.items():
        section, key = path.split(".")
        values = raw.get(section)
        value = values.get(key) if isinstance(values, dict) else None
        if isinstance(values, dict) and isinstance(value, str) and value in names:
            values[key] = names[value]
            yield f"{path}: {value} is now called {names[value]}"
