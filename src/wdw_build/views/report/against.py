"""What changed since another run: configuration, funnel, tables, and which problems appeared, left or changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from wdw_build.core.run.progress import Progress
from wdw_build.core.stage import Stage
from wdw_build.dataset import Run
from wdw_build.records import Problem
from wdw_build.views.diff import Comparison, Difference, StageDifference
from wdw_build.views.report.drawn import Drawn
from wdw_build.views.report.marks import Passage, pieces
from wdw_build.views.summary import Summary, summarise

_EXAMPLES = 10
# They name the run and its place; two runs differ in them anyway.
_NAMES = {"run", "output_dir"}
KINDS = ("appeared", "left", "changed")


class Changed(NamedTuple):
    """A problem that appeared, left or changed, with its question."""

    difference: Difference
    question: Passage | None


class Against(NamedTuple):
    """A run beside an earlier one."""

    old: Run
    old_summary: Summary
    config: list[tuple[str, str, str]]
    stages: list[StageDifference]
    counts: dict[str, int]
    why: dict[str, Counter[str]]
    examples: dict[str, list[Changed]]


def against(old: Run, new: Run, stages: Mapping[str, Stage], seed: int, progress: Progress) -> Against:
    """Compare ``new`` with ``old``; examples are drawn by ``seed``."""
    comparison = Comparison(old, new)
    counts = dict.fromkeys(KINDS, 0)
    why: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    drawn: dict[str, Drawn[Difference]] = {kind: Drawn(_EXAMPLES, seed) for kind in KINDS}
    for group in comparison.groups(progress):
        kind, one = _of_dataset(group, new)
        if one is not None:
            counts[kind] += 1
            why[kind].update(one.why)
            drawn[kind].offer(one.id, one)
    return Against(
        old=old,
        old_summary=summarise(old.folder, old.outputs),
        config=_config(old.config(), new.config()),
        stages=comparison.stages(),
        counts=counts,
        why=why,
        examples={kind: [_shown(one, old, new) for one in drawn[kind].values()] for kind in KINDS},
    )


def _of_dataset(group: list[Difference], new: Run) -> tuple[str, Difference | None]:
    """What an id's differences mean for the dataset: its place in it, or else what it says."""
    by_stage = {one.stage: one for one in group}
    split, dedup = by_stage.get("split"), by_stage.get("dedup")
    if split is not None and split.change in ("added", "removed"):
        return ("appeared" if split.change == "added" else "left"), split
    found = next((one for one in (dedup, split) if one is not None and one.change == "changed"), None)
    in_dataset = found is not None and new.outputs["split"].find_line(found.id) is not None
    return "changed", found if in_dataset else None


def _shown(one: Difference, old: Run, new: Run) -> Changed:
    found = new.outputs["dedup"].find(one.id) or old.outputs["dedup"].find(one.id)
    if not isinstance(found, Problem):
        return Changed(one, None)
    asked = found.question
    return Changed(one, Passage("question", pieces(asked.sentence, [(asked.blank.start, asked.blank.end)])))


def _config(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(key, before, after) of every key that differs."""
    before, after = _flat(old), _flat(new)
    return [
        (key, before.get(key, "–"), after.get(key, "–"))
        for key in {**before, **after}
        if key not in _NAMES and before.get(key) != after.get(key)
    ]


def _flat(tree: dict[str, Any], prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            found.update(_flat(value, f"{prefix}{key}."))
        else:
            found[f"{prefix}{key}"] = str(value)
    return found
