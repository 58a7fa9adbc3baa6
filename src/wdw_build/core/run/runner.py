"""Runs a stage: shards, workers, counting, resuming, committing. Stages know nothing of this.

A map stage is run shard by shard; every finished shard is three files in the staging folder (records, rejections,
counts), renamed into place, so that a killed run goes on after the last whole one. A set stage is run as one shard.
"""

from __future__ import annotations

import os
import shlex
import shutil
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.config.settings import ExecutionConfig, Section
from wdw_build.core.hashing import digest, file_sha256
from wdw_build.core.run.accounting import Counter, Tally
from wdw_build.core.run.corpus_progress import CorpusProgress
from wdw_build.core.run.peak_memory import PeakMemory
from wdw_build.core.run.progress import Bar, Progress, printable
from wdw_build.core.run.shards import KINDS, Shard, cut, is_done, shard_path, shard_size
from wdw_build.core.run.workers import Pool, tick
from wdw_build.core.stage import Context, PortSource, Stage
from wdw_build.core.store import jsonl, manifest
from wdw_build.core.store.manifest import Ingredients, Manifest, Timing
from wdw_build.core.store.output import Output, PartWriter, commit, final_folder, link, locked, staging_folder
from wdw_build.core.store.rejection_index import write_keys
from wdw_build.errors import StageError, WdwError
from wdw_build.records import Record, Rejection

_LOOK_SECONDS = 1.0


@dataclass(frozen=True)
class Job:
    """One stage with all that it needs. It can be pickled and is the same in every worker."""

    stage: Stage
    section: Section
    ingredients: Ingredients
    inputs: dict[str, Output]
    ports: PortSource

    def records(self, shard: Shard | None) -> Iterator[Any]:
        """The inputs of a shard, or all of them."""
        if not self.stage.reads:
            return iter(self.ports.get(self.stage.ports[0]).read())
        primary = self.inputs[self.stage.primary]
        return primary.records() if shard is None else shard.records(primary.kind)

    @property
    def total(self) -> int | None:
        """How many inputs there are; None for a corpus that was never read."""
        return self.inputs[self.stage.primary].manifest.written if self.stage.reads else None


def generate(
    job: Job, records: Iterator[Any], folder: Path, progress: Progress, pool: Pool
) -> tuple[Counter, Iterator[Record | Rejection]]:
    """The counted generator of a stage. An unexpected exception becomes ``StageError`` with record and place."""
    counter = Counter(job.stage)
    context = Context(
        seed=job.ingredients.seed,
        inputs=job.inputs | {name: job.inputs[other] for name, other in job.stage.stand_ins.items()},
        folder=folder,
        ports=job.ports,
        progress=progress,
        pool=pool,
    )

    def results() -> Iterator[Record | Rejection]:
        try:
            yield from counter.outputs(job.stage.run(counter.inputs(records), job.section, context))
        except WdwError:
            raise
        except Exception as error:
            raise _failure(job.stage, counter.last_id, error) from error

    return counter, results()


def _failure(stage: Stage, record_id: str, error: Exception) -> StageError:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    shown = printable(record_id)
    command = f"wdw-build run {stage.name} --only {shlex.quote(shown)} --config FILE  runs that record alone"
    if not stage.can_run_one and stage.primary:
        command = f"wdw-build inspect {stage.primary} --id {shlex.quote(shown)} --config FILE  shows that record"
    return StageError(
        f"stage {stage.name} stopped at record {shown!r} (the last one read): {type(error).__name__}: "
        f"{printable(str(error))} ({Path(frame.filename).name}:{frame.lineno})",
        hint=f"{command}; finished shards are kept",
    )


@dataclass(frozen=True)
class _Task:
    job: Job
    shard: Shard
    staging: Path


def _run_shard(task: _Task) -> Tally:
    counter, results = generate(task.job, task.job.records(task.shard), task.staging, Progress("quiet"), Pool(1))
    _write_shard(task.job, task.staging, task.shard, counter, results)
    return counter.tally


def _write_shard(
    job: Job, staging: Path, shard: Shard, counter: Counter, results: Iterator[Record | Rejection]
) -> None:
    paths = [shard_path(staging, shard, kind) for kind in KINDS]
    # Names of this process's own: a worker that outlives a killed run must not write into another's files.
    beside = [path.with_name(f"{path.name}.{os.getpid()}.tmp") for path in paths]
    with beside[0].open("wb") as records, beside[1].open("wb") as rejections:
        for result in results:
            (rejections if isinstance(result, Rejection) else records).write(jsonl.encode(result))
            tick()
    # What is not right must not be kept as done, for the next run would go on from it.
    counter.tally.check(job.stage.name)
    counter.tally.devices = job.ports.take_devices(job.stage.ports_for(job.section))
    beside[2].write_bytes(msgspec.json.encode(counter.tally))
    # The counts come last: a shard is done when they are there.
    for made, path in zip(beside, paths, strict=True):
        made.replace(path)


class Runner:
    """Makes stage outputs in one store."""

    def __init__(self, root: Path, run: str, execution: ExecutionConfig, progress: Progress, pool: Pool) -> None:
        self._root, self._run, self._execution = root, run, execution
        self._progress, self._pool = progress, pool

    def make(self, job: Job) -> Output:
        """Run a stage and commit its output. Raises ``WdwError`` of the kind that says what to do."""
        stage, fingerprint = job.stage.name, job.ingredients.fingerprint
        staging, final = (place(self._root, stage, fingerprint) for place in (staging_folder, final_folder))
        with locked(self._root, stage, fingerprint), PeakMemory() as memory:
            begun = time.monotonic()
            shards = self._shards(job)
            self._prepare(job, staging, shards)
            tally = self._run_all(job, staging, shards)
            tally.check(stage)
            made = self._merge(job, staging, shards, tally)
            manifest.write(staging / "manifest.json", made)
            timing = Timing(
                seconds=round(time.monotonic() - begun, 2), peak_mb=memory.mb, workers=self._execution.workers
            )
            manifest.write(staging / "timing.json", timing)
            shutil.rmtree(staging / ".shards")
            commit(staging, final)
        link(self._root, self._run, stage, final)
        return Output(final, job.stage.writes)

    def _shards(self, job: Job) -> list[Shard]:
        if job.stage.scope == "map" and job.stage.reads:
            size = shard_size(job.total or 0, job.stage.block, self._execution.shard_size)
            return cut(job.inputs[job.stage.primary], size)
        return [Shard(first=0, count=job.total or 0, pieces=())]

    def _prepare(self, job: Job, staging: Path, shards: list[Shard]) -> None:
        # What a set stage left behind is half done: it starts anew.
        if job.stage.scope == "set":
            shutil.rmtree(staging, ignore_errors=True)
        (staging / ".shards").mkdir(parents=True, exist_ok=True)
        done = sum(is_done(staging, shard) for shard in shards)
        if done:
            self._progress.say(f"{job.stage.name}: {done} of {len(shards)} shards were done before")

    def _run_all(self, job: Job, staging: Path, shards: list[Shard]) -> Tally:
        open_shards = [shard for shard in shards if not is_done(staging, shard)]
        done = sum(shard.count for shard in shards) - sum(shard.count for shard in open_shards)
        with self._progress.bar(job.stage.name, job.total, job.stage.unit, done) as bar:
            if job.stage.scope == "set" or self._pool.workers == 1 or len(open_shards) == 1:
                for shard in open_shards:
                    self._run_here(job, shard, staging, bar)
            else:
                tasks = [_Task(job, shard, staging) for shard in open_shards]
                for _ in self._pool.map(_run_shard, tasks, bar.advance):
                    pass
        total = Tally()
        for shard in shards:
            total.add(msgspec.json.decode(shard_path(staging, shard, "done").read_bytes(), type=Tally))
        return total

    def _run_here(self, job: Job, shard: Shard, staging: Path, bar: Bar) -> None:
        records = job.records(None if job.stage.scope == "set" else shard)
        if not job.stage.reads and (reading := CorpusProgress(job.ports.get(job.stage.ports[0]))).total:
            records = _expected(records, reading, bar)
        counter, results = generate(job, records, staging, self._progress, self._pool)

        def shown() -> Iterator[Record | Rejection]:
            for result in results:
                bar.advance(1)
                yield result

        _write_shard(job, staging, shard, counter, shown())

    def _merge(self, job: Job, staging: Path, shards: list[Shard], tally: Tally) -> Manifest:
        parts = PartWriter(staging).write(_lines(staging, shards))
        with (staging / "rejections.jsonl").open("wb") as stream:
            for shard in shards:
                with shard_path(staging, shard, "rejections").open("rb") as piece:
                    shutil.copyfileobj(piece, stream)
        write_keys(staging)
        hashes = [part.sha256 for part in parts]
        # Files of a stage's own are not hashed (an index is never the same twice): its fingerprint stands for them.
        content = digest([*hashes, job.ingredients.fingerprint if job.stage.opaque else ""])
        return Manifest(
            fingerprint=job.ingredients.fingerprint,
            ingredients=job.ingredients,
            read=tally.read,
            written=tally.written,
            rejected=tally.rejected,
            reasons=dict(sorted(tally.reasons.items())),
            parts=parts,
            rejections_sha256=file_sha256(staging / "rejections.jsonl"),
            content=content,
            devices=tally.devices,
        )


def _expected(records: Iterator[Any], reading: CorpusProgress, bar: Bar) -> Iterator[Any]:
    """The places of a corpus; now and then the bar is told how many there seem to be, by the bytes behind them."""
    look = time.monotonic() + _LOOK_SECONDS
    for number, record in enumerate(records, 1):
        yield record
        if time.monotonic() >= look:
            look = time.monotonic() + _LOOK_SECONDS
            if behind := reading.bytes_before(record.place):
                bar.expect(round(number * reading.total / behind))


def _lines(staging: Path, shards: list[Shard]) -> Iterator[bytes]:
    for shard in shards:
        with shard_path(staging, shard, "records").open("rb") as stream:
            yield from stream
