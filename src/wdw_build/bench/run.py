"""Brings the systems of a bench up to date, over the pooled problems of some runs, and makes the tables of their results.

Each training is a job of its own, so that ``execution.workers`` processes train different systems at the same time.

In the cross-fitted evaluation every problem before and after suppression is answered by a fresh system: each is trained anew
on each population, with another seed and other folds than the stage ``adversary``, so that a system that took part in
suppression is no better known than another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from wdw_build.bench.populations import (
    BEFORE,
    HELD_OUT,
    EvaluatedProblems,
    GivenFile,
    PooledProblems,
    members,
    population_folds,
    read_held_out,
    read_populations,
    read_predictions,
)
from wdw_build.bench.prepare import Bench
from wdw_build.bench.results import ADVERSARY, BenchResults, content_of, read_results
from wdw_build.bench.rows import heads, write_results, write_row
from wdw_build.bench.table import (
    Predictions,
    Row,
    answered,
    baseline_rows,
    empty_condition_table,
    given_row,
    measured_row,
    system_row,
)
from wdw_build.bench.training import SystemJob, run_job, stored
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.config.section import Section
from wdw_build.core.config.settings import Config
from wdw_build.core.engine.local import LocalEngine
from wdw_build.core.hashing import derived_seed
from wdw_build.core.progress import Progress, printable
from wdw_build.dataset import TEST, Run
from wdw_build.errors import UsageError
from wdw_build.reading import TrainingContext
from wdw_build.reading.conditions import PASSAGE, WITH_NAMES, replace_names
from wdw_build.reading.problems import ProblemSubset, content_hash
from wdw_build.registry import system_entry
from wdw_build.systems.fitting import CrossFit


@dataclass(frozen=True)
class _Job:
    """One system that is trained on one population with one seed. It is pickled for the workers."""

    name: str
    settings: Section
    root: Path
    workspace: TrainingContext
    problems: ProblemSubset
    content: str
    folds: Mapping[str, int]


def _predict(job: _Job) -> Predictions:
    cross_fit = CrossFit(system_entry(job.name), job.settings, job.root, job.workspace)
    return cross_fit.predictions(job.problems, job.content, job.folds)


Problems = Mapping[Condition, PooledProblems]
Evaluated = Mapping[Condition, EvaluatedProblems]


def bench(
    config: Config,
    runs: Sequence[Run],
    progress: Progress,
    given: Sequence[GivenFile] = (),
    against: str | None = None,
    share: int = 1,
) -> BenchResults:
    """Train and evaluate the configured systems on the pooled problems of complete runs, and score given predictions.

    ``share``: train on one training problem in so many (held-out evaluation only); systems that learn nothing are left out.
    ``against``: the system that a reader wants to compare the others with; it is only checked. What is stored already is not
    run again. Rows and tables are kept in the first run's folder, and rows of earlier calls stay in them.

    Raises ``ConfigError`` for an unknown system or setting,
    ``MissingResourceError`` before anything is trained if a system lacks a part, ``StageError`` if a system fails, and
    ``UsageError`` for a wrong file of predictions, and if ``against`` has no row in the table of test.
    """
    with LocalEngine(config.execution.workers) as engine:
        this = Bench(config, runs, progress, engine, share)
        _check(this, given)
        problems = {condition: this.problems(condition) for condition in this.conditions}
        evaluated = evaluated_problems(this, problems)
        rows = [row for condition in this.conditions for row in _baseline_rows(this, evaluated[condition])]
        _check_rows(this, rows, given)
        if against is not None:
            _check_against(this, rows, given, against)
        predictions = [(file, read_predictions(file, evaluated[file.condition])) for file in given]
        rows += (_cross_fitted_rows if this.is_cross_fitted else _held_out_rows)(this, problems, evaluated)
    rows += [given_row(file.name, predicted, evaluated[file.condition]) for file, predicted in predictions]
    return _results(this, problems, evaluated, rows)


def _check(this: Bench, given: Sequence[GivenFile]) -> None:
    """Raise ``UsageError`` for runs of the same name, and for predictions under a condition that is not measured.

    Raises ``ConfigError`` for an unknown system or setting.
    """
    _ = this.system_settings
    _check_names([run.name for run in this.runs], "run", "give the runs different names (run: in their configurations)")
    for file in given:
        if file.condition not in this.conditions:
            raise UsageError(
                f"--predictions {file.condition}={printable(str(file.path))}: this condition is not measured",
                hint=f"--conditions {','.join((*this.conditions, file.condition))}",
            )


def _check_rows(this: Bench, rows: Sequence[Row], given: Sequence[GivenFile]) -> None:
    """Raise ``UsageError`` if two rows of a condition would have the same name."""
    for condition in this.conditions:
        names = [*(row.result.name for row in rows if row.head.condition == condition), *this.entries]
        names += [file.name for file in given if file.condition == condition]
        _check_names(names, "system", "a file of predictions is named after itself: rename the file")


def _check_against(this: Bench, baselines: Sequence[Row], given: Sequence[GivenFile], against: str) -> None:
    """Raise ``UsageError`` unless ``against`` will have a row in the table of test, before anything is trained."""
    if not this.has_main_table:
        raise UsageError(
            "--against compares systems on the test set, which this command does not measure",
            hint="omit --against; or omit --cross-fit and include passage in --conditions",
        )
    known = [row.head for row in baselines]
    known += [head for _, head in heads(this.runs[0].folder) if head.folds is None]
    names = [head.result.name for head in known if head.condition == PASSAGE]
    names = [*this.entries, *(this.described(name)["name"] for name in this.entries), *names]
    names = list(dict.fromkeys((*names, *(file.name for file in given if file.condition == PASSAGE))))
    if against not in names:
        raise UsageError(
            f"--against: no system {printable(against)!r} in the table", hint=f"systems: {', '.join(names)}"
        )


def _check_names(names: Sequence[str], kind: str, hint: str) -> None:
    """Raise ``UsageError`` if a name occurs twice, because rows and p values are told apart by name."""
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            raise UsageError(f"two {kind}s are named {printable(name)!r}", hint=hint)


def evaluated_problems(this: Bench, problems: Problems) -> dict[Condition, EvaluatedProblems]:
    """The problems to answer under each condition.

    Raises ``UsageError`` if two runs have a problem of the same id, or if no problem is held out.
    """
    evaluated = {}
    populations: dict[str, frozenset[str]] = {}
    for condition, pooled in problems.items():
        if this.is_cross_fitted:
            # Populations are the same under all conditions.
            populations = populations or members(pooled, this.config.seed)
            evaluated[condition] = read_populations(pooled, populations, this.config.seed)
            evaluated[condition].folds = this.settings.folds
        else:
            evaluated[condition] = read_held_out(pooled, this.config.seed)
        evaluated[condition].condition, evaluated[condition].data = condition, this.data(pooled)
        evaluated[condition].pseudonyms = this.pseudonyms if replace_names([condition]) else {}
    if not any(found.problems for found in evaluated.values()):
        raise UsageError(
            "there is no validation or test set on which to measure a system: the dataset is too small to hold out problems",
            hint="--cross-fit K answers every problem with systems trained on other events",
        )
    return evaluated


def _baseline_rows(this: Bench, evaluated: EvaluatedProblems) -> list[Row]:
    """The rows of the baselines, which read the passage as it is, and of the adversaries under the condition they read."""
    settings = [run.predictions.settings for run in this.runs]
    rows = baseline_rows(evaluated, {name for config in settings for name in config.systems})
    of_adversaries = WITH_NAMES[settings[0].names]
    return [
        row for row in rows if evaluated.condition == (of_adversaries if row.result.group == ADVERSARY else PASSAGE)
    ]


def _held_out_rows(this: Bench, problems: Problems, evaluated: Evaluated) -> list[Row]:
    """The rows of the systems on validation and test. Systems that are stored already do not run."""
    jobs = {
        (condition, name): [
            SystemJob(name, this.system_settings[name], this.settings.train, this.root, pooled, workspace, this.share)
            for workspace in this.workspaces(name)
        ]
        for condition, pooled in problems.items()
        for name in this.entries
    }
    known = {job.ingredients.fingerprint: (job, stored(job)) for group in jobs.values() for job in group}
    outputs = {fingerprint: output for fingerprint, (_, output) in known.items() if output is not None}
    missing = {fingerprint: job for fingerprint, (job, output) in known.items() if output is None}
    for job in missing.values():
        this.announce(job.name, (labelled.problem for split in HELD_OUT for labelled in job.splits[split]))
    outputs.update(zip(missing, this.run_all(run_job, list(missing.values()), len(outputs)), strict=True))
    rows = []
    for (condition, name), group in jobs.items():
        made = [outputs[job.ingredients.fingerprint] for job in group]
        described, entry = this.described(name), this.entries[name]
        rows.append(system_row(described, entry, made, evaluated[condition], this.settings.train))
    return rows


def _cross_fitted_rows(this: Bench, problems: Problems, evaluated: Evaluated) -> list[Row]:
    """The rows of the systems on all populations.

    Raises ``MissingResourceError`` before anything is trained if a system lacks a part, ``StageError`` if one fails.
    """
    for name, entry in this.entries.items():
        entry.backends(this.system_settings[name], this.workspace)
    known = next(iter(evaluated.values()))
    populations = {name: frozenset(problem for problem, _ in known.of(name)) for name in known.populations}
    seed = derived_seed(this.config.seed, "bench-folds", 0)
    folds = population_folds(this.runs, populations, this.settings.folds, seed)
    # Jobs with the same system, seed and content of the problems have equal predictions, so one of them runs for all.
    jobs: dict[tuple[str, int, str], _Job] = {}
    # (condition, system) -> the key of each seed's job, by population.
    keys: dict[tuple[Condition, str], list[dict[str, tuple[str, int, str]]]] = {}
    for condition, pooled in problems.items():
        subsets = {population: ProblemSubset(pooled, ids) for population, ids in populations.items()}
        contents = {population: content_hash(subset) for population, subset in subsets.items()}
        for name, entry in this.entries.items():
            for workspace in this.workspaces(name):
                seed_keys = keys.setdefault((condition, name), [])
                seed_keys.append({})
                for population in populations:
                    # A system that learns nothing answers each problem once, with all the others.
                    of = population if entry.trained else BEFORE
                    key = seed_keys[-1][population] = name, workspace.seed, contents[of]
                    jobs[key] = _Job(
                        *(name, this.system_settings[name], this.root, workspace),
                        *(subsets[of], contents[of], folds[of]),
                    )
    for job in jobs.values():
        this.announce(job.name, (labelled.problem for labelled in job.problems))
    predicted = dict(zip(jobs, this.run_all(_predict, list(jobs.values())), strict=True))
    return [
        measured_row(
            evaluated[condition],
            [
                {
                    population: answered(predicted[key], evaluated[condition].of(population))
                    for population, key in seed.items()
                }
                for seed in seeds
            ],
            **this.described(name),
        )
        for (condition, name), seeds in keys.items()
    ]


def _results(this: Bench, problems: Problems, evaluated: Evaluated, rows: Sequence[Row]) -> BenchResults:
    """Keep the rows of this call; the tables of all kept rows over these problems, in ``bench.json``."""
    folder, names = this.runs[0].folder, {run.name: content_of(run) for run in this.runs}
    for row in rows:
        write_row(folder, row, evaluated[row.head.condition])
    first, pooled = evaluated[this.conditions[0]], problems[this.conditions[0]]
    results = read_results(this.runs[0])
    if results is None or results.runs != names or this.has_main_table:
        conditions = results.conditions if results is not None and results.runs == names else None
        held_out = read_held_out(pooled, this.config.seed)
        results = BenchResults(
            runs=names,
            data=first.data,
            problems=held_out.counts,
            chance=held_out.chance,
            systems=(),
            comparisons=(),
            choices=dict(sorted(Counter(len(problem.choices) for _, problem in held_out.of(TEST)).items())),
            conditions=conditions,
        )
    if this.has_condition_table:
        empty = empty_condition_table(first, this.pseudonyms, this.left_out(pooled))
        results = msgspec.structs.replace(results, conditions=empty)
    return write_results(folder, results)
