"""The tasks of a stage: one for each shard of ``run`` and of its steps."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.engine.protocol import tick
from wdw_build.core.hashing import id_sum
from wdw_build.core.progress import Progress
from wdw_build.core.stage import RUN, WORKER_DIED, Context, Step
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.shared_files import wait_for
from wdw_build.core.tasks.accounting import Counter, Tally, input_id
from wdw_build.core.tasks.job import Job, Results, generate, run_step
from wdw_build.core.tasks.logs import TaskLog, task_log
from wdw_build.core.tasks.quarantine import Journal
from wdw_build.core.tasks.shards import Shard
from wdw_build.records import Record, Rejection

TASKS, JOURNALS = ".tasks", ".journals"
# Hidden, because a stage may write files of any other name beside them.
RECORDS, REJECTIONS, IDS, PLACES = ".records", ".rejections", ".ids", ".places"


def step_folder(staging: Path, step: str) -> Path:
    """The folder with the tasks of a step."""
    return staging / TASKS / step


def finished_folder(staging: Path, step: str, task: str) -> Path:
    """The folder of a finished task, which another machine may have published. Raises ``StageError`` if there is none."""
    folder = step_folder(staging, step) / task
    wait_for(folder)
    return folder


def publish_names(staging: Path, step: str, names: list[str]) -> None:
    """Store the names of a step's tasks in order, when all are done. Later tasks read the names from this file.

    A listing of the folder would not do: it may also hold shards of another size, and may be out of date on another machine.
    """
    replace_file(staging / TASKS / f"{step}.json", msgspec.json.encode(names))


def results_in(staging: Path) -> Results:
    """The function ``Context.results`` for the tasks in a staging folder."""

    def results(step: str) -> tuple[Path, ...]:
        path = staging / TASKS / f"{step}.json"
        wait_for(path)
        names = msgspec.json.decode(path.read_bytes(), type=list[str])
        return tuple(finished_folder(staging, step, name) for name in names)

    return results


@dataclass(frozen=True)
class StageTask:
    """One shard of a stage's ``run``, or of a step. ``progress`` shows bars only in the process that made it."""

    job: Job
    shard: Shard
    staging: Path
    progress: Progress
    step: Step | None = None

    result_type = Tally

    @property
    def name(self) -> str:
        """The name of the step, or of ``run``."""
        return RUN if self.step is None else self.step.name

    def __str__(self) -> str:
        """Stage, step and shard, for messages."""
        step = "" if self.step is None else f", step {self.step.name}"
        return f"stage {self.job.stage.name}{step}, shard {self.shard.name}"

    @property
    def label(self) -> str:
        """The stage and the step, for logs."""
        return self.job.stage.name if self.step is None else f"{self.job.stage.name}-{self.step.name}"

    @property
    def folder(self) -> Path:
        """See ``Task.folder``."""
        return step_folder(self.staging, self.name) / self.shard.name

    def work(self, folder: Path) -> Tally:
        """Run the stage or the step on the shard's records; the result has the counts. Raises ``StageError``."""
        with task_log(self.staging, f"{self.job.stage.name} {self.name} {self.shard.name}") as log:
            tally = self._done(folder, log)
        tally.devices = self.job.ports.take_devices(self.job.stage.ports_for(self.job.section))
        return tally

    def _done(self, folder: Path, log: TaskLog) -> Tally:
        if self.step is not None:
            run_step(self.job, self.step, _ticking(self._records(log)), self._context(folder))
            return Tally()
        if self.job.stage.scope == "set":
            return self._run(folder, log, frozenset())
        where = f"stage {self.job.stage.name}, shard {self.shard.name}"
        journal = Journal(self.staging / JOURNALS / self.shard.name, where, log.say)
        with journal.trying(lambda: self._records(log), self._attempt) as quarantined:
            return self._run(folder, log, quarantined)

    def _context(self, folder: Path) -> Context:
        return self.job.context(folder, self.progress, results_in(self.staging))

    def _records(self, log: TaskLog) -> Iterator[Any]:
        return log.reading(self.shard.records(self.job.reader))

    def _attempt(self, record: Any) -> None:
        """Run the stage on one record; nothing is kept."""
        with tempfile.TemporaryDirectory(prefix=".attempt-", dir=self.staging) as folder:
            context = self.job.context(Path(folder), Progress("quiet"), results_in(self.staging))
            for _ in generate(self.job, iter([record]), context)[1]:
                pass

    def _run(self, folder: Path, log: TaskLog, quarantined: frozenset[int]) -> Tally:
        """Run the stage without the quarantined records, and write its results into the folder."""
        left_out = list[Any]()
        records = _without(self._records(log), quarantined, left_out.append)
        counter, results = generate(self.job, records, self._context(folder))
        ids, places = array("Q"), list[str]()
        with (folder / RECORDS).open("wb") as kept, (folder / REJECTIONS).open("wb") as rejected:
            for result in results:
                is_rejected = isinstance(result, Rejection)
                (rejected if is_rejected else kept).write(jsonl.encode(result))
                if self.job.stage.duplicates and not is_rejected:
                    ids.append(id_sum(result.id))
                    places.append(counter.last_place)
                tick()
            for rejection in _quarantined(counter, left_out):
                rejected.write(jsonl.encode(rejection))
        if self.job.stage.duplicates:
            (folder / IDS).write_bytes(ids.tobytes())
            (folder / PLACES).write_bytes(msgspec.json.encode(places))
        # Checked before the shard is published, because a resumed run skips it from then on.
        counter.tally.check(self.job.stage.name)
        return counter.tally


def _ticking(records: Iterable[Any]) -> Iterator[Any]:
    for record in records:
        yield record
        tick()


def _without(records: Iterable[Any], numbers: frozenset[int], leave_out: Callable[[Any], None]) -> Iterator[Any]:
    """Yield the records except those with these numbers, which ``leave_out`` gets."""
    for number, record in enumerate(records):
        if number in numbers:
            leave_out(record)
        else:
            yield record


def _quarantined(counter: Counter, records: Iterable[Any]) -> Iterator[Record | Rejection]:
    """Count the quarantined records as read and rejected, and yield their rejections."""
    detail = "three worker processes died on it"
    for record in counter.inputs(records):
        yield from counter.outputs([Rejection(id=input_id(record), reason=WORKER_DIED, detail=detail)])
