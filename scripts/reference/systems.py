"""The page of systems that ``bench`` measures, with their settings, from their descriptors."""

from __future__ import annotations

import msgspec

from reference.configuration import key_table
from reference.tables import page, table
from wdw_build.reading import SystemEntry
from wdw_build.registry import SYSTEMS, system_entry

INTRODUCTION = """The systems that `wdw-build bench` measures, in the order of its table:

```console
$ wdw-build bench -c FILE --systems sliding-window,as-reader
```

[Measure how hard a dataset is](../howto/measure-difficulty.md) shows how to choose and train them,
[Systems](../explanation/systems.md) how they work. The settings of a system stand in the configuration under
`bench.settings`, by the name of the system:

```yaml
bench:
  settings:
    as-reader: {hidden: 128, epochs: 5}
```

*Trained*: the system learns from the training split; *seeds*: its training is random, and `bench.seeds` trains it
several times. *Paper*: accuracy in the paper's Table 4 on its own dataset, with strict and with relaxed training."""


def systems() -> str:
    """Every built-in system, and a table of settings for those that have any."""
    entries = [system_entry(name) for name in SYSTEMS]
    parts = [_settings(entry) for entry in entries if msgspec.structs.fields(entry.settings)]
    return page("Systems of bench", INTRODUCTION, _overview(entries), *parts)


def _overview(entries: list[SystemEntry]) -> str:
    rows = [
        (
            f"[`{entry.name}`](#{entry.name})" if msgspec.structs.fields(entry.settings) else f"`{entry.name}`",
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


def _settings(entry: SystemEntry) -> str:
    return f"## {entry.name}\n\n{key_table(entry.settings)}"
