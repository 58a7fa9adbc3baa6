"""The page of systems that ``bench`` measures, with their settings, from their descriptors."""

from __future__ import annotations

from collections import Counter
from collections.abc import KeysView

from reference.configuration import key_rows
from reference.tables import page, table
from wdw_bench.systems import ORDER
from wdw_build.pipeline.registry import system_entry
from wdw_build.reading import SystemEntry

Key = tuple[str, str, str]

INTRODUCTION = """`wdw-build bench` measures these systems, in the order of its table. `--list` prints their full names:

```console
$ wdw-build bench --list
```

To choose and train systems, see [Measure how hard a dataset is](../howto/measure-difficulty.md). Their settings go under
`bench.settings`:

```yaml
bench:
  settings:
    as-reader: {hidden: 128, epochs: 5}
```

The *training* column is *yes* for systems that learn from the training split, and *random* if the result also depends on a
seed (`bench.seeds`). The *paper* column gives the accuracy in the paper's Table 4, with strict / relaxed training. In the
*default* column, a value followed by system names is the default for those systems only."""

GROUPS = {
    "probe": "The `probes` group (partial-input baselines, which see only part of the problem)",
    "table 4": "The `table 4` group (the systems of the paper's Table 4)",
    "today": "The `today` group (later systems)",
}

# Systems that have most of their keys in common share a table.
_ALIKE = 0.6


def systems() -> str:
    """Every built-in system, and tables of settings for those that have any."""
    entries = [system_entry(name) for name in ORDER]
    groups = _groups([entry for entry in entries if _keys(entry)])
    anchors = {entry.name: _anchor(group) for group in groups for entry in group}
    return page("Systems of bench", INTRODUCTION, _overview(entries, anchors), *map(_settings, groups))


def _overview(entries: list[SystemEntry], anchors: dict[str, str]) -> str:
    """A table for each group of systems."""
    tables = []
    for group, title in GROUPS.items():
        rows = [_row(entry, anchors) for entry in entries if entry.group == group]
        head = ("name", "source", "training", "paper")
        columns = len(head) if any(row[-1] for row in rows) else len(head) - 1
        tables.append(f"{title}:\n\n{table(head[:columns], [row[:columns] for row in rows])}")
    return "\n\n".join(tables)


def _row(entry: SystemEntry, anchors: dict[str, str]) -> tuple[str, ...]:
    return (
        f"[`{entry.name}`](#{anchors[entry.name]})" if entry.name in anchors else f"`{entry.name}`",
        entry.source,
        "random" if entry.seeded else "yes" if entry.trained else "",
        " / ".join(f"{value:.2f}" for value in entry.paper if value is not None),
    )


def _keys(entry: SystemEntry) -> dict[Key, str]:
    """Key, values and meaning -> default."""
    return {(name, allowed, meaning): default for name, allowed, default, meaning in key_rows(entry.settings)}


def _groups(entries: list[SystemEntry]) -> list[list[SystemEntry]]:
    """Systems with nearly the same keys, in the order of the first of them."""
    groups: list[list[SystemEntry]] = []
    for entry in entries:
        mine = _keys(entry).keys()
        alike = [group for group in groups if any(_are_alike(mine, _keys(other).keys()) for other in group)]
        if alike:
            alike[0].append(entry)
        else:
            groups.append([entry])
    return groups


def _are_alike(some: KeysView[Key], others: KeysView[Key]) -> bool:
    return len(some & others) >= _ALIKE * min(len(some), len(others))


def _title(group: list[SystemEntry]) -> str:
    return ", ".join(entry.name for entry in group)


def _anchor(group: list[SystemEntry]) -> str:
    return _title(group).replace(", ", "-")


def _settings(group: list[SystemEntry]) -> str:
    """One table for the group: a default without a name is that of all systems that the cell does not name."""
    keys = {entry.name: _keys(entry) for entry in group}
    rows = []
    for key in dict.fromkeys(key for own in keys.values() for key in own):
        name, allowed, meaning = key
        defaults = _defaults({system: own[key] for system, own in keys.items() if key in own}, len(group))
        rows.append((name, _with_values(meaning, allowed), defaults))
    return f"## {_title(group)}\n\n{table(('key', 'meaning', 'default'), rows)}"


def _with_values(meaning: str, allowed: str) -> str:
    """The meaning of a key with its values or bounds, if it has any."""
    head = "Bounds" if allowed.startswith("≥") else "Values"
    return f"{meaning} {head}: {allowed}." if allowed else meaning


def _defaults(values: dict[str, str], systems: int) -> str:
    """The most frequent default, then the others with their systems; all with their systems if some lack the key."""
    usual = Counter(values.values()).most_common(1)[0][0] if len(values) == systems else ""
    owners: dict[str, list[str]] = {}
    for system, value in values.items():
        if value != usual:
            owners.setdefault(value, []).append(system)
    named = [f"{value} ({', '.join(names)})" for value, names in owners.items()]
    return "; ".join(filter(None, [usual, *named]))
