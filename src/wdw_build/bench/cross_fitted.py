"""The cross-fitted evaluation: every problem before and after suppression is answered by a fresh system.

Each system is trained anew on each population, with another seed and other folds than the stage ``adversary``, so that a
system that took part in suppression is no better known than another one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wdw_build.bench.populations import BEFORE, EvaluatedProblems, PooledProblems
from wdw_build.bench.prepare import Bench
from wdw_build.bench.table import Answered, Predictions, answered
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.config.section import Section
from wdw_build.reading import Workspace
from wdw_build.reading.problems import ProblemSubset, content_hash
from wdw_build.registry import system_entry
from wdw_build.systems.cross_fit import CrossFit

# Added to the run's seed, with which the stage ``adversary`` trains and draws its folds.
FRESH = 1000

# (condition, system) -> what each seed answered, by population.
Answers = dict[tuple[Condition, str], list[dict[str, Answered]]]


@dataclass(frozen=True)
class _Job:
    """One system that is trained on one population with one seed. It is pickled for the workers."""

    name: str
    settings: Section
    root: Path
    workspace: Workspace
    problems: ProblemSubset
    content: str
    folds: Mapping[str, int]


def _predict(job: _Job) -> Predictions:
    cross_fit = CrossFit(system_entry(job.name), job.settings, job.root, job.workspace)
    return cross_fit.predictions(job.problems, job.content, job.folds)


def cross_fit(
    bench: Bench,
    problems: Mapping[Condition, PooledProblems],
    evaluated: Mapping[Condition, EvaluatedProblems],
    folds: Mapping[str, Mapping[str, int]],
) -> Answers:
    """What all systems answer. ``folds`` gives the fold of each problem of each population.

    Raises ``MissingResourceError`` before anything is trained if a system lacks a part, ``StageError`` if one fails.
    """
    for name, entry in bench.entries.items():
        entry.backends(bench.system_settings[name], bench.workspace)
    # Jobs with the same system, seed and content of the problems have equal predictions, so one of them runs for all.
    jobs: dict[tuple[str, int, str], _Job] = {}
    uses: defaultdict[tuple[str, int, str], list[tuple[Condition, str, int, str]]] = defaultdict(list)
    for condition, pooled in problems.items():
        subsets = {population: ProblemSubset(pooled, frozenset(ids)) for population, ids in folds.items()}
        contents = {population: content_hash(subset) for population, subset in subsets.items()}
        for population in folds:
            for name, entry in bench.entries.items():
                # A system that learns nothing answers each problem once, with all the others.
                of = population if entry.trained else BEFORE
                for number, workspace in enumerate(bench.workspaces(name, bench.config.seed + FRESH)):
                    key = name, workspace.seed, contents[of]
                    jobs[key] = _Job(
                        *(name, bench.system_settings[name], bench.root, workspace),
                        *(subsets[of], contents[of], folds[of]),
                    )
                    uses[key].append((condition, name, number, population))
    answers: Answers = {
        (condition, name): [{} for _ in bench.workspaces(name, 0)] for condition in problems for name in bench.entries
    }
    for key, predictions in zip(jobs, bench.run_all(_predict, list(jobs.values())), strict=True):
        for condition, name, number, population in uses[key]:
            found = answered(predictions, evaluated[condition].of(population))
            answers[condition, name][number][population] = found
    return answers
