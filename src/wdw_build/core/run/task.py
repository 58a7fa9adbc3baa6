"""From a stage to the loop over its records: the job, its shards, and the task that an engine performs for each shard.

A *job* is a stage with everything that it runs on. Its work is cut into *shards*: consecutive records of an input, or blocks of
the corpus. A *task* runs the stage, or one of its steps, on one shard, in a folder that one rename publishes.

The folder of a finished task exists and holds the task's counts, so a task is never computed twice unless two workers do it
at the same time; then the first rename wins. The disk has all files of a task before its folder is renamed, so a power
failure leaves the whole task or none.
"""

from __future__ import annotations

import functools
import resource
import secrets
import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.progress import Bar, Progress
from wdw_build.core.run.accounting import Counter, Tally, naming
from wdw_build.core.run.staging import Staging, finished, store_result
from wdw_build.core.section import Section
from wdw_build.core.stage import BLOCK, CORPUS, RUN, Context, PortSource, Stage, Step
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import sync, sync_tree
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output
from wdw_build.records import Rejection

# Hidden, because a stage may write files of any other name beside them.
RECORDS, REJECTIONS, PLACES = ".records", ".rejections", ".places"
_SHARDS = 16


@dataclass(frozen=True)
class Shard:
    """A part of a stage's work. It pickles small.

    ``name``: that of the task's folder; names sort in the order of the shards. ``count``: the number of records, 0 if unknown.
    ``records`` gives the records in order.
    """

    name: str
    count: int
    records: Callable[[], Iterator[Any]]


def _given_shard(name: str, *values: Any) -> Shard:
    """Given records: one that runs alone, the number of a partition, or none for a step that runs once."""
    return Shard(name, len(values), functools.partial(iter, values))


