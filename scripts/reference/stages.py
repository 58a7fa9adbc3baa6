"""The page of stages with their rejection reasons and rules, from the descriptors."""

from __future__ import annotations

from collections.abc import Mapping

from reference.tables import page, schema_name, table
from wdw_build.core.rule import Rule
from wdw_build.core.stage import Stage
from wdw_build.pipeline.stage_order import STAGES

INTRODUCTION = """This page lists what each stage reads and writes, and why it rejects records. To see a stage's rejections:

```console
$ wdw-build inspect questions --rejected -c configs/sample.yaml
```

A stage with `map` *scope* runs in shards on all workers and resumes after the last finished shard. It can also run a single record
(`wdw-build run STAGE --only ID`). A stage with `set` scope runs as one task, and starts again after an interruption."""

# So many reasons or rules are a list, not a table.
FEW = 4

REFUSALS = """A **reason** rejects a whole record. A **rule** refuses only part of the record: a person in a sentence, or a
candidate passage for a question."""


def stages() -> str:
    """Every stage: its facts, reasons and rules."""
    overview = table(("stage", "what it does", "writes", "scope"), map(_facts, STAGES))
    return page("Stages, reasons and rules", INTRODUCTION, overview, REFUSALS, *map(_refusals, STAGES))


def _facts(stage: Stage) -> tuple[str, ...]:
    return (
        f"[`{stage.name}`](../explanation/stages.md#{stage.name})",
        (stage.run.__doc__ or "").partition("\n")[0],
        f"[{stage.writes.__name__}](schemas/{schema_name(stage.writes)}.json)",
        f"`{stage.scope}`",
    )


def _refusals(stage: Stage) -> str:
    """The reasons and rules of a stage; empty if it has none."""
    also = {name: rule for name, rule in stage.rules.items() if stage.reasons.get(name) == rule}
    parts = [
        _meanings("reason", stage.reasons),
        f"These reasons are also rules: {', '.join(f'`{name}`' for name in also)}." if also else "",
        _meanings("rule", {name: rule for name, rule in stage.rules.items() if name not in also}),
    ]
    return "\n\n".join(filter(None, [f"## {stage.name}" if any(parts) else "", *parts]))


def _meanings(head: str, rules: Mapping[str, Rule]) -> str:
    """Reasons or rules, as a list if there are few; empty if there are none."""
    rows = [(f"`{name}`", rule.meaning) for name, rule in rules.items()]
    if len(rows) > FEW:
        return table((head, "meaning"), rows)
    return "\n".join(f"- {head} {name}: {meaning}" for name, meaning in rows)
