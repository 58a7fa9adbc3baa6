"""The tasks of a stage: one for each shard of ``run`` and of its steps, each with a folder that one rename publishes.

The folder of a finished task exists and holds the task's counts, so a task is never computed twice unless two workers do it
at the same time; then the first rename wins. The disk has all files of a task before its folder is renamed, so a power
failure leaves the whole task or none.
"""

from __future__ import annotations

import contextlib
import resource
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.progress import Bar, Progress
from wdw_build.core.stage import RUN, Context, Step
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file, sync, sync_tree
from wdw_build.core.store.output import exclusive, lock_of, staging_folder
from wdw_build.core.tasks.accounting import Counter, Tally
from wdw_build.core.tasks.failures import naming
from wdw_build.core.tasks.job import Job, Results, Shard
from wdw_build.records import Rejection

TASKS = ".tasks"
# Hidden, because a stage may write files of any other name beside them.
RECORDS, REJECTIONS, PLACES, _RESULT = ".records", ".rejections", ".places", ".result"


def step_folder(staging: Path, step: str) -> Path:
    """The folder with the tasks of a step."""
    return staging / TASKS / step


def begin_step(staging: Path, step: str, names: list[str]) -> None:
    """Store the names of a step's tasks in order, and delete what killed workers left of them.

    The folder may also hold shards of another size.
    """
    for path in step_folder(staging, step).glob(".*"):
        shutil.rmtree(path, ignore_errors=True)
    step_folder(staging, step).mkdir(parents=True, exist_ok=True)
    replace_file(staging / TASKS / f"{step}.json", msgspec.json.encode(names))


def unfinished(staging: Path, step: str) -> list[str]:
    """The names of the shards that workers were computing when they ended."""
    return sorted({path.name[1:].rpartition(".")[0] for path in step_folder(staging, step).glob(".*")})


def finished(folder: Path) -> Tally | None:
    """The counts of the task with this folder, if it is finished."""
    try:
        return msgspec.json.decode((folder / _RESULT).read_bytes(), type=Tally)
    except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def results_in(staging: Path) -> Results:
    """The function ``Context.results`` for the tasks in a staging folder."""

    def results(step: str) -> tuple[Path, ...]:
        names = msgspec.json.decode((staging / TASKS / f"{step}.json").read_bytes(), type=list[str])
        return tuple(step_folder(staging, step) / name for name in names)

    return results


@dataclass(frozen=True)
class StageTask:
    """One shard of a stage's ``run``, or of a step. ``bar`` and ``progress`` show something only in the process that made them."""

    job: Job
    shard: Shard
    staging: Path
    progress: Progress
    bar: Bar
    step: Step | None = None

    @property
    def name(self) -> str:
        """The name of the step, or of ``run``."""
        return RUN if self.step is None else self.step.name

    @property
    def folder(self) -> Path:
        """The folder that is published."""
        return step_folder(self.staging, self.name) / self.shard.name

    def work(self, folder: Path) -> Tally:
        """Run the stage or the step on the shard's records; the result has the counts. Raises ``StageError``."""
        stage, section = self.job.stage, self.job.section
        before, counter = _cpu_seconds(), Counter(stage)
        with naming(stage, self.name, counter, folder):
            context = self.job.context(folder, self.progress, results_in(self.staging))
            records = counter.inputs(self._shown(self.shard.records(self.job.reader)))
            if self.step is None:
                _write(counter, stage.run(records, section, context), context)
            else:
                self.step.run(records, section, context)
        tally = counter.tally
        tally.devices = self.job.ports.take_devices(stage.ports_for(section))
        tally.cpu_seconds = round(_cpu_seconds() - before, 2)
        tally.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return tally

    def _shown(self, records: Iterable[Any]) -> Iterator[Any]:
        """Yield the records, and count each on the bar when the next one is asked for."""
        for record in records:
            yield record
            self.bar.advance()


def _write(counter: Counter, results: Iterable[Any], context: Context) -> None:
    """Write what a stage yields into the folder of its task. Raises ``StageError`` if the counts do not add up."""
    places, folder = list[str](), context.folder
    with (folder / RECORDS).open("wb") as kept, (folder / REJECTIONS).open("wb") as rejected:
        for result in counter.outputs(results):
            is_rejected = isinstance(result, Rejection)
            (rejected if is_rejected else kept).write(jsonl.encode(result))
            # Too many results are an error, which the counts show.
            place = counter.places.popleft() if counter.places else ""
            if counter.stage.duplicates and not is_rejected:
                places.append(place)
    (folder / PLACES).write_bytes(msgspec.json.encode(places))
    # Checked before the shard is published, because a resumed run skips it from then on.
    counter.tally.check(counter.stage.name)


def perform(task: StageTask) -> Tally:
    """Do a task unless it is done, and return its counts, which are those of the published folder."""
    if (done := finished(task.folder)) is not None:
        return done
    # A result that cannot be decoded is damaged: the task is done again.
    shutil.rmtree(task.folder, ignore_errors=True)
    folder = task.folder.with_name(f".{task.folder.name}.{uuid.uuid4().hex[:12]}")
    folder.mkdir(parents=True)
    try:
        tally = task.work(folder)
        (folder / _RESULT).write_bytes(msgspec.json.encode(tally))
        sync_tree(folder)
        folder.rename(task.folder)
        sync(task.folder.parent)
        return tally
    except OSError:
        # Another worker may have been first, with a model on another device.
        if (published := finished(task.folder)) is None:
            raise
        return published
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _cpu_seconds() -> float:
    """CPU time of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


class RunStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a run that has not ended."""

    step: str
    """`run`, or a step before or after it."""
    done: int
    """Finished tasks of the step."""
    tasks: int
    """All tasks of the step."""
    seconds_ago: float
    """Seconds since a task was begun or finished."""
    is_alive: bool
    """Whether the process still runs."""


def read_status(root: Path, stage: str, fingerprint: str) -> RunStatus | None:
    """The state of the run that makes an output; None if none has begun. A run is alive while it holds the lock."""
    staging = staging_folder(root, stage, fingerprint)
    try:
        step = max((staging / TASKS).glob("*.json"), key=lambda path: path.stat().st_mtime).stem
        folders = results_in(staging)(step)
        seconds_ago = max(0.0, time.time() - (staging / TASKS / step).stat().st_mtime)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    is_alive = False
    with contextlib.suppress(OSError), exclusive(lock_of(root, stage, fingerprint)) as is_free:
        is_alive = not is_free
    done = sum(1 for folder in folders if folder.exists())
    return RunStatus(step=step, done=done, tasks=len(folders), seconds_ago=seconds_ago, is_alive=is_alive)
