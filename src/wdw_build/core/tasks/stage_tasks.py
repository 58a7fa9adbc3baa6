"""The tasks of a stage: one for each shard of ``run`` and of its steps, each with a folder that one rename publishes.

The folder of a finished task exists and holds the task's counts, so a task is never computed twice unless two workers do it
at the same time; then the first rename wins. The disk has all files of a task before its folder is renamed, so a power
failure leaves the whole task or none.
"""

from __future__ import annotations

import resource
import shutil
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.engine.protocol import tick
from wdw_build.core.progress import Progress
from wdw_build.core.stage import RUN, Context, Step
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file, sync, sync_tree
from wdw_build.core.tasks.accounting import Counter, Tally
from wdw_build.core.tasks.failures import naming
from wdw_build.core.tasks.job import Job, Results
from wdw_build.core.tasks.shards import Shard
from wdw_build.errors import StageError
from wdw_build.records import Record, Rejection

TASKS = ".tasks"
# Hidden, because a stage may write files of any other name beside them.
RECORDS, REJECTIONS, PLACES, _RESULT = ".records", ".rejections", ".places", ".result"


def step_folder(staging: Path, step: str) -> Path:
    """The folder with the tasks of a step."""
    return staging / TASKS / step


def publish_names(staging: Path, step: str, names: list[str]) -> None:
    """Store the names of a step's tasks in order, when all are done: the folder may also hold shards of another size."""
    step_folder(staging, step).mkdir(parents=True, exist_ok=True)
    replace_file(staging / TASKS / f"{step}.json", msgspec.json.encode(names))


def results_in(staging: Path) -> Results:
    """The function ``Context.results`` for the tasks in a staging folder."""

    def results(step: str) -> tuple[Path, ...]:
        names = msgspec.json.decode((staging / TASKS / f"{step}.json").read_bytes(), type=list[str])
        return tuple(step_folder(staging, step) / name for name in names)

    return results


def generate(job: Job, records: Iterator[Any], context: Context) -> tuple[Counter, Iterator[Record | Rejection]]:
    """Run a stage; return a counter and an iterator of the results, which the counter counts. Raises as ``naming`` does."""
    counter = Counter(job.stage)

    def results() -> Iterator[Record | Rejection]:
        with naming(job.stage, RUN, counter, context.folder):
            yield from counter.outputs(job.stage.run(counter.inputs(records), job.section, context))

    return counter, results()


def run_step(job: Job, step: Step, records: Iterator[Any], context: Context) -> None:
    """Run a step. Raises as ``naming`` does."""
    counter = Counter(job.stage)
    with naming(job.stage, step.name, counter, context.folder):
        step.run(counter.inputs(records), job.section, context)


@dataclass(frozen=True)
class StageTask:
    """One shard of a stage's ``run``, or of a step. ``progress`` shows bars only in the process that made it."""

    job: Job
    shard: Shard
    staging: Path
    progress: Progress
    step: Step | None = None

    @property
    def name(self) -> str:
        """The name of the step, or of ``run``."""
        return RUN if self.step is None else self.step.name

    @property
    def label(self) -> str:
        """The stage and the step, for a cluster's dashboard."""
        return self.job.stage.name if self.step is None else f"{self.job.stage.name}-{self.step.name}"

    @property
    def folder(self) -> Path:
        """The folder that is published."""
        return step_folder(self.staging, self.name) / self.shard.name

    def result(self) -> Tally | None:
        """The counts of the task if it is finished."""
        try:
            return msgspec.json.decode((self.folder / _RESULT).read_bytes(), type=Tally)
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
            return None

    def work(self, folder: Path) -> Tally:
        """Run the stage or the step on the shard's records; the result has the counts. Raises ``StageError``."""
        before = _cpu_seconds()
        context = self.job.context(folder, self.progress, results_in(self.staging))
        records = self.shard.records(self.job.reader)
        if self.step is None:
            tally = self._run(records, context)
        else:
            run_step(self.job, self.step, _ticking(records), context)
            tally = Tally()
        tally.devices = self.job.ports.take_devices(self.job.stage.ports_for(self.job.section))
        tally.cpu_seconds = round(_cpu_seconds() - before, 2)
        tally.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return tally

    def _run(self, records: Iterator[Any], context: Context) -> Tally:
        counter, results = generate(self.job, records, context)
        places, folder = list[str](), context.folder
        with (folder / RECORDS).open("wb") as kept, (folder / REJECTIONS).open("wb") as rejected:
            for result in results:
                is_rejected = isinstance(result, Rejection)
                (rejected if is_rejected else kept).write(jsonl.encode(result))
                if self.job.stage.duplicates and not is_rejected:
                    places.append(counter.last_place)
                tick()
        (folder / PLACES).write_bytes(msgspec.json.encode(places))
        # Checked before the shard is published, because a resumed run skips it from then on.
        counter.tally.check(self.job.stage.name)
        return counter.tally


def perform(task: StageTask) -> Tally:
    """Do a task unless it is done, and return its counts, which are those of the published folder."""
    done = task.result()
    if done is not None:
        return done
    # A result that cannot be decoded is damaged: the task is done again.
    shutil.rmtree(task.folder, ignore_errors=True)
    folder = task.folder.with_name(f".{task.folder.name}.{uuid.uuid4().hex[:12]}")
    folder.mkdir(parents=True)
    try:
        tally = task.work(folder)
        (folder / _RESULT).write_bytes(msgspec.json.encode(tally))
        sync_tree(folder)
        return _publish(folder, task, tally)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _publish(folder: Path, task: StageTask, tally: Tally) -> Tally:
    try:
        folder.rename(task.folder)
        sync(task.folder.parent)
    except OSError as error:
        # Another worker may have been first, with a model on another device.
        published = task.result()
        if published is None:
            raise StageError(
                f"cannot move {folder} to {task.folder}: {error}",
                hint="check that the folder of the store is writable and shared by all workers",
            ) from error
        return published
    return tally


def unfinished(staging: Path, step: str) -> list[str]:
    """The names of the shards that workers were computing when they ended."""
    return sorted({path.name[1:].rpartition(".")[0] for path in step_folder(staging, step).glob(".*")})


def remove_unfinished(staging: Path, step: str) -> None:
    """Delete the private folders that killed workers left."""
    for path in step_folder(staging, step).glob(".*"):
        shutil.rmtree(path, ignore_errors=True)


def _ticking(records: Iterable[Any]) -> Iterator[Any]:
    for record in records:
        yield record
        tick()


def _cpu_seconds() -> float:
    """CPU time of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
