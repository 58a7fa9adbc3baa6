"""Differences from an earlier run: configuration, funnel, tables, and the problems that appeared, left or changed."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from wdw_build.core.progress import Progress
from wdw_build.dataset import HashSample, Run
from wdw_build.views.diff import Comparison, Difference, StageDifference
from wdw_build.views.report.examples import LabelledText, question_text
from wdw_build.views.summary import Summary, summarise

_EXAMPLES = 10
# Keys with the name and the folder of a run, which always differ between two runs.
_NAMES = {"run", "output_dir"}
KINDS = ("appeared", "left", "changed")


class Changed(NamedTuple):
    """A problem that appeared, left or changed, with its question."""

    difference: Difference
    question: LabelledText | None


class Against(NamedTuple):
    """A run beside an earlier one."""

    old: Run
    old_summary: Summary
    config: list[tuple[str, str, str]]
    stages: list[StageDifference]
    counts: dict[str, int]
    why: dict[str, Counter[str]]
    examples: dict[str, list[Changed]]


def against(old: Run, new: Run, seed: int, progress: Progress) -> Against:
    """Compare ``new`` with ``old``; ``seed`` draws the examples."""
    comparison = Comparison(old, new)
    counts = dict.fromkeys(KINDS, 0)
    why: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    samples: dict[str, HashSample[Difference]] = {kind: HashSample(_EXAMPLES, seed, "report") for kind in KINDS}
    for group in comparison.groups(progress):
        kind, difference = _of_dataset(group, new)
        if difference is not None:
            counts[kind] += 1
            why[kind].update(difference.why)
            samples[kind].offer(difference.id, difference)
    return Against(
        old=old,
        old_summary=summarise(old),
        config=_config(old.config(), new.config()),
        stages=comparison.stages(),
        counts=counts,
        why=why,
        examples={kind: [_shown(difference, old, new) for difference in samples[kind].by_name()] for kind in KINDS},
    )


def _of_dataset(group: list[Difference], new: Run) -> tuple[str, Difference | None]:
    """How an id changed in the dataset (one of ``KINDS``), and the difference that shows it; None if it did not change."""
    by_stage = {difference.stage: difference for difference in group}
    assignment, problem = by_stage.get(new.assignments.name), by_stage.get(new.distinct_problems.name)
    if assignment is not None and assignment.change in ("added", "removed"):
        return ("appeared" if assignment.change == "added" else "left"), assignment
    changes = (difference for difference in (problem, assignment) if difference and difference.change == "changed")
    changed = next(changes, None)
    return "changed", changed if changed is not None and changed.id in new.assignments else None


def _shown(difference: Difference, old: Run, new: Run) -> Changed:
    problem = new.distinct_problems.find(difference.id) or old.distinct_problems.find(difference.id)
    return Changed(difference, question_text(problem.question) if problem is not None else None)


def _config(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(key, before, after) of every key that differs."""
    before, after = _flat(old), _flat(new)
    return [
        (key, before.get(key, "–"), after.get(key, "–"))
        for key in {**before, **after}
        if key not in _NAMES and before.get(key) != after.get(key)
    ]


def _flat(tree: dict[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat
