"""A stage with everything that it runs on, and the shards of its work, each of which is one task.

A stage's input is cut into consecutive records; the corpus into the blocks of its reader.
"""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wdw_build.core.progress import Progress
from wdw_build.core.section import Section
from wdw_build.core.stage import BLOCK, CORPUS, Context, PortSource, Stage, Step
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output

Results = Callable[[str], tuple[Path, ...]]
_SHARDS = 16


@dataclass(frozen=True)
class Shard:
    """A part of a stage's work. It pickles small.

    ``name``: that of the task's folder; names sort in the order of the shards. ``count``: the number of records, 0 if unknown.
    ``records`` gives the records in order, from the reader of the corpus, if that is needed.
    """

    name: str
    count: int
    records: Callable[[Any], Iterator[Any]]


def stored_shard(output: Output, first: int, count: int) -> Shard:
    """Records ``first`` to ``first + count`` of an output. The name has the size: a run may resume with another size."""
    return Shard(f"{first:012d}-{count}", count, functools.partial(_stored, output, first, count))


def _stored(output: Output, first: int, count: int, _: Any) -> Iterator[Any]:
    return output.records_from(first, count)


def given_shard(name: str, *values: Any) -> Shard:
    """Given records: one that runs alone, the number of a partition, or none for a step that runs once."""
    return Shard(name, len(values), functools.partial(_given, values))


def _given(values: tuple[Any, ...], _: Any) -> Iterator[Any]:
    return iter(values)


def _entries(block: Any, reader: Any) -> Iterator[Any]:
    """The entries of a block of the corpus; None: of the whole corpus."""
    return iter(reader.read() if block is None else reader.read(block))


def shard_size(records: int, block: int, most: int) -> int:
    """About a sixteenth of the records in whole blocks, at most ``most``.

    It does not depend on the number of workers, because a run may resume with another number of workers.
    """
    blocks = -(-records // (_SHARDS * block))
    return max(block, min(blocks * block, most // block * block))


def cut(source: Output, size: int) -> list[Shard]:
    """Cut an input into shards of ``size`` records; the last one may be shorter. An empty input is one shard."""
    total = source.manifest.written
    return [stored_shard(source, first, min(size, total - first)) for first in range(0, max(1, total), size)]


@dataclass(frozen=True)
class Job:
    """A stage with its settings, inputs and backends. It is pickled for the workers.

    ``inputs``: the outputs that the stage reads, also under the names of stages that a plug-in replaces. ``needs``: see
    ``Engine.map``. ``shared``: the sections of other stages that the stage depends on. ``given``: records that ``run`` reads in
    place of its primary input. ``token`` names the job in all processes: its tasks in one process share ``Context.kept``.
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
        """The reader of the corpus; None for a stage that reads other stages."""
        return None if self.stage.reads else self.ports.get(self.stage.ports[0])

    def shards(self, step: Step | None, most: int) -> Sequence[Shard]:
        """The shards of a step, or of ``run`` (None). ``most``: records in a shard."""
        if step is None and self.given is not None:
            return [given_shard("given", *self.given)]
        over = (self.stage.primary or CORPUS) if step is None else step.over
        over = over(self.total or 0) if callable(over) else over
        if isinstance(over, int):
            return [given_shard(f"{number:05d}", number) for number in range(over)]
        if over == CORPUS:
            return self._corpus_blocks()
        if not over:
            return [given_shard("once")]
        source = self.inputs[over]
        if step is None and self.stage.scope == "set":
            return [stored_shard(source, 0, source.manifest.written)]
        return cut(source, shard_size(source.manifest.written, self.stage.block or BLOCK, most))

    def _corpus_blocks(self) -> Sequence[Shard]:
        # A stage that sees the whole corpus gets it in one piece.
        parts = self.reader.blocks() if self.stage.scope == "map" else [None]
        return [Shard(f"{number:07d}", 0, functools.partial(_entries, part)) for number, part in enumerate(parts)]

    def context(self, folder: Path, progress: Progress, results: Results) -> Context:
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
