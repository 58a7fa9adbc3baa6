"""Brings the systems of a bench up to date, over the pooled problems of some runs, and makes the table of their results.

Each (system, seed) is a job of its own, so that ``execution.workers`` processes train different jobs at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from wdw_build.bench import problems as problems_stage
from wdw_build.bench.given import read_predictions
from wdw_build.bench.held_out import read_held_out
from wdw_build.bench.results import RESULTS, BenchResults, content_of
from wdw_build.bench.table import baseline_rows, comparisons, given_row, system_row
from wdw_build.bench.training import SystemJob, run_job, stored
from wdw_build.core.config.section import Section
from wdw_build.core.config.settings import Config
from wdw_build.core.run.progress import Progress, printable
from wdw_build.core.run.runner import Job, Runner
from wdw_build.core.run.workers import Pool
from wdw_build.core.store.manifest import Ingredients, read_manifest
from wdw_build.core.store.output import Output, final_folder, link
from wdw_build.dataset import Run
from wdw_build.errors import UsageError
from wdw_build.reading import LabelledProblem, SystemEntry
from wdw_build.registry import Backends, system_entry, system_names, system_settings, workspace


def bench(config: Config, runs: Sequence[Run], progress: Progress, given: Sequence[Path] = ()) -> BenchResults:
    """Train and evaluate the configured systems on the pooled problems of complete runs, and score given predictions.

    What is stored already is not run again. The results are written to ``bench.json`` in the first run's folder. Raises
    ``ConfigError`` for an unknown system or setting, ``MissingResourceError`` before anything is trained if a system lacks
    a part, ``StageError`` if a system fails, and ``UsageError`` for a wrong file of predictions.
    """
    entries = {name: system_entry(name) for name in config.bench.systems or system_names()}
    settings = {name: system_settings(name, config.bench) for name in entries}
    if not config.bench.systems:
        entries = _configured(entries, settings, progress)
    _check_names([run.name for run in runs], "run", "give the runs different names (run: in their configurations)")
    device = _device(config, entries.values())
    with Pool(config.execution.workers) as pool:
        problems = tuple(_prepare(config, run, progress, pool) for run in runs)
        held_out = read_held_out(problems, relaxed=config.bench.train == "relaxed")
        rows = [*baseline_rows(held_out)]
        names = [*(row.result.name for row in rows), *entries, *(path.stem for path in given)]
        _check_names(names, "system", "a file of predictions is named after itself: rename the file")
        predictions = [read_predictions(path, held_out) for path in given]
        jobs = {name: _jobs(config, name, settings[name], problems, device) for name in entries}
        outputs = _run_all([job for group in jobs.values() for job in group], progress, pool)
    for name, group in jobs.items():
        made = [outputs[job.ingredients.fingerprint] for job in group]
        rows.append(system_row(name, entries[name], made, held_out, config.bench.train))
    rows += [given_row(predicted, held_out) for predicted in predictions]
    results = BenchResults(
        runs={run.name: content_of(run) for run in runs},
        train=config.bench.train,
        problems=held_out.counts,
        chance=held_out.chance,
        systems=tuple(row.result for row in rows),
        comparisons=comparisons(rows),
    )
    (runs[0].folder / RESULTS).write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    return results


def _check_names(names: Sequence[str], kind: str, hint: str) -> None:
    """Raise ``UsageError`` if a name occurs twice, because rows and p values are told apart by name."""
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            raise UsageError(f"two {kind}s are named {printable(name)!r}", hint=hint)


def _configured(
    entries: Mapping[str, SystemEntry], settings: Mapping[str, Section], progress: Progress
) -> dict[str, SystemEntry]:
    """The systems whose settings name all that they need; the log says which others are left out."""
    missing = [name for name, entry in entries.items() if not entry.configured(settings[name])]
    if missing:
        progress.say(f"left out, because no model is set in bench.settings: {', '.join(missing)}")
    return {name: entry for name, entry in entries.items() if name not in missing}


def _device(config: Config, entries: Iterable[SystemEntry]) -> str:
    """``cpu`` or ``cuda``. Torch is asked for a GPU only if a system may use one."""
    from wdw_build.adapters.devices import CPU, pick

    return pick(config.execution.device) if any(entry.uses_device for entry in entries) else CPU


def _prepare(config: Config, run: Run, progress: Progress, pool: Pool) -> Output:
    """The problems of a run as systems read them, stored in the run's own store."""
    stage = problems_stage.STAGE
    inputs = {name: run.outputs[name] for name in stage.reads}
    backends = Backends(config)
    ingredients = Ingredients(
        stage=stage.name,
        version=stage.version,
        config={},
        seed=0,
        inputs={name: output.manifest.content for name, output in inputs.items()},
        backends={port: backends.identity(port) for port in stage.ports},
    )
    root = run.folder.parent.parent
    folder = final_folder(root, stage.name, ingredients.fingerprint)
    if read_manifest(folder) is not None:
        link(root, run.name, stage.name, folder)
        return Output(folder, LabelledProblem)
    job = Job(stage=stage, section=Section(), ingredients=ingredients, inputs=inputs, ports=backends)
    return Runner(root, run.name, config.execution, progress, pool).make(job)


def _jobs(config: Config, name: str, settings: Section, problems: tuple[Output, ...], device: str) -> list[SystemJob]:
    seeds = range(config.bench.seeds if system_entry(name).seeded else 1)
    ready = replace(workspace(config), device=device)
    return [
        SystemJob(name, settings, config.bench.train, config.seed + seed, Path(config.output_dir), problems, ready)
        for seed in seeds
    ]


def _run_all(jobs: Sequence[SystemJob], progress: Progress, pool: Pool) -> dict[str, Output]:
    """The outputs of all jobs by fingerprint; jobs that are stored already do not run."""
    known = {job.ingredients.fingerprint: stored(job) for job in jobs}
    missing = [job for job in jobs if known[job.ingredients.fingerprint] is None]
    with progress.bar("bench", len(jobs), "systems", len(jobs) - len(missing)) as bar:
        made = (run_job(job, progress) for job in missing) if pool.workers == 1 else pool.map(run_job, missing)
        for job, output in zip(missing, made, strict=True):
            known[job.ingredients.fingerprint] = output
            bar.advance()
    return {fingerprint: output for fingerprint, output in known.items() if output is not None}