def shard_size(records: int, block: int, most: int) -> int:
    """About a sixteenth of the records in whole blocks, at most ``most``.

    It does not depend on the number of workers, because a run may resume with another number of workers.
    """
    blocks = -(-records // (_SHARDS * block))
    return max(block, min(blocks * block, most // block * block))


def cut(source: Output, size: int) -> list[Shard]:
    """Cut an input into shards of ``size`` records; the last one may be shorter. An empty input is one shard."""
    total, shards = source.manifest.written, []
    for first in range(0, max(1, total), size):
        count = min(size, total - first)
        # The name has the size: a run may resume with another size.
        shards.append(Shard(f"{first:012d}-{count}", count, functools.partial(source.records_from, first, count)))
    return shards


@dataclass(frozen=True)
class Job:
    """A stage with its settings, inputs and backends. It is pickled for the workers.

    ``needs``: see ``Engine.map``. ``shared``: the sections of other stages that the stage depends on. ``given``: records that
    ``run`` reads in place of its primary input. ``token`` names the job in all processes: its tasks in one process share
    ``Context.kept``.
    """

    stage: Stage
    section: Section
    ingredients: Ingredients
    inputs: dict[str, Output]
    ports: PortSource
    needs: tuple[str, ...] = field(default=(), kw_only=True)
    shared: Mapping[str, Section] = field(default_factory=dict, kw_only=True)
    given: tuple[Any, ...] | None = field(default=None, kw_only=True)
    token: str = field(default_factory=lambda: secrets.token_hex(8), kw_only=True, compare=False)

    @property
    def total(self) -> int | None:
        """Number of inputs; None for a corpus, whose size is unknown."""
        if self.given is not None:
            return len(self.given)
        return self.inputs[self.stage.primary].manifest.written if self.stage.reads else None

    @property
    def reader(self) -> Any:
        """The reader of the corpus, for a stage that reads no other stages."""
        return self.ports.get(self.stage.ports[0])

    def entries(self, block: Any) -> Iterator[Any]:
        """The entries of a block of the corpus; None: of the whole corpus."""
        return iter(self.reader.read() if block is None else self.reader.read(block))

    def shards(self, step: Step | None, most: int) -> Sequence[Shard]:
        """The shards of a step, or of ``run`` (None). ``most``: records in a shard."""
        if step is None and self.given is not None:
            return [_given_shard("given", *self.given)]
        # A stage that needs all records, or the whole corpus, gets them in one piece.
        is_whole = step is None and self.stage.scope == "set"
        over = (self.stage.primary or CORPUS) if step is None else step.over
        over = over(self.total or 0) if callable(over) else over
        if isinstance(over, int):
            return [_given_shard(f"{number:05d}", number) for number in range(over)]
        if not over:
            return [_given_shard("once")]
        if over == CORPUS:
            blocks = self.reader.blocks() if self.stage.scope == "map" else [None]
            entries = (functools.partial(self.entries, block) for block in blocks)
            return [Shard(f"{number:07d}", 0, records) for number, records in enumerate(entries)]
        total = self.inputs[over].manifest.written
        size = max(1, total) if is_whole else shard_size(total, self.stage.block or BLOCK, most)
        return cut(self.inputs[over], size)

    def context(self, folder: Path, progress: Progress, results: Callable[[str], tuple[Path, ...]]) -> Context:
        """What the stage's functions get besides their records."""
        if self.token not in _latest:
            _latest.clear()
            _latest[self.token] = self.inputs, {}
        # The outputs of the first task in this process, whose files are open and checked.
        inputs, kept = _latest[self.token]
        return Context(
            seed=self.ingredients.seed,
            inputs=inputs,
            folder=folder,
            ports=self.ports,
            progress=progress,
            results=results,
            shared=self.shared,
            kept=kept,
        )


# The inputs of the latest job of this process and what its tasks keep, under the job's token.
_latest: dict[str, tuple[dict[str, Output], dict[str, Any]]] = {}


@dataclass(frozen=True)
class StageTask:
    """One shard of a stage's ``run``, or of a step. ``bar`` and ``progress`` show something only in the process that made them."""

    job: Job
    shard: Shard
    staging: Staging
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
        return self.staging.step(self.name) / self.shard.name

    def work(self, folder: Path) -> Tally:
        """Run the stage or the step on the shard's records; the result has the counts. Raises ``StageError``."""
        stage, section = self.job.stage, self.job.section
        before, counter = _cpu_seconds(), Counter(stage)
        with naming(stage, self.name, counter, folder):
            context = self.job.context(folder, self.progress, self.staging.results)
            records = self._counted(counter)
            if self.step is None:
                _write(stage.run(records, section, context), counter, folder)
            else:
                self.step.run(records, section, context)
        tally = counter.tally
        tally.devices = self.job.ports.take_devices(stage.ports_for(section))
        tally.cpu_seconds = round(_cpu_seconds() - before, 2)
        tally.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return tally

    def _counted(self, counter: Counter) -> Iterator[Any]:
        """Yield the records of the shard, and count each; the bar moves when the next one is asked for."""
        for record in self.shard.records():
            counter.read(record)
            yield record
            self.bar.advance()


def _write(results: Iterator[Any], counter: Counter, folder: Path) -> None:
    """The loop over a shard: write each record and each rejection that the stage yields into the folder of its task.

    Raises ``StageError`` if the counts do not add up.
    """
    with (folder / RECORDS).open("wb") as records, (folder / REJECTIONS).open("wb") as rejections:
        for result in results:
            counter.write(result)
            (rejections if isinstance(result, Rejection) else records).write(jsonl.encode(result))
    (folder / PLACES).write_bytes(msgspec.json.encode(counter.places))
    # Checked before the shard is published, because a resumed run skips it from then on.
    counter.tally.check(counter.stage.name)


def perform(task: StageTask) -> Tally:
    """Do a task unless it is done, and return its counts, which are those of the published folder. Engines call it."""
    if (done := finished(task.folder)) is not None:
        return done
    # A result that cannot be decoded is damaged: the task is done again.
    shutil.rmtree(task.folder, ignore_errors=True)
    folder = task.folder.with_name(f".{task.folder.name}.{uuid.uuid4().hex[:12]}")
    folder.mkdir(parents=True)
    try:
        tally = task.work(folder)
        store_result(folder, tally)
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
