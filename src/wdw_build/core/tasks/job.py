"""A stage with everything that it runs on, and the generator of its results."""

from __future__ import annotations

import contextlib
import secrets
import shlex
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wdw_build.core.config.section import Section
from wdw_build.core.progress import Progress, printable
from wdw_build.core.stage import CORPUS, RUN, Context, PortSource, Stage, Step
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output
from wdw_build.core.tasks.accounting import Counter
from wdw_build.core.tasks.shards import CorpusBlock, Numbers, Shard, WholeOutput, cut, shard_size
from wdw_build.errors import FULL_DISK, StageError, WdwError, is_out_of_memory
from wdw_build.records import Record, Rejection

Results = Callable[[str], tuple[Path, ...]]
_SAID_CHARACTERS = 300


@dataclass(frozen=True)
class Job:
    """A stage with its settings, inputs and backends. It is pickled for the workers.

    ``resources``: see ``Engine.map``. ``shared``: the sections of other stages that the stage depends on. ``token`` names the job
    in all processes: tasks of one job in one process share its open inputs and ``Context.kept``.
    """

    stage: Stage
    section: Section
    ingredients: Ingredients
    inputs: dict[str, Output]
    ports: PortSource
    resources: tuple[str, ...] = field(default=(), kw_only=True)
    shared: Mapping[str, Section] = field(default_factory=dict, kw_only=True)
    token: str = field(default_factory=lambda: secrets.token_hex(8), kw_only=True, compare=False)

    @property
    def total(self) -> int | None:
        """Number of inputs; None for a corpus, whose size is unknown."""
        return self.inputs[self.stage.primary].manifest.written if self.stage.reads else None

    @property
    def must_read(self) -> int | None:
        """The number of inputs that ``run`` must read; None if it may read any number."""
        return self.total

    @property
    def reader(self) -> Any:
        """The reader of the corpus; None for a stage that reads other stages."""
        return None if self.stage.reads else self.ports.get(self.stage.ports[0])

    def shards(self, most: int) -> Sequence[Shard]:
        """The shards of ``run``. ``most``: records in a shard."""
        if not self.stage.reads:
            return self._corpus_blocks()
        if self.stage.scope == "set":
            return [WholeOutput(self.inputs[self.stage.primary], self.total or 0)]
        return self._cut(self.stage.primary, most)

    def step_shards(self, step: Step, most: int) -> Sequence[Shard]:
        """The shards of a step. ``most``: records in a shard."""
        over = step.over(self.total or 0) if callable(step.over) else step.over
        if isinstance(over, int):
            return [Numbers(f"{number:05d}", (number,)) for number in range(over)]
        if over == CORPUS:
            return self._corpus_blocks()
        return self._cut(self.stage.input_aliases.get(over, over), most) if over else [Numbers("once")]

    def _corpus_blocks(self) -> Sequence[Shard]:
        # A reader of another package may not cut its files, and a stage that sees the whole corpus gets it in one piece.
        blocks = getattr(self.reader, "blocks", None) if self.stage.scope == "map" else None
        return [
            CorpusBlock.of(number, block) for number, block in enumerate(blocks() if blocks is not None else [None])
        ]

    def _cut(self, name: str, most: int) -> Sequence[Shard]:
        source = self.inputs[name]
        return cut(source, shard_size(source.manifest.written, self.stage.block, most))

    def context(self, folder: Path, progress: Progress, results: Results) -> Context:
        """What the stage's functions get besides their records."""
        inputs, kept = _opened(self)
        return Context(
            seed=self.ingredients.seed,
            inputs=inputs | {name: inputs[other] for name, other in self.stage.input_aliases.items()},
            folder=folder,
            ports=self.ports,
            progress=progress,
            results=results,
            shared=self.shared,
            kept=kept,
        )


# The inputs of the latest job of this process and what its tasks keep, under the job's token.
_latest: dict[str, tuple[dict[str, Output], dict[str, Any]]] = {}


def _opened(job: Job) -> tuple[dict[str, Output], dict[str, Any]]:
    """The inputs of a job as its first task in this process opened them, and what its tasks keep."""
    if job.token not in _latest:
        _latest.clear()
        _latest[job.token] = job.inputs, {}
    return _latest[job.token]


def generate(job: Job, records: Iterator[Any], context: Context) -> tuple[Counter, Iterator[Record | Rejection]]:
    """Run a stage; return a counter and an iterator of the results, which the counter counts. Raises as ``_named`` does."""
    counter = Counter(job.stage)

    def results() -> Iterator[Record | Rejection]:
        with _named(job.stage, RUN, counter, context.folder):
            yield from counter.outputs(job.stage.run(counter.inputs(records), job.section, context))

    return counter, results()


def run_step(job: Job, step: Step, records: Iterator[Any], context: Context) -> None:
    """Run a step. Raises as ``_named`` does."""
    counter = Counter(job.stage)
    with _named(job.stage, step.name, counter, context.folder):
        step.run(counter.inputs(records), job.section, context)


@contextlib.contextmanager
def _named(stage: Stage, step: str, counter: Counter, folder: Path) -> Iterator[None]:
    """Make an unexpected exception a ``StageError`` that names the last record read and the line of code."""
    try:
        yield
    except WdwError:
        raise
    except Exception as error:
        raise _failure(stage, step, counter.last_id, error, folder) from error


def _failure(stage: Stage, step: str, record_id: str, error: Exception, folder: Path) -> StageError:
    name = stage.name if step == RUN else f"{stage.name} ({step})"
    if isinstance(error, OSError) and error.errno in FULL_DISK:
        # No record is to blame, and the error of a write does not name the file.
        return StageError(
            f"stage {name} cannot write to {error.filename or folder}: {error.strerror}",
            hint="make room on that disk, or raise the limit of file sizes; the same command resumes from finished shards",
        )
    if is_out_of_memory(error):
        return _memory_failure(name, record_id, error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    shown = printable(record_id)
    command = f"wdw-build run {stage.name} --only {shlex.quote(shown)} --config FILE  runs this record alone"
    if (not stage.can_run_one or step != RUN) and stage.primary:
        command = f"wdw-build inspect {stage.primary} --id {shlex.quote(shown)} --config FILE  shows this record"
    return StageError(
        f"stage {name} stopped at record {shown!r} (the last one read): {type(error).__name__}: "
        f"{printable(str(error))} ({Path(frame.filename).name}:{frame.lineno})",
        hint=f"{command}; finished shards are kept",
    )


def _memory_failure(name: str, record_id: str, error: Exception) -> StageError:
    first_line = str(error).replace("\\n", "\n").partition("\n")[0]
    said = f"{type(error).__name__}: {printable(first_line)[:_SAID_CHARACTERS]}".removesuffix(": ")
    read = f" after it had read {printable(record_id)!r}" * bool(record_id)
    in_java = "java" in first_line.lower()
    more = "a larger execution.java_heap" if in_java else "fewer execution.workers and no limit of memory (ulimit -v)"
    return StageError(
        f"stage {name} ran out of memory{' in Java' * in_java}{read}: {said}",
        hint=f"set {more}, or use a machine with more memory; the same command resumes from finished shards",
    )
