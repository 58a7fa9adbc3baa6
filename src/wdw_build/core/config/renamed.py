"""The former names of configuration keys and values, and their replacement by the current names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wdw_build.errors import ConfigError

# Former names of keys (section.key) and of values, still read, with a warning.
RENAMED = {
    "baselines.order": "baselines.ngram_order",
    "dedup.max_per_answer": "suppress.max_per_answer",
    "dedup.max_per_event": "suppress.max_per_event",
    "dedup.max_per_passage": "suppress.max_per_passage",
    "dedup.min_answer_cap": "suppress.min_answer_cap",
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
        new_section, new_key = new.split(".")
        values = raw.get(section)
        if not isinstance(values, dict) or key not in values:
            continue
        if raw.get(new_section) is None:
            raw[new_section] = {}
        new_values = raw[new_section]
        if not isinstance(new_values, dict):
            continue  # the decoder names this error
        if new_key in new_values and not replace:
            raise ConfigError(f"{old} and {new} are both given", hint=f"{old} is the former name of {new}: remove it")
        new_values[new_key] = values.pop(key)
        yield f"{old} is now called {new}"


def _rename_values(raw: dict[str, Any]) -> Iterator[str]:
    for path, names in RENAMED_VALUES.items():
        section, key = path.split(".")
        values = raw.get(section)
        value = values.get(key) if isinstance(values, dict) else None
        if isinstance(values, dict) and isinstance(value, str) and value in names:
            values[key] = names[value]
            yield f"{path}: {value} is now called {names[value]}"
