"""The cross-fitted evaluation: every problem before and after suppression is answered by a fresh system.

Each system is trained anew on each population, with another seed and other folds than the stage ``adversary``, so that a
system that took part in suppression is no better known than another one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from wdw_build.bench.evaluated import EvaluatedProblems
from wdw_build.bench.populations import BEFORE, Population
from wdw_build.bench.prepare import Bench
from wdw_build.bench.table import Answered, Predictions, answered
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.config.section import Section
from wdw_build.core.store.output import Output
from wdw_build.reading import Workspace
from wdw_build.reading.problems import content_hash
from wdw_build.registry import system_entry
from wdw_build.systems.cross_fit import CrossFit

# Added to the run's seed, with which the stage ``adversary`` trains and draws its folds.
FRESH = 1000

# (condition, system) -> what each seed answered, by population.
Answers = dict[tuple[Condition, str], list[dict[str, Answered]]]
_Key = tuple[str, int, str]


class _Use(NamedTuple):
    """A place in the table that a job's predictions fill."""

    condition: Condition
    system: str
    seed: int
    population: str


@dataclass(frozen=True)
class _Job:
    """One system that is trained on one population with one seed. It is pickled for the workers."""

    name: str
    settings: Section
    root: Path
    workspace: Workspace
    problems: Population
    content: str
    folds: Mapping[str, int]

    @property
    def key(self) -> _Key:
        """Equal for jobs with equal predictions."""
        return self.name, self.workspace.seed, self.content


def _predict(job: _Job) -> Predictions:
    cross_fit = CrossFit(system_entry(job.name), job.settings, job.root, job.workspace)
    return cross_fit.predictions(job.problems, job.content, job.folds)


def cross_fit(
    bench: Bench,
    problems: Mapping[Condition, tuple[Output, ...]],
    evaluated: Mapping[Condition, EvaluatedProblems],
    folds: Mapping[str, Mapping[str, int]],
) -> Answers:
    """What all systems answer. ``folds`` gives the fold of each problem of each population.

    Raises ``MissingResourceError`` before anything is trained if a system lacks a part, ``StageError`` if one fails.
    """
    for name, entry in bench.entries.items():
        entry.backends(bench.system_settings[name], bench.workspace)
    jobs: dict[_Key, _Job] = {}
    uses: defaultdict[_Key, list[_Use]] = defaultdict(list)
    for condition, outputs in problems.items():
        known = {name: Population(outputs, frozenset(ids)) for name, ids in folds.items()}
        contents = {name: content_hash(population) for name, population in known.items()}
        for use in _uses(bench, condition, folds):
            # A system that learns nothing answers each problem once, with all the others.
            trained_on = use.population if bench.entries[use.system].trained else BEFORE
            job = _job(bench, use, known[trained_on], contents[trained_on], folds[trained_on])
            jobs[job.key] = job
            uses[job.key].append(use)
    answers: Answers = {
        (condition, name): [{} for _ in bench.seeds(name)] for condition in problems for name in bench.entries
    }
    for key, predictions in _run_all(bench, jobs):
        for condition, name, seed, population in uses[key]:
            found = answered(predictions, evaluated[condition].of(population))
            answers[condition, name][seed][population] = found
    return answers


def _uses(bench: Bench, condition: Condition, populations: Iterable[str]) -> Iterator[_Use]:
    for population in populations:
        for name in bench.entries:
            for seed in bench.seeds(name):
                yield _Use(condition, name, seed, population)


def _job(bench: Bench, use: _Use, problems: Population, content: str, folds: Mapping[str, int]) -> _Job:
    ready = replace(bench.workspace, seed=bench.config.seed + FRESH + use.seed)
    return _Job(use.system, bench.system_settings[use.system], bench.root, ready, problems, content, folds)


def _run_all(bench: Bench, jobs: Mapping[_Key, _Job]) -> Iterator[tuple[_Key, Predictions]]:
    """Yield the predictions of all jobs; with one worker, each system shows its own bar."""
    tasks = list(jobs.values())
    if bench.engine.workers == 1:
        tasks = [replace(job, workspace=replace(job.workspace, progress=bench.progress)) for job in tasks]
    with bench.progress.bar("bench", len(tasks), "systems") as bar:
        for key, predictions in zip(jobs, bench.engine.map(_predict, tasks), strict=True):
            yield key, predictions
            bar.advance()
