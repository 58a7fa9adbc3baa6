"""The cross-fitted evaluation: every problem before and after suppression is answered by a fresh system.

Each system is trained anew on each population, with another seed and other folds than the stage ``adversary``, so that a
system that took part in suppression is no better known than another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from wdw_build.bench.populations import BEFORE, Population
from wdw_build.bench.prepare import Bench
from wdw_build.bench.table import Predictions
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.config.section import Section
from wdw_build.core.store.output import Output
from wdw_build.reading import Workspace
from wdw_build.registry import system_entry
from wdw_build.systems.cross_fit import CrossFit

# Added to the run's seed, with which the stage ``adversary`` trains and draws its folds.
FRESH = 1000

# (condition, system) -> for each seed, population -> predictions.
Answers = dict[tuple[Condition, str], list[dict[str, Predictions]]]
_Key = tuple[str, int, str]


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


# (condition, system, number of the training, population) -> job.
_Jobs = dict[tuple[Condition, str, int, str], _Job]


def _predict(job: _Job) -> Predictions:
    cross_fit = CrossFit(system_entry(job.name), job.settings, job.root, job.workspace)
    return cross_fit.predictions(job.problems, job.content, job.folds)


def cross_fit(
    bench: Bench,
    problems: Mapping[Condition, tuple[Output, ...]],
    members: Mapping[str, frozenset[str]],
    folds: Mapping[str, Mapping[str, int]],
) -> Answers:
    """The predictions of all systems. ``members`` and ``folds`` give the problems and the folds of each population.

    Raises ``MissingResourceError`` before anything is trained if a system lacks a part, ``StageError`` if one fails.
    """
    for name, entry in bench.entries.items():
        entry.backends(bench.system_settings[name], bench.workspace)
    jobs: _Jobs = {}
    for condition, outputs in problems.items():
        for population, ids in members.items():
            known = Population(outputs, ids)
            content = known.content()
            for name, seed in _trainings(bench, population):
                jobs[condition, name, seed, population] = _job(bench, name, seed, known, content, folds[population])
    made = _run_all(bench, {job.key: job for job in jobs.values()})
    answers: Answers = {}
    for condition in problems:
        for name in bench.entries:
            answers[condition, name] = [
                {population: made[_key(jobs, condition, name, seed, population)] for population in members}
                for seed in bench.seeds(name)
            ]
    return answers


def _key(jobs: _Jobs, condition: Condition, name: str, seed: int, population: str) -> _Key:
    """The job that answers a population: its own, or that of ``before``."""
    return (jobs.get((condition, name, seed, population)) or jobs[condition, name, seed, BEFORE]).key


def _trainings(bench: Bench, population: str) -> list[tuple[str, int]]:
    """(system, number of the training) to run on a population; a system that learns nothing answers ``before`` alone."""
    trained = (name for name, entry in bench.entries.items() if entry.trained or population == BEFORE)
    return [(name, seed) for name in trained for seed in bench.seeds(name)]


def _job(bench: Bench, name: str, seed: int, problems: Population, content: str, folds: Mapping[str, int]) -> _Job:
    ready = replace(bench.workspace, seed=bench.config.seed + FRESH + seed)
    return _Job(name, bench.system_settings[name], bench.root, ready, problems, content, folds)


def _run_all(bench: Bench, jobs: Mapping[_Key, _Job]) -> dict[_Key, Predictions]:
    """The predictions of all jobs; with one worker, each system shows its own bar."""
    tasks = list(jobs.values())
    if bench.pool.workers == 1:
        tasks = [replace(job, workspace=replace(job.workspace, progress=bench.progress)) for job in tasks]
    made: dict[_Key, Predictions] = {}
    with bench.progress.bar("bench", len(tasks), "systems") as bar:
        for job, predictions in zip(tasks, bench.pool.map(_predict, tasks), strict=True):
            made[job.key] = predictions
            bar.advance()
    return made
