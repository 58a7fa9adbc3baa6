"""Runs a stage in shards and workers, counts its results, and commits its output.

A map stage runs shard by shard. A finished shard is three files in the staging folder (records, rejections, counts), each
renamed into place, so that a stopped run resumes after the last finished shard. A set stage runs as one shard.
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
from wdw_build.core.run.worker_process import tick
from wdw_build.core.run.workers import Pool
from wdw_build.core.stage import Context, PortSource, Stage
from wdw_build.core.store import jsonl, manifest
from wdw_build.core.store.manifest import Ingredients, Manifest, Timing
from wdw_build.core.store.output import Output, PartWriter, commit, final_folder, link, locked, staging_folder
from wdw_build.core.store.rejection_index import write_keys
from wdw_build.errors import StageError, WdwError
from wdw_build.records import Record, Rejection

# The expected total of a corpus is updated this often.
_UPDATE_SECONDS = 1.0


@dataclass(frozen=True)
class Job:
    """A stage with its settings, inputs and backends. It is pickled for the workers."""

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
        """Number of inputs; None for a corpus, whose size is unknown."""
        return self.inputs[self.stage.primary].manifest.written if self.stage.reads else None


def generate(
    job: Job, records: Iterator[Any], folder: Path, progress: Progress, pool: Pool
) -> tuple[Counter, Iterator[Record | Rejection]]:
    """Run a stage; return a counter and an iterator of the results, which the counter counts.

    An unexpected exception becomes a ``StageError`` that names the record and the line of code.
    """
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
    command = f"wdw-build run {stage.name} --only {shlex.quote(shown)} --config FILE  runs this record alone"
    if not stage.can_run_one and stage.primary:
        command = f"wdw-build inspect {stage.primary} --id {shlex.quote(shown)} --config FILE  shows this record"
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
    # The process id keeps a worker that outlives its killed run from writing into the files of the next one.
    unfinished = [path.with_name(f"{path.name}.{os.getpid()}.tmp") for path in paths]
    with unfinished[0].open("wb") as records, unfinished[1].open("wb") as rejections:
        for result in results:
            (rejections if isinstance(result, Rejection) else records).write(jsonl.encode(result))
            tick()
    # Checked before the shard is marked as done, because a resumed run skips it from then on.
    counter.tally.check(job.stage.name)
    counter.tally.devices = job.ports.take_devices(job.stage.ports_for(job.section))
    unfinished[2].write_bytes(msgspec.json.encode(counter.tally))
    # The counts are renamed last: they mark the shard as done.
    for file, path in zip(unfinished, paths, strict=True):
        file.replace(path)


class Runner:
    """Runs stages and stores their outputs."""

    def __init__(self, root: Path, run: str, execution: ExecutionConfig, progress: Progress, pool: Pool) -> None:
        self._root, self._run, self._execution = root, run, execution
        self._progress, self._pool = progress, pool

    def make(self, job: Job) -> Output:
        """Run a stage and commit its output. Raises a ``WdwError`` if the stage fails."""
        stage, fingerprint = job.stage.name, job.ingredients.fingerprint
        staging, final = (folder(self._root, stage, fingerprint) for folder in (staging_folder, final_folder))
        with locked(self._root, stage, fingerprint), PeakMemory() as memory:
            begun = time.monotonic()
            shards = self._shards(job)
            self._prepare(job, staging, shards)
            tally = self._run_all(job, staging, shards)
            tally.check(stage)
            manifest.write(staging / "manifest.json", self._merge(job, staging, shards, tally))
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
        return [Shard(first=0, count=job.total or 0, slices=())]

    def _prepare(self, job: Job, staging: Path, shards: list[Shard]) -> None:
        # A set stage cannot resume: it starts again.
        if job.stage.scope == "set":
            shutil.rmtree(staging, ignore_errors=True)
        (staging / ".shards").mkdir(parents=True, exist_ok=True)
        done = sum(is_done(staging, shard) for shard in shards)
        if done:
            self._progress.say(f"{job.stage.name}: {done} of {len(shards)} shards are done already")

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
        if not job.stage.reads and (corpus := CorpusProgress(job.ports.get(job.stage.ports[0]))).total:
            records = _with_expected_total(records, corpus, bar)
        counter, results = generate(job, records, staging, self._progress, self._pool)

        def advancing() -> Iterator[Record | Rejection]:
            for result in results:
                bar.advance(1)
                yield result

        _write_shard(job, staging, shard, counter, advancing())

    def _merge(self, job: Job, staging: Path, shards: list[Shard], tally: Tally) -> Manifest:
        parts = PartWriter(staging).write(_lines(staging, shards))
        with (staging / "rejections.jsonl").open("wb") as stream:
            for shard in shards:
                with shard_path(staging, shard, "rejections").open("rb") as rejections:
                    shutil.copyfileobj(rejections, stream)
        write_keys(staging)
        hashes = [part.sha256 for part in parts]
        # Files that an opaque stage writes itself are not hashed, because two builds of an index differ. The fingerprint
        # identifies their content.
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


def _with_expected_total(records: Iterator[Any], corpus: CorpusProgress, bar: Bar) -> Iterator[Any]:
    """Yield the entries of a corpus, and set the bar's total to their number as extrapolated from the bytes read so far."""
    next_update = time.monotonic() + _UPDATE_SECONDS
    for number, record in enumerate(records, 1):
        yield record
        if time.monotonic() >= next_update:
            next_update = time.monotonic() + _UPDATE_SECONDS
            if bytes_read := corpus.bytes_before(record.place):
                bar.expect(round(number * corpus.total / bytes_read))


def _lines(staging: Path, shards: list[Shard]) -> Iterator[bytes]:
    for shard in shards:
        with shard_path(staging, shard, "records").open("rb") as stream:
            yield from stream
