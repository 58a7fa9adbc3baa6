"""A stage with everything that it runs on."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wdw_build.core.progress import Progress
from wdw_build.core.section import Section
from wdw_build.core.stage import BLOCK, CORPUS, Context, PortSource, Stage, Step
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output
from wdw_build.core.tasks.shards import CorpusBlock, Numbers, RecordShard, Shard, cut, shard_size

Results = Callable[[str], tuple[Path, ...]]


@dataclass(frozen=True)
class Job:
    """A stage with its settings, inputs and backends. It is pickled for the workers.

    ``needs``: see ``Engine.map``. ``shared``: the sections of other stages that the stage depends on. ``token`` names the job
    in all processes: tasks of one job in one process share its open inputs and ``Context.kept``.
    """

    stage: Stage
    section: Section
    ingredients: Ingredients
    inputs: dict[str, Output]
    ports: PortSource
    needs: tuple[str, ...] = field(default=(), kw_only=True)
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
            return [RecordShard(self.inputs[self.stage.primary], 0, self.total or 0)]
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
        return cut(source, shard_size(source.manifest.written, self.stage.block or BLOCK, most))

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
