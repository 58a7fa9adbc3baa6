"""The real stages on drawn articles, in a folder that is thrown away, timed one by one, with one process."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.config.settings import Config
from wdw_build.core.run.peak_memory import tree_kb
from wdw_build.core.run.progress import Progress
from wdw_build.core.run.runner import Job, Runner
from wdw_build.core.run.shards import Shard, cut
from wdw_build.core.run.workers import Pool
from wdw_build.core.stage import Context, PortSource, Stage
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import MARK_EVERY, Output
from wdw_build.estimate.model import Load
from wdw_build.pipeline import stage_named
from wdw_build.records import Article, Choice, Passage, Problem, Question, Record, Rejection, Span
from wdw_build.registry import Backends

# Neighbours in a run of a finished stage's records.
RUN = 3 * MARK_EVERY


@dataclass(frozen=True)
class Ran:
    """A stage on some records: how many, how long, and what came of them."""

    read: int
    written: int
    seconds: float
    output: Output

    @property
    def seconds_each(self) -> float:
        """Seconds a record."""
        return self.seconds / self.read if self.read else 0.0

    @property
    def share(self) -> float:
        """Share of the records that were not rejected."""
        return self.written / self.read if self.read else 0.0


@dataclass(frozen=True)
class _Part(Job):
    """A job for at most so many of its records: runs of neighbours from all over the input, the rest is not read."""

    most: int = sys.maxsize

    def records(self, shard: Shard | None) -> Iterator[Any]:
        if not self.stage.reads or (self.total or 0) <= self.most:
            return super().records(shard)
        primary = self.inputs[self.stage.reads[0]]
        runs = cut(primary, RUN)
        wanted = -(-self.most // RUN)
        chosen = (runs[at * len(runs) // wanted] for at in range(wanted))
        return itertools.islice((record for run in chosen for record in run.records(primary.kind)), self.most)


class _Drawn:
    """``CorpusReader`` of what was drawn."""

    def __init__(self, places: Sequence[Any]) -> None:
        self._places = places

    def read(self) -> Iterator[Any]:
        return iter(self._places)


@dataclass(frozen=True)
class _Ports:
    """``PortSource`` whose reader gives what was drawn."""

    base: PortSource
    reader: _Drawn

    def get(self, port: str) -> Any:
        return self.reader if port == "reader" else self.base.get(port)

    def identity(self, port: str) -> str:
        return "drawn" if port == "reader" else self.base.identity(port)

    def check(self, port: str) -> None:
        self.base.check(port)

    def take_devices(self, ports: Sequence[str]) -> tuple[str, ...]:
        return self.base.take_devices([port for port in ports if port != "reader"])


class Trial:
    """Runs stages in ``folder``. ``ports`` stand in for the configured backends (tests)."""

    def __init__(self, config: Config, folder: Path, places: Sequence[Any], ports: PortSource | None = None) -> None:
        one = msgspec.structs.replace(config.execution, workers=1)
        self._config = msgspec.structs.replace(config, output_dir=str(folder), execution=one)
        self.folder = folder
        self.ports = _Ports(ports or Backends(self._config), _Drawn(places))

    def run(self, name: str, inputs: dict[str, Output], most: int = sys.maxsize) -> Ran:
        """Run a stage on at most so many records of its first input."""
        return self._run(stage_named(name), inputs, most)

    def _run(self, stage: Stage, inputs: dict[str, Output], most: int) -> Ran:
        ingredients = Ingredients(
            stage=stage.name,
            version=stage.version,
            config={},
            seed=self._config.seed,
            backends={},
            inputs={key: output.manifest.content for key, output in inputs.items()},
        )
        job = _Part(
            stage=replace(stage, scope="set"),
            section=getattr(self._config, stage.name),
            ingredients=ingredients,
            inputs=inputs,
            ports=self.ports,
            most=most,
        )
        begun = time.monotonic()
        with Pool(1) as pool:
            runner = Runner(self.folder, "trial", self._config.execution, Progress("quiet"), pool)
            made = runner.make(job)
        return Ran(made.manifest.read, made.manifest.written, time.monotonic() - begun, made)

    def part(self, name: str, source: Output, most: int) -> Output:
        """Some records of a stage's output as an output of the trial."""
        copy = replace(stage_named(name), reads=(name,), ports=(), run=_copied)
        return self._run(copy, {name: source}, most).output

    def problems(self, questions: Output, articles: Output, most: int) -> Output:
        """Stand-in problems of questions: later stages cost about the same on them."""
        stage = replace(stage_named("dedup"), reads=("questions", "ingest"), run=_stood_in)
        return self._run(stage, {"questions": questions, "ingest": articles}, most).output

    def load(self, use: Callable[[Path], object]) -> Load:
        """What the first use of a backend costs."""
        before, begun = tree_kb(), time.monotonic()
        folder = self.folder / "first-use"
        folder.mkdir(exist_ok=True)
        use(folder)
        return Load(time.monotonic() - begun, max(0, tree_kb() - before) // 1024)


def _copied(inputs: Iterator[Record], config: Any, context: Context) -> Iterator[Record | Rejection]:
    yield from inputs


def _stood_in(inputs: Iterator[Question], config: Any, context: Context) -> Iterator[Record | Rejection]:
    for question in inputs:
        article: Article = context.find("ingest", question.id)
        passage = Passage(
            article=article.id,
            date=article.date,
            source=article.source,
            title=article.title,
            text=article.text,
            tokens=0,
        )
        names = [question.name, *question.others]
        yield Problem(
            id=question.id,
            question=question,
            passage=passage,
            answer=0,
            window=1,
            score=0.0,
            choices=tuple(Choice(name=one.text, mentions=(Span(start=0, end=1),)) for one in names),
        )
