"""The page of systems that ``bench`` measures, with their settings, from their descriptors."""

from __future__ import annotations

from reference.configuration import key_rows
from reference.tables import page, table
from wdw_build.reading import SystemEntry
from wdw_build.registry import SYSTEMS, system_entry

Key = tuple[str, str, str]

INTRODUCTION = """The systems that `wdw-build bench` measures, in the order of its table:

```console
$ wdw-build bench -c FILE --systems sliding-window,as-reader
```

[Measure how hard a dataset is](../howto/measure-difficulty.md) shows how to choose and train them,
[Systems](../explanation/systems.md) how they work. Set the settings of a system in the configuration under
`bench.settings`, by the name of the system:

```yaml
bench:
  settings:
    as-reader: {hidden: 128, epochs: 5}
```

*Trained*: the system learns from the training split; *seeds*: its training is random, and `bench.seeds` trains it
several times. *Paper*: accuracy in the paper's Table 4 on its own dataset, with strict and with relaxed training."""


# Systems that have three quarters of their keys in common share a table.
_ALIKE = 0.75


def systems() -> str:
    """Every built-in system, and tables of settings for those that have any."""
    entries = [system_entry(name) for name in SYSTEMS]
    groups = _groups([entry for entry in entries if _keys(entry)])
    anchors = {entry.name: _anchor(group) for group in groups for entry in group}
    return page("Systems of bench", INTRODUCTION, _overview(entries, anchors), *map(_settings, groups))


def _overview(entries: list[SystemEntry], anchors: dict[str, str]) -> str:
    rows = [
        (
            f"[`{entry.name}`](#{anchors[entry.name]})" if entry.name in anchors else f"`{entry.name}`",
            entry.group,
            entry.title,
            entry.source,
            "yes" if entry.trained else "",
            "yes" if entry.seeded else "",
            " / ".join(f"{value:.2f}" for value in entry.paper if value is not None),
        )
        for entry in entries
    ]
    return table(("name", "group", "system", "source", "trained", "seeds", "paper"), rows)


def _keys(entry: SystemEntry) -> dict[Key, str]:
    """Key, values and meaning -> default."""
    return {(name, allowed, meaning): default for name, allowed, default, meaning in key_rows(entry.settings)}


def _groups(entries: list[SystemEntry]) -> list[list[SystemEntry]]:
    """Systems with nearly the same keys, in the order of the first of them."""
    groups: list[list[SystemEntry]] = []
    for entry in entries:
        mine = _keys(entry).keys()
        alike = [
            group
            for group in groups
            if len(mine & (first := _keys(group[0]).keys())) >= _ALIKE * min(len(mine), len(first))
        ]
        if alike:
            alike[0].append(entry)
        else:
            groups.append([entry])
    return groups


def _title(group: list[SystemEntry]) -> str:
    return ", ".join(entry.name for entry in group)


def _anchor(group: list[SystemEntry]) -> str:
    return _title(group).replace(", ", "-")


def _settings(group: list[SystemEntry]) -> str:
    """One table for the group; where defaults differ or systems lack a key, the default names the systems."""
    keys = {entry.name: _keys(entry) for entry in group}
    rows = []
    for key in dict.fromkeys(key for own in keys.values() for key in own):
        name, allowed, meaning = key
        owners: dict[str, list[str]] = {}
        for system, own in keys.items():
            if key in own:
                owners.setdefault(own[key], []).append(system)
        everywhere = len(owners) == 1 and all(key in own for own in keys.values())
        defaults = [value if everywhere else f"{value} ({', '.join(names)})" for value, names in owners.items()]
        rows.append((name, allowed, "; ".join(defaults), meaning))
    return f"## {_title(group)}\n\n{table(('key', 'values', 'default', 'meaning'), rows)}"
