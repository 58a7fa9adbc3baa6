"""Runs a stage on an engine, merges what its tasks wrote, counts, and commits the output.

The steps before ``run``, ``run`` and the steps after it are tasks (``tasks.stage_tasks``), so a stopped run resumes after the
last finished task, on any engine. This process plans, merges and commits; it holds the names of tasks and their counts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from wdw_build.core.engine.protocol import Engine, WorkerDiedError, listening
from wdw_build.core.engine.settings import ExecutionConfig
from wdw_build.core.installed import instruction_sets
from wdw_build.core.progress import Progress
from wdw_build.core.run.run_status import LiveState
from wdw_build.core.stage import RUN, Step
from wdw_build.core.store import jsonl, manifest
from wdw_build.core.store.atomic_output import commit, discard
from wdw_build.core.store.key_index import id_of
from wdw_build.core.store.manifest import Timing
from wdw_build.core.store.output import Output, OutputWriter, final_folder, link, locked, staging_folder
from wdw_build.core.tasks.accounting import Tally
from wdw_build.core.tasks.job import Job
from wdw_build.core.tasks.shards import Shard
from wdw_build.core.tasks.stage_tasks import (
    PLACES,
    RECORDS,
    REJECTIONS,
    StageTask,
    perform,
    publish_names,
    remove_unfinished,
    results_in,
    step_folder,
    unfinished,
)
from wdw_build.errors import DamagedOutputError, StageError
from wdw_build.records import Rejection

_OUTPUT = ".output"


class Runner:
    """Runs stages on an engine and stores their outputs."""

    def __init__(self, root: Path, run: str, execution: ExecutionConfig, progress: Progress, engine: Engine) -> None:
        self._root, self._run, self._execution = root, run, execution
        self._progress, self._engine = progress, engine

    def make(self, job: Job) -> Output:
        """Run a stage and commit its output. Raises a ``WdwError`` if the stage fails."""
        stage, fingerprint = job.stage.name, job.ingredients.fingerprint
        staging, final = (folder(self._root, stage, fingerprint) for folder in (staging_folder, final_folder))
        with locked(self._root, stage, fingerprint):
            begun = time.monotonic()
            staging.mkdir(parents=True, exist_ok=True)
            live = LiveState(staging, self._engine.description)
            with live.shown():
                total = _StageRun(job, staging, self._execution.shard_size, self._progress, self._engine, live).make()
            timing = Timing(
                seconds=round(time.monotonic() - begun, 2),
                cpu_seconds=round(total.cpu_seconds, 2),
                peak_mb=total.peak_mb,
                workers=self._engine.workers,
                processor=instruction_sets(),
            )
            manifest.write(staging / _OUTPUT / "timing.json", timing)
            commit(staging / _OUTPUT, final)
            discard(staging)
        link(self._root, self._run, stage, final)
        return Output(final, job.stage.writes)


class _ExpectedEntries:
    """The number of entries in a corpus, which is unknown before the corpus is read.

    Assumes that the corpus has as many entries a byte as the blocks that are finished.
    """

    def __init__(self, shards: Sequence[Shard], done: Mapping[str, Tally]) -> None:
        self._sizes = {shard.name: getattr(shard, "size", 0) for shard in shards}
        self._all_bytes = sum(self._sizes.values())
        self._bytes = self._entries = 0
        for name, tally in done.items():
            self.add(name, tally.read)

    def add(self, name: str, entries: int) -> None:
        """Add a finished block."""
        self._bytes += self._sizes[name]
        self._entries += entries

    @property
    def total(self) -> int:
        """Entries of the whole corpus; 0 while unknown, and for shards that are not blocks with a size."""
        return round(self._entries * self._all_bytes / self._bytes) if self._bytes else 0


class _StageRun:
    """One run of a stage in its staging folder."""

    def __init__(
        self, job: Job, staging: Path, shard_size: int, progress: Progress, engine: Engine, live: LiveState
    ) -> None:
        self._job, self._staging, self._shard_size = job, staging, shard_size
        self._progress, self._engine, self._live = progress, engine, live
        self._total = Tally()

    def make(self) -> Tally:
        """Run the steps and ``run``, and merge the shards into the output; returns the counts of all tasks."""
        stage = self._job.stage
        for step in [one for one in stage.steps if not one.after]:
            self._step(step)
        shards = self._job.shards(self._shard_size)
        tallies = self._all(RUN, None, shards, self._job.total, "records")
        for step in [one for one in stage.steps if one.after]:
            self._step(step)
        self._merge([step_folder(self._staging, RUN) / shard.name for shard in shards], tallies)
        return self._total

    def _step(self, step: Step) -> None:
        shards = self._job.step_shards(step, self._shard_size)
        self._all(step.name, step, shards, sum(shard.count for shard in shards) or None, step.unit)

    def _all(self, name: str, step: Step | None, shards: Sequence[Shard], total: int | None, unit: str) -> list[Tally]:
        """Perform the tasks of a step or of ``run``; returns their counts in the order of the shards."""
        label = self._job.stage.name if step is None else f"{self._job.stage.name}: {name}"
        remove_unfinished(self._staging, name)
        tasks = [StageTask(self._job, shard, self._staging, self._progress, step) for shard in shards]
        done = {task.shard.name: tally for task in tasks if (tally := task.result()) is not None}
        if done:
            self._progress.say(f"{label}: {len(done)} of {len(shards)} shards are done already")
        self._live.step(name, len(tasks), len(done))
        finished = sum(shard.count or done[shard.name].read for shard in shards if shard.name in done)
        expected = _ExpectedEntries(shards, done)
        waiting = [task for task in tasks if task.shard.name not in done]
        with (
            self._progress.bar(label, total, unit, finished) as bar,
            contextlib.closing(self._map(waiting, step, bar.advance)) as tallies,
        ):
            for task, tally in zip(waiting, tallies, strict=True):
                done[task.shard.name] = tally
                self._live.task_done()
                expected.add(task.shard.name, tally.read)
                if total is None and expected.total:
                    bar.expect(expected.total)
        publish_names(self._staging, name, [shard.name for shard in shards])
        for tally in done.values():
            self._total.add(tally)
        return [done[shard.name] for shard in shards]

    def _map(
        self, tasks: Sequence[StageTask], step: Step | None, on_tick: Callable[[int], None]
    ) -> Generator[Tally, None, None]:
        """The counts of tasks. A task that is a whole step shows bars of its own, so it runs in this process if it may."""
        is_whole = self._job.stage.scope == "set" if step is None else not step.over
        if is_whole and self._engine.is_local:
            with listening(on_tick):
                yield from map(perform, tasks)
            return
        try:
            yield from self._engine.map(perform, tasks, on_tick, self._job.needs)
        except WorkerDiedError as error:
            raise self._died(RUN if step is None else step.name, error) from error

    def _died(self, step: str, error: WorkerDiedError) -> StageError:
        stage, shards = self._job.stage, unfinished(self._staging, step)
        place = stage.name if step == RUN else f"{stage.name} ({step})"
        return StageError(
            f"stage {place}: {error.message} while these shards were computed: {', '.join(shards) or 'none'}",
            hint="if memory is short, set fewer execution.workers. To find a record on which workers die: a shard is named "
            f"FIRST-COUNT by its records of {stage.primary or 'the corpus'}, and wdw-build run {stage.name} --only ID "
            "computes one record. The same command resumes after the finished shards",
        )

    def _merge(self, folders: Sequence[Path], tallies: Sequence[Tally]) -> None:
        """Write the output from the finished shards, and count what went in and what came out."""
        job, folder = self._job, self._staging / _OUTPUT
        self._live.step("merge", 1, 0)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in job.stage.output_steps:
            for task in results_in(self._staging)(name):
                _link_files(task, folder)
        writer, duplicates, total = OutputWriter(folder), list[bytes](), Tally()
        # In this order, the pages of the index do not depend on the shards.
        for shard in folders:
            _add_rejections(shard, writer)
        for shard, tally in zip(folders, tallies, strict=True):
            duplicates += _add_records(shard, writer, job)
            total.add(tally)
        for line in duplicates:
            writer.reject(line)
        total.reject_written(job.stage.duplicates, len(duplicates))
        self._check(total, writer.counts)
        writer.finish(job.ingredients, total.reasons, devices=total.devices, has_own_files=job.stage.has_own_files)

    def _check(self, total: Tally, merged: tuple[int, int]) -> None:
        """Raise ``StageError`` unless every input is counted once, ``DamagedOutputError`` if a shard has lost lines."""
        job = self._job
        total.check(job.stage.name)
        if job.must_read not in {None, total.read}:
            raise StageError(
                f"stage {job.stage.name}: {total.read} records of {job.stage.primary} were read, but it has {job.must_read}",
                hint="nothing was stored; wdw-build verify -c FILE checks the files of the run",
            )
        if merged != (total.written, total.rejected):
            discard(step_folder(self._staging, RUN))
            raise DamagedOutputError(
                f"stage {job.stage.name}: the shards wrote {total.written} records and {total.rejected} rejections, but "
                f"their files have {merged[0]} and {merged[1]}",
                hint="run the same command again: the shards are computed anew",
            )


def _add_rejections(shard: Path, writer: OutputWriter) -> None:
    with (shard / REJECTIONS).open("rb") as rejections:
        for line in _whole_lines(rejections):
            writer.reject(line)


def _add_records(shard: Path, writer: OutputWriter, job: Job) -> Iterator[bytes]:
    """Add the records of a shard; yields a rejection for each record whose id an earlier record has."""
    places: list[str] = msgspec.json.decode((shard / PLACES).read_bytes())
    with (shard / RECORDS).open("rb") as records:
        for number, line in enumerate(_whole_lines(records)):
            if writer.add(line):
                continue
            if not job.stage.duplicates:
                raise StageError(f"stage {job.stage.name}: two records have the id {id_of(line)!r}")
            yield jsonl.encode(Rejection(id=id_of(line), reason=job.stage.duplicates, detail=places[number]))


def _whole_lines(lines: Iterable[bytes]) -> Iterator[bytes]:
    return (line for line in lines if line.endswith(b"\n"))


def _link_files(folder: Path, destination: Path) -> None:
    """Give the files of a task, except hidden ones, a second name in another folder: a stopped run can merge again."""
    for path in folder.glob("[!.]*"):
        if path.is_dir():
            shutil.copytree(path, destination / path.name, copy_function=_link)
        else:
            _link(path, destination / path.name)


def _link(source: str | Path, target: str | Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        # A file system without hard links.
        shutil.copy2(source, target)
