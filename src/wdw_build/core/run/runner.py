"""Runs a stage on an engine, counts its results, and commits its output.

The steps before ``run``, ``run``, the steps after it and the merging of the shards are tasks (``tasks``), so a stopped run
resumes after the last finished task, on any engine. This process plans, counts and commits; it holds the names of tasks
and their counts.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from wdw_build.core.config.execution_settings import ExecutionConfig
from wdw_build.core.engine.protocol import Engine, listening
from wdw_build.core.hashing import digest
from wdw_build.core.installed import instruction_sets
from wdw_build.core.progress import Progress
from wdw_build.core.run.left_out import left_out
from wdw_build.core.run.peak_memory import PeakMemory
from wdw_build.core.run.run_status import LiveState, read_status
from wdw_build.core.stage import RUN, Step
from wdw_build.core.store import manifest
from wdw_build.core.store.atomic_output import commit
from wdw_build.core.store.file_list import write_file_list
from wdw_build.core.store.manifest import Manifest, PartInfo, Timing, read_manifest
from wdw_build.core.store.output import Output, final_folder, known_hashes, link, locked, staging_folder
from wdw_build.core.tasks import logs
from wdw_build.core.tasks.accounting import Tally
from wdw_build.core.tasks.job import Job
from wdw_build.core.tasks.merging import (
    DuplicatesTask,
    KeysTask,
    PartTask,
    RejectionsFile,
    RejectionsTask,
    begin_merge,
    finish_moving,
    move_into_place,
    part_tasks,
    prepare,
)
from wdw_build.core.tasks.quarantine import close_journals
from wdw_build.core.tasks.shards import Shard
from wdw_build.core.tasks.stage_tasks import JOURNALS, StageTask, publish_names, step_folder
from wdw_build.core.tasks.task import Task, perform, private_name, remove_unfinished, result_of
from wdw_build.errors import DamagedOutputError, StageError

S = TypeVar("S")

_DISCARD_TRIES, _DISCARD_SECONDS = 5, 0.2


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
            # A run that was stopped while it deleted its tasks has left a complete output.
            if read_manifest(staging) is None:
                self._make(job, staging, tried_again=left_out(stage, final) is not None)
            _discard_tasks(staging)
            commit(staging, final)
        link(self._root, self._run, stage, final)
        return Output(final, job.stage.writes)

    def _make(self, job: Job, staging: Path, *, tried_again: bool) -> None:
        """Write the whole output into the staging folder, the manifest last."""
        begun = time.monotonic()
        prepare(staging)
        _close_old_journals(staging)
        in_process = self._engine.is_local and self._engine.workers == 1
        live = LiveState(staging, self._engine.description, in_process=in_process)
        with self._logs(job.stage.name, staging), PeakMemory() as memory, live.shown():
            made = _StageRun(job, staging, self._execution.shard_size, self._progress, self._engine, live).make()
        seconds = round(time.monotonic() - begun, 2)
        timing = Timing(
            seconds=seconds,
            cpu_seconds=logs.cpu_seconds(staging),
            peak_mb=memory.mb,
            workers=self._engine.workers,
            processor=instruction_sets(),
            tried_again=tried_again,
        )
        write_file_list(staging, known_hashes(made))
        manifest.write(staging / "timing.json", timing)
        manifest.write(staging / "manifest.json", made)

    @contextlib.contextmanager
    def _logs(self, stage: str, staging: Path) -> Iterator[None]:
        """Collect the logs of the workers in ``runs/<run>/logs`` at the end, also after an error."""
        try:
            yield
        finally:
            logs.collect(staging, self._root / "runs" / self._run / "logs" / f"{stage}.log")


def _close_old_journals(staging: Path) -> None:
    """Blame no record for the end of an earlier command whose tasks were computed by other processes.

    The workers ended with the command, and a record that kills a worker does not end the command.
    """
    last = read_status(staging)
    if last is not None and not last.state.in_process:
        close_journals(staging / JOURNALS)


def _discard_tasks(staging: Path) -> None:
    """Delete what only the tasks needed. A worker that was cut off from the network may still write there for a moment."""
    for hidden in staging.glob(".*"):
        aside = staging.with_name(private_name(staging.name))
        hidden.rename(aside)
        if not aside.is_dir():
            aside.unlink(missing_ok=True)
        for _ in range(_DISCARD_TRIES):
            shutil.rmtree(aside, ignore_errors=True)
            if not aside.exists():
                break
            time.sleep(_DISCARD_SECONDS)


class _ExpectedEntries:
    """The number of entries in a corpus, which is unknown before the corpus is read.

    Assumes that the corpus has as many entries a byte as the blocks that are finished.
    """

    def __init__(self, shards: Sequence[Shard], done: Mapping[str, Tally]) -> None:
        self._sizes = {shard.name: getattr(shard, "size", 0) for shard in shards}
        self._all_bytes = sum(self._sizes.values())
        self._bytes = self._entries = 0
        for shard in (shard for shard in shards if shard.name in done):
            self.add(shard, done[shard.name].read)

    def add(self, shard: Shard, entries: int) -> None:
        """Add a finished block."""
        self._bytes += self._sizes[shard.name]
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

    def make(self) -> Manifest:
        """Run the steps and ``run``, and merge the shards; the files are in the staging folder afterwards."""
        merged = finish_moving(self._staging)
        if merged is not None:
            return merged
        stage = self._job.stage
        for step in stage.setup_steps:
            self._step(step)
        shards = self._job.shards(self._shard_size)
        tallies = self._all(RUN, None, shards, self._job.total, stage.unit)
        for step in stage.finalize_steps:
            self._step(step)
        return self._merge(shards, dict(zip([shard.name for shard in shards], tallies, strict=True)))

    def _step(self, step: Step) -> None:
        shards = self._job.step_shards(step, self._shard_size)
        self._all(step.name, step, shards, sum(shard.count for shard in shards) or None, step.unit)

    def _all(self, name: str, step: Step | None, shards: Sequence[Shard], total: int | None, unit: str) -> list[Tally]:
        """Perform the tasks of a step or of ``run``; returns their counts in the order of the shards."""
        label = self._job.stage.name if step is None else f"{self._job.stage.name}: {name}"
        remove_unfinished(step_folder(self._staging, name))
        tasks = [StageTask(self._job, shard, self._staging, self._progress, step) for shard in shards]
        done = {task.shard.name: tally for task in tasks if (tally := result_of(task)) is not None}
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
                expected.add(task.shard, tally.read)
                if total is None and expected.total:
                    bar.expect(expected.total)
        publish_names(self._staging, name, [shard.name for shard in shards])
        return [done[shard.name] for shard in shards]

    def _map(
        self, tasks: Sequence[StageTask], step: Step | None, on_tick: Callable[[int], None]
    ) -> Generator[Tally, None, None]:
        """The counts of tasks. A task that is a whole step shows bars of its own, so it runs in this process if it may."""
        is_whole = self._job.stage.scope == "set" if step is None else not step.over
        if not (is_whole and self._engine.is_local):
            yield from self._engine.map(perform, tasks, on_tick, self._job.resources)
            return
        with listening(on_tick):
            yield from map(perform, tasks)

    def _perform(self, tasks: Sequence[Task[S]]) -> Iterator[S]:
        """The results of tasks that take little time if there is only one part."""
        if self._engine.is_local and len(tasks) <= 2:
            return map(perform, tasks)
        return self._engine.map(perform, tasks)

    def _merge(self, shards: Sequence[Shard], tallies: Mapping[str, Tally]) -> Manifest:
        names, job = tuple(tallies), self._job
        self._live.step("merge", 1, 0)
        begin_merge(self._staging, names)
        duplicates, dropped = None, dict[str, int]()
        if job.stage.duplicates:
            find_duplicates = DuplicatesTask(self._staging, names)
            (dropped,) = self._perform([find_duplicates])
            duplicates = find_duplicates.folder
        total = _total(tallies.values(), job, sum(dropped.values()))
        written = {name: tally.written for name, tally in tallies.items()}
        parts_of = part_tasks(self._staging, shards, written, dropped, duplicates)
        rejections = RejectionsTask(self._staging, names, job.stage.duplicates, duplicates)
        tasks: list[PartTask | RejectionsTask] = [*parts_of, rejections]
        results: list[Any] = list(self._perform(tasks))
        parts: tuple[PartInfo, ...] = tuple(results[:-1])
        rejected: RejectionsFile = results[-1]
        _check_merged(job.stage.name, total, sum(part.records for part in parts), rejected.records)
        list(self._perform([KeysTask(self._staging, tuple(part.name for part in parts))]))
        made = _manifest(job, total, parts, rejected.sha256)
        move_into_place(self._staging, made, job.stage.output_steps)
        return made


def _manifest(job: Job, total: Tally, parts: tuple[PartInfo, ...], rejections_sha256: str) -> Manifest:
    hashes = [part.sha256 for part in parts]
    return Manifest(
        fingerprint=job.ingredients.fingerprint,
        ingredients=job.ingredients,
        read=total.read,
        written=total.written,
        rejected=total.rejected,
        reasons=dict(sorted(total.reasons.items())),
        parts=parts,
        rejections_sha256=rejections_sha256,
        # The files that a stage writes itself are not hashed, because two builds of an index differ. The fingerprint
        # identifies their content.
        content_hash=digest([*hashes, job.ingredients.fingerprint if job.stage.has_own_files else ""]),
        devices=total.devices,
    )


def _total(tallies: Iterable[Tally], job: Job, duplicates: int) -> Tally:
    """The counts of all shards; duplicates count as rejected. Raises ``StageError`` unless every input is counted once."""
    total = Tally()
    for tally in tallies:
        total.add(tally)
    total.reject_written(job.stage.duplicates, duplicates)
    total.check(job.stage.name)
    if job.must_read not in {None, total.read}:
        raise StageError(
            f"stage {job.stage.name}: {total.read} records of {job.stage.primary} were read, but it has {job.must_read}",
            hint="nothing was stored; wdw-build verify -c FILE checks the files of the run",
        )
    return total


def _check_merged(stage: str, total: Tally, written: int, rejected: int) -> None:
    """Raise ``DamagedOutputError`` unless the merged files have as many records and rejections as the shards counted."""
    if (written, rejected) != (total.written, total.rejected):
        raise DamagedOutputError(
            f"stage {stage}: the shards wrote {total.written} records and {total.rejected} rejections, but their files have "
            f"{written} and {rejected}",
            hint=f"delete the hidden folder store/{stage}/.*.staging, and run the same command again: the stage begins anew",
        )
