"""The tasks of a stage: one for each shard of ``run`` and of its steps."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.hashing import id_sum
from wdw_build.core.run.accounting import Counter, Tally, input_id
from wdw_build.core.run.job import Job, Results, generate, run_step
from wdw_build.core.run.progress import Progress
from wdw_build.core.run.quarantine import Journal
from wdw_build.core.run.shards import Shard
from wdw_build.core.run.ticks import tick
from wdw_build.core.stage import RUN, WORKER_DIED, Step
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.output import wait_for
from wdw_build.records import Record, Rejection

TASKS, _JOURNALS = ".tasks", ".journals"
# Hidden, because a stage may write files of any other name beside them.
RECORDS, REJECTIONS, IDS = ".records", ".rejections", ".ids"


def step_folder(staging: Path, step: str) -> Path:
    """The folder with the tasks of a step."""
    return staging / TASKS / step


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
        return tuple(
            step_folder(staging, step) / name for name in msgspec.json.decode(path.read_bytes(), type=list[str])
        )

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
        context = self.job.context(folder, self.progress, results_in(self.staging))
        if self.step is not None:
            run_step(self.job, self.step, _ticking(self._records()), context)
            tally = Tally()
        elif self.job.stage.scope == "set":
            tally = self._run(folder, frozenset())
        else:
            journal = Journal(
                self.staging / _JOURNALS / self.shard.name, f"stage {self.job.stage.name}, shard {self.shard.name}"
            )
            with journal.trying(self._records, self._attempt) as quarantined:
                tally = self._run(folder, quarantined)
        tally.devices = self.job.ports.take_devices(self.job.stage.ports_for(self.job.section))
        return tally

    def _records(self) -> Iterator[Any]:
        return self.shard.records(self.job.reader)

    def _attempt(self, record: Any) -> None:
        """Run the stage on one record; nothing is kept."""
        with tempfile.TemporaryDirectory(prefix=".attempt-", dir=self.staging) as folder:
            context = self.job.context(Path(folder), Progress("quiet"), results_in(self.staging))
            for _ in generate(self.job, iter([record]), context)[1]:
                pass

    def _run(self, folder: Path, quarantined: frozenset[int]) -> Tally:
        context = self.job.context(folder, self.progress, results_in(self.staging))
        left_out = list[Any]()
        records = _without(self._records(), quarantined, left_out.append)
        counter, results = generate(self.job, records, context)
        with (folder / RECORDS).open("wb") as kept, (folder / REJECTIONS).open("wb") as rejected:
            ids = array("Q")
            for result in results:
                is_rejected = isinstance(result, Rejection)
                (rejected if is_rejected else kept).write(jsonl.encode(result))
                if self.job.stage.duplicates and not is_rejected:
                    ids.append(id_sum(result.id))
                tick()
            for rejection in _quarantined(counter, left_out):
                rejected.write(jsonl.encode(rejection))
        if self.job.stage.duplicates:
            (folder / IDS).write_bytes(ids.tobytes())
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
