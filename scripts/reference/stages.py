"""The page of stages with their rejection reasons and rules, from the descriptors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from reference.tables import output_place, page, table
from wdw_build.core.rule import Rule
from wdw_build.core.stage import Stage
from wdw_build.pipeline import STAGES

INTRODUCTION = """This page lists what each stage reads and writes, and why it rejects records. To see a stage's rejections:

```console
$ wdw-build inspect questions --rejected -c configs/sample.yaml
```"""

FACTS = """The first line of each section gives:

- **reads**: the stages whose output the stage uses. For each record of the first one, it writes a record or a rejection.
- **writes**: the type of the stage's records.
- **uses**: the stage's backends, such as `index` (Lucene), `sentence_splitter` (NLTK's Punkt), `annotations` (Stanza),
  `language_model` (KenLM) and `solver` (HiGHS).
- **scope**: a stage with `map` scope runs in shards on all workers and resumes after the last finished shard. It can also
  run a single record (`wdw-build run STAGE --only ID`). A stage with `set` scope runs as one task, and starts again after
  an interruption."""

REFUSALS = """A **reason** rejects a whole record. A **rule** refuses only part of the record: a person in a sentence, or a
candidate passage for a question."""


def stages() -> str:
    """Every stage: its facts, reasons and rules."""
    overview = table(
        ("stage", "what it does"), [(f"[`{stage.name}`](#{stage.name})", stage.summary) for stage in STAGES]
    )
    return page("Stages, reasons and rules", INTRODUCTION, overview, FACTS, REFUSALS, *map(_stage, STAGES))


def _stage(stage: Stage) -> str:
    also = {name: rule for name, rule in stage.rules.items() if stage.reasons.get(name) == rule}
    parts = [
        f"## {stage.name}",
        f"{_facts(stage)} {', '.join(_links(stage))}.",
        _meanings("reason", stage.reasons),
        f"These reasons are also rules: {_code(also)}." if also else "",
        _meanings("rule", {name: rule for name, rule in stage.rules.items() if name not in also}),
    ]
    return "\n\n".join(filter(None, parts))


def _facts(stage: Stage) -> str:
    uses = f" Uses: {_code(stage.ports)}." if stage.ports else ""
    return (
        f"Reads: {_code(stage.reads) or 'the corpus'}. "
        f"Writes: [{stage.writes.__name__}]({output_place(stage.writes)}).{uses} "
        f"Scope: `{stage.scope}`."
    )


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _links(stage: Stage) -> Iterator[str]:
    yield f"[Explanation](../explanation/stages.md#{stage.name})"
    if stage.config.__struct_fields__:
        yield f"[keys](configuration.md#{stage.name})"


def _meanings(head: str, rules: Mapping[str, Rule]) -> str:
    """Reasons or rules; empty if there are none."""
    return table((head, "meaning"), [(f"`{name}`", rule.meaning) for name, rule in rules.items()]) if rules else ""
