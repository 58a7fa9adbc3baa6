"""Runs a stage on an engine, merges what its tasks wrote, counts, and commits the output.

The steps before ``run``, ``run`` and the steps after it are tasks (module ``task``), so a stopped run resumes after the last
finished task, on any engine. This process plans, merges and commits; it holds the names of tasks and their counts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from wdw_build.core.engine.engines import Engine, LocalEngine, WorkerDiedError
from wdw_build.core.installed import instruction_sets
from wdw_build.core.progress import Progress
from wdw_build.core.run.accounting import Tally
from wdw_build.core.run.staging import Staging, finished
from wdw_build.core.run.task import PLACES, RECORDS, REJECTIONS, Job, StageTask, perform
from wdw_build.core.stage import BLOCK, RUN, WITHDRAWN, Step
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import commit, discard, replace_file
from wdw_build.core.store.key_index import id_of
from wdw_build.core.store.manifest import Timing
from wdw_build.core.store.output import Output, OutputWriter, final_folder, locked, staging_folder
from wdw_build.errors import CorpusError, DamagedOutputError, StageError
from wdw_build.records import Rejection


class Runner:
    """Runs stages on an engine and stores their outputs."""

    def __init__(self, root: Path, shard_size: int, progress: Progress, engine: Engine) -> None:
        self._root, self._shard_size = root, shard_size
        self._progress, self._engine = progress, engine

    def make(self, job: Job) -> Output:
        """Run a stage and commit its output. Raises a ``WdwError`` if the stage fails."""
        stage, fingerprint = job.stage.name, job.ingredients.fingerprint
        staging = Staging(staging_folder(self._root, stage, fingerprint))
        final = final_folder(self._root, stage, fingerprint)
        with locked(self._root, stage, fingerprint):
            begun = time.monotonic()
            staging.folder.mkdir(parents=True, exist_ok=True)
            total = _StageRun(job, staging, self._shard_size, self._progress, self._engine).make()
            timing = Timing(
                seconds=round(time.monotonic() - begun, 2),
                cpu_seconds=round(total.cpu_seconds, 2),
                peak_mb=total.peak_mb,
                workers=self._engine.workers,
                processor=instruction_sets(),
            )
            replace_file(staging.output / "timing.json", jsonl.document(timing))
            commit(staging.output, final)
            discard(staging.folder)
        return Output(final, job.stage.writes)


def run_alone(job: Job, folder: Path, progress: Progress) -> Output:
    """Run a stage in this process, without the store; its output is in ``folder``. Raises a ``WdwError`` if the stage fails."""
    staging = Staging(folder)
    with LocalEngine(1) as engine:
        _StageRun(job, staging, BLOCK, progress, engine).make()
    return Output(staging.output, job.stage.writes)


class _StageRun:
    """One run of a stage in its staging folder."""

    def __init__(self, job: Job, staging: Staging, shard_size: int, progress: Progress, engine: Engine) -> None:
        self._job, self._staging, self._shard_size = job, staging, shard_size
        self._progress, self._engine = progress, engine
        self._total = Tally()

    def make(self) -> Tally:
        """Run the steps and ``run``, and merge the shards into the output; returns the counts of all tasks."""
        steps = self._job.stage.steps
        for step in (step for step in steps if not step.after):
            self._run_tasks(step)
        shards = self._run_tasks(None)
        # The steps after ``run`` are about all records.
        for step in (step for step in steps if step.after and self._job.given is None):
            self._run_tasks(step)
        self._check_corpus()
        self._merge(shards)
        return self._total

    def _run_tasks(self, step: Step | None) -> list[tuple[Path, Tally]]:
        """Run the tasks of a step, or of ``run`` (None); returns the folder and the counts of each, in order."""
        stage, shards = self._job.stage, self._job.shards(step, self._shard_size)
        name, label = (RUN, stage.name) if step is None else (step.name, f"{stage.name} ({step.name})")
        self._staging.begin_step(name, [shard.name for shard in shards])
        folders = {shard.name: self._staging.step(name) / shard.name for shard in shards}
        done = {shard: tally for shard, folder in folders.items() if (tally := finished(folder)) is not None}
        if done:
            self._progress.say(f"{label}: {len(done)} of {len(shards)} shards are done already")
        total, records_read = sum(shard.count for shard in shards) or None, sum(tally.read for tally in done.values())
        with self._progress.bar(label, total, step.unit if step else "records", records_read) as bar:
            waiting = [shard for shard in shards if shard.name not in done]
            tasks = [StageTask(self._job, shard, self._staging, self._progress, bar, step) for shard in waiting]
            with contextlib.closing(self._map(tasks, name, label)) as tallies:
                for shard, tally in zip(waiting, tallies, strict=True):
                    done[shard.name] = tally
                    records_read += tally.read
                    # A task in another process has not moved this bar.
                    bar.reach(records_read)
        for tally in done.values():
            self._total.add(tally)
        return [(folder, done[shard]) for shard, folder in folders.items()]

    def _map(self, tasks: Sequence[StageTask], name: str, label: str) -> Generator[Tally, None, None]:
        """The counts of tasks. Raises ``StageError``, which names the shards, if a worker dies."""
        try:
            yield from self._engine.map(perform, tasks, self._job.needs)
        except WorkerDiedError as error:
            stage, shards = self._job.stage, ", ".join(self._staging.unfinished(name)) or "none"
            raise StageError(
                f"stage {label}: {error.message} while these shards were computed: {shards}",
                hint="if memory is short, set fewer execution.workers. To find a record on which workers die: a shard is named "
                f"FIRST-COUNT by its records of {stage.primary or 'the corpus'}, and wdw-build run {stage.name} --only ID "
                "computes one record. The same command resumes after the finished shards",
            ) from error

    def _check_corpus(self) -> None:
        """Raise ``CorpusError`` if the corpus is no longer the one whose hash names the output."""
        port = self._job.stage.ports[0] if not self._job.stage.reads else ""
        hashed = self._job.ingredients.backends.get(port)
        if hashed is not None and self._job.ports.identity(port) != hashed:
            discard(self._staging.tasks)
            raise CorpusError(
                "the corpus was changed while it was read",
                hint="when its files are complete, run the same command again",
            )

    def _merge(self, shards: Sequence[tuple[Path, Tally]]) -> None:
        """Write the output from the finished shards, and count what went in and what came out."""
        job, folder = self._job, self._staging.output
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in job.stage.output_steps if job.given is None else ():
            for task in self._staging.results(name):
                # Second names of the same files: a stopped run can merge again.
                hidden = shutil.ignore_patterns(".*")
                shutil.copytree(task, folder, copy_function=os.link, ignore=hidden, dirs_exist_ok=True)
        writer, replaced, total, withdrawn = OutputWriter(folder), list[Rejection](), Tally(), self._withdrawn()
        # In this order, the pages of the index do not depend on the shards.
        for shard, _ in shards:
            _add_rejections(shard, writer)
        for shard, tally in shards:
            replaced += _add_records(shard, writer, job, withdrawn)
            total.add(tally)
        for rejection in replaced:
            writer.reject(jsonl.encode(rejection))
        for reason, count in Counter(rejection.reason for rejection in replaced).items():
            total.reject_written(reason, count)
        self._check(total, writer.counts)
        writer.finish(job.ingredients, total.reasons, devices=total.devices, has_own_files=job.stage.has_own_files)

    def _withdrawn(self) -> dict[str, Rejection | None]:
        """The rejections of the records that a step withdrew, by id."""
        steps = [step.name for step in self._job.stage.steps if step.withdraws and self._job.given is None]
        folders = (folder for step in steps for folder in self._staging.results(step))
        return {
            rejection.id: rejection for folder in folders for rejection in jsonl.read(folder / WITHDRAWN, Rejection)
        }

    def _check(self, total: Tally, merged: tuple[int, int]) -> None:
        """Raise ``StageError`` unless every input is counted once, ``DamagedOutputError`` if a shard has lost lines."""
        job = self._job
        total.check(job.stage.name)
        if job.total not in {None, total.read}:
            raise StageError(
                f"stage {job.stage.name}: {total.read} records of {job.stage.primary} were read, but it has {job.total}",
                hint="nothing was stored; wdw-build verify -c FILE checks the files of the run",
            )
        if merged != (total.written, total.rejected):
            discard(self._staging.step(RUN))
            raise DamagedOutputError(
                f"stage {job.stage.name}: the shards wrote {total.written} records and {total.rejected} rejections, but "
                f"their files have {merged[0]} and {merged[1]}",
                hint="run the same command again: the shards are computed anew",
            )


def _add_rejections(shard: Path, writer: OutputWriter) -> None:
    with (shard / REJECTIONS).open("rb") as rejections:
        for line in _whole_lines(rejections):
            writer.reject(line)


def _add_records(
    shard: Path, writer: OutputWriter, job: Job, withdrawn: dict[str, Rejection | None]
) -> Iterator[Rejection]:
    """Add the records of a shard; yields a rejection for each that was withdrawn or whose id an earlier record has.

    A rejection in ``withdrawn`` is of the first record with its id, and becomes None with this record.
    """
    places: list[str] = msgspec.json.decode((shard / PLACES).read_bytes())
    with (shard / RECORDS).open("rb") as records:
        for number, line in enumerate(_whole_lines(records)):
            name = id_of(line) if withdrawn else ""
            if rejection := withdrawn.get(name):
                withdrawn[name] = None
                yield rejection
            elif name in withdrawn or not writer.add(line):
                if not job.stage.duplicates:
                    raise StageError(f"stage {job.stage.name}: two records have the id {id_of(line)!r}")
                yield Rejection(id=id_of(line), reason=job.stage.duplicates, detail=places[number])


def _whole_lines(lines: Iterable[bytes]) -> Iterator[bytes]:
    return (line for line in lines if line.endswith(b"\n"))
