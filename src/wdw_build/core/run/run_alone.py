"""Runs a stage in this process on some records, in a folder that is not in the store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wdw_build.core.progress import Progress
from wdw_build.core.stage import RUN, Step
from wdw_build.core.tasks.accounting import Counter
from wdw_build.core.tasks.job import Job
from wdw_build.core.tasks.stage_tasks import TASKS, generate, publish_names, results_in, run_step, step_folder
from wdw_build.records import Record, Rejection

_NAME = "all"


def run_alone(
    job: Job, records: Iterator[Any], folder: Path, progress: Progress
) -> tuple[Counter, Iterator[Record | Rejection]]:
    """Run a stage on some records; return a counter and an iterator of the results, which the counter counts.

    The steps before and after ``run`` see the whole inputs. Files that the stage writes itself are in ``folder`` when the
    iterator ends.
    """
    shutil.rmtree(folder / TASKS, ignore_errors=True)
    for step in [one for one in job.stage.steps if not one.after]:
        _step(job, step, folder, progress)
    counter, results = generate(job, records, job.context(_new(folder, RUN, _NAME), progress, results_in(folder)))

    def finishing() -> Iterator[Record | Rejection]:
        yield from _without_duplicates(results, counter, job.stage.duplicates) if job.stage.duplicates else results
        publish_names(folder, RUN, [_NAME])
        for step in [one for one in job.stage.steps if one.after]:
            _step(job, step, folder, progress)
        for name in job.stage.output_steps:
            for task in step_folder(folder, name).iterdir():
                for path in task.glob("[!.]*"):
                    path.rename(folder / path.name)
        shutil.rmtree(folder / TASKS)

    return counter, finishing()


def _without_duplicates(
    results: Iterator[Record | Rejection], counter: Counter, reason: str
) -> Iterator[Record | Rejection]:
    """Yield the results, with a rejection in place of each record whose id an earlier record has."""
    seen: set[str] = set()
    for result in results:
        if not isinstance(result, Rejection) and result.id in seen:
            counter.tally.reject_written(reason, 1)
            yield Rejection(id=result.id, reason=reason, detail=counter.last_place)
            continue
        if not isinstance(result, Rejection):
            seen.add(result.id)
        yield result


def _step(job: Job, step: Step, folder: Path, progress: Progress) -> None:
    shards = job.step_shards(step, 1 << 62)
    for shard in shards:
        context = job.context(_new(folder, step.name, shard.name), progress, results_in(folder))
        run_step(job, step, shard.records(job.reader), context)
    publish_names(folder, step.name, [shard.name for shard in shards])


def _new(folder: Path, step: str, name: str) -> Path:
    made = step_folder(folder, step) / name
    made.mkdir(parents=True)
    return made
