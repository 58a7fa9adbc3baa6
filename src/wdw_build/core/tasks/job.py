"""A stage with everything that it runs on, and the shards of its work, each of which is one task.

A stage's input is cut into consecutive records; the corpus into the blocks of its reader. A shard pickles small. Its ``name`` is
that of the task's folder, and names sort in the order of the shards; ``count`` is its number of records, 0 if unknown.
"""

from __future__ import annotations

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
class RecordShard:
    """Records ``first`` to ``first + count`` of a stage's output."""

    output: Output
    first: int
    count: int

    @property
    def name(self) -> str:
        """See the module. The name contains the size, because a run may resume with another size."""
        return f"{self.first:012d}-{self.count}"

    def records(self, reader: Any = None) -> Iterator[Any]:
        """The records, in order."""
        return self.output.records_from(self.first, self.count)


@dataclass(frozen=True)
class CorpusBlock:
    """Block ``number`` of the corpus, as its reader cut it; None: the whole corpus."""

    number: int
    block: Any
    count: int = 0

    @property
    def name(self) -> str:
        """See the module."""
        return f"{self.number:07d}"

    def records(self, reader: Any) -> Iterator[Any]:
        """The entries, in order."""
        yield from reader.read() if self.block is None else reader.read(self.block)


@dataclass(frozen=True)
class Given:
    """Given records: one that runs alone, the number of a partition, or none for a step that runs once."""

    name: str
    values: tuple[Any, ...] = ()

    @property
    def count(self) -> int:
        """See the module."""
        return len(self.values)

    def records(self, reader: Any = None) -> Iterator[Any]:
        """The records, in order."""
        return iter(self.values)


Shard = RecordShard | CorpusBlock | Given


def shard_size(records: int, block: int, most: int) -> int:
    """About a sixteenth of the records in whole blocks, at most ``most``.

    It does not depend on the number of workers, because a run may resume with another number of workers.
    """
    blocks = -(-records // (_SHARDS * block))
    return max(block, min(blocks * block, most // block * block))


def cut(source: Output, size: int) -> list[RecordShard]:
    """Cut an input into shards of ``size`` records; the last one may be shorter. An empty input is one shard."""
    total = source.manifest.written
    return [RecordShard(source, first, min(size, total - first)) for first in range(0, max(1, total), size)]


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
            return [Given("given", self.given)]
        over = (self.stage.primary or CORPUS) if step is None else step.over
        over = over(self.total or 0) if callable(over) else over
        if isinstance(over, int):
            return [Given(f"{number:05d}", (number,)) for number in range(over)]
        if over == CORPUS:
            return self._corpus_blocks()
        if not over:
            return [Given("once")]
        source = self.inputs[over]
        if step is None and self.stage.scope == "set":
            return [RecordShard(source, 0, source.manifest.written)]
        return cut(source, shard_size(source.manifest.written, self.stage.block or BLOCK, most))

    def _corpus_blocks(self) -> Sequence[Shard]:
        # A reader of another package may not cut its files, and a stage that sees the whole corpus gets it in one piece.
        blocks = getattr(self.reader, "blocks", None) if self.stage.scope == "map" else None
        return [CorpusBlock(number, block) for number, block in enumerate(blocks() if blocks is not None else [None])]

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
