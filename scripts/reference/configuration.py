"""The page of configuration keys, from the settings."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from reference.tables import as_yaml, default, linked, page, prose, table, values
from wdw_build.core.section import Section, field_docs
from wdw_build.pipeline.config.file import added_rules, paper_values
from wdw_build.pipeline.config.settings import Config
from wdw_build.pipeline.stage_order import BY_NAME, STAGES

INTRODUCTION = """Set keys in the configuration file or, for a single call, on the command line:

```console
$ wdw-build all -c FILE --set questions.min_tokens=8
```

Unknown, repeated or missing keys and out-of-bounds values are errors (exit code 2). `wdw-build config show -c FILE` prints the
whole configuration; `wdw-build config schema`, its JSON schema. Relative paths start at the configuration file's folder.
`output_dir` must be outside the corpus.

The *value* column shows the default and, in brackets, the bounds or the other values. Numbers without bounds must not be negative;
shares are between 0 and 1. *paper* is the default under [`preset: paper`](algorithm.md), if it differs."""


_RULES = """The names that `rules.off` may have. With `preset: paper`, all of them are off."""


def _rules() -> Iterator[tuple[str, str]]:
    """Every rule with its meaning, or with the reason that the page of stages explains."""
    reasons = {
        f"{stage.name}.{rule.keys[0]}": f"Refuse [`{reason}`](stages.md#{stage.name})."
        for stage in STAGES
        for reason, rule in {**stage.reasons, **stage.rules}.items()
        if len(rule.keys) == 1
    }
    return ((f"`{name}`", reasons.get(name, linked(meaning))) for name, meaning in added_rules().items())


def configuration() -> str:
    """Every key with its values, default and meaning, a table for each section."""
    fields = list(_fields(Config))
    top = [(field, kind) for field, kind in fields if not _is_section(kind)]
    parts = [f"## Top level\n\n{_table(Config, top, '')}"]
    parts += [_section(field.encode_name, kind) for field, kind in fields if _is_section(kind)]
    parts += [f"## Rules\n\n{_RULES}\n\n{table(('rule', 'what it does'), list(_rules()))}"]
    return page("Configuration", INTRODUCTION, *parts)


def key_rows(kind: type[Section]) -> list[tuple[str, str, str, str]]:
    """Key, values, default and meaning of each key of a section, without presets."""
    return [
        (f"`{field.encode_name}`", _allowed(hint), default(field), _meaning(kind, field))
        for field, hint in _fields(kind)
    ]


def _section(name: str, kind: type[Section]) -> str:
    stage = f" Stage: [{name}](../explanation/stages.md#{name})." if name in BY_NAME else ""
    return f"## {name}\n\n{linked(prose(kind.__doc__))}{stage}\n\n{_table(kind, list(_fields(kind)), f'{name}.')}"


def _table(section: type[Section], fields: list[tuple[msgspec.structs.FieldInfo, Any]], prefix: str) -> str:
    return table(("key", "value", "meaning"), list(_rows(section, fields, prefix)))


def _rows(
    section: type[Section], fields: Iterable[tuple[msgspec.structs.FieldInfo, Any]], prefix: str
) -> Iterator[tuple[str, ...]]:
    """A row for each key, also for those of a section within the section."""
    for field, kind in fields:
        name = f"{prefix}{field.encode_name}"
        if _is_section(kind):
            yield from _rows(kind, _fields(kind), f"{name}.")
        else:
            in_paper = paper_values().get(prefix.removesuffix("."), {})
            paper = f", paper: {as_yaml(in_paper[field.name])}" if field.name in in_paper else ""
            yield f"`{name}`", f"{_default_and_others(field, kind)}{paper}", _meaning(section, field)


def _default_and_others(field: msgspec.structs.FieldInfo, annotation: Any) -> str:
    """The default of a key and, in brackets, its bounds or its other values."""
    usual, allowed = default(field), _allowed(annotation).split(" or ")
    others = [value for value in allowed if value.strip("`") != usual.strip("`[]")]
    if not any(others):
        return usual
    return f"{usual} ({'or ' if others != allowed else ''}{', '.join(others)})"


def _allowed(annotation: Any) -> str:
    """The bounds or the values of a key; empty for any value of its type, positive number or share."""
    if getattr(annotation, "__origin__", annotation) is bool:
        return ""
    allowed = re.sub(r"^(list of |map of )*(integer|number|text|map)?,? ?", "", values(annotation)).strip()
    allowed = allowed.removesuffix("not empty").rstrip(", ")
    return "" if re.fullmatch(r"[≥>] [01]|0 to 1", allowed) else allowed


def _meaning(section: type[Section], field: msgspec.structs.FieldInfo) -> str:
    """The description of a key: the string below it."""
    return linked(field_docs(section).get(field.name, ""))


def _fields(kind: type[Section]) -> Iterator[tuple[msgspec.structs.FieldInfo, Any]]:
    hints = typing.get_type_hints(kind, include_extras=True)
    rules = added_rules()
    names = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    own = next((name for name, section in typing.get_type_hints(Config).items() if section is kind), "")
    return ((field, hints[name]) for name, field in names.items() if f"{own}.{name}" not in rules)


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Section)
