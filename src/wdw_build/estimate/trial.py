"""The real stages on drawn articles, in a folder that is thrown away, timed one by one, with one process."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.manifest import Ingredients
from wdw_build.core.progress import Progress
from wdw_build.core.runner import Job, Runner
from wdw_build.core.settings import Config
from wdw_build.core.shards import Shard
from wdw_build.core.stage import Context, PortSource, Stage
from wdw_build.core.store import Output
from wdw_build.core.usage import tree_kb
from wdw_build.core.workers import Pool
from wdw_build.estimate.model import Load
from wdw_build.pipeline import stage_named
from wdw_build.records import Article, Choice, Passage, Problem, Question, Record, Rejection, Span
from wdw_build.registry import Backends


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
class _Thinned(Job):
    """A job for every ``step``-th of its records."""

    step: int = 1

    def records(self, shard: Shard | None) -> Iterator[Any]:
        return itertools.islice(super().records(shard), 0, None, self.step)


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

    def run(self, name: str, inputs: dict[str, Output], step: int = 1) -> Ran:
        """Run a stage on every ``step``-th record of its first input."""
        return self._run(stage_named(name), inputs, step)

    def _run(self, stage: Stage, inputs: dict[str, Output], step: int) -> Ran:
        ingredients = Ingredients(
            stage=stage.name, version=stage.version, config={}, seed=self._config.seed, backends={},
            inputs={key: output.manifest.content for key, output in inputs.items()},
        )  # fmt: skip
        job = _Thinned(
            stage=stage, section=getattr(self._config, stage.name), ingredients=ingredients, inputs=inputs,
            ports=self.ports, step=step,
        )  # fmt: skip
        begun = time.monotonic()
        with Pool(1) as pool:
            runner = Runner(self.folder, "trial", self._config.execution, Progress("quiet"), pool)
            made = runner.make(job)
        return Ran(made.manifest.read, made.manifest.written, time.monotonic() - begun, made)

    def articles(self, source: Output, step: int) -> Output:
        """Some articles of an output of ``ingest`` as one of the trial's."""
        copy = replace(stage_named("ingest"), reads=("ingest",), ports=(), run=_copied)
        return self._run(copy, {"ingest": source}, step).output

    def problems(self, questions: Output, articles: Output) -> Output:
        """A stand-in problem for every question: later stages cost the same on it."""
        stage = replace(stage_named("dedup"), reads=("questions", "ingest"), run=_stood_in)
        return self._run(stage, {"questions": questions, "ingest": articles}, 1).output

    def load(self, use: Callable[[Path], object]) -> Load:
        """What the first use of a backend costs."""
        before, begun = tree_kb(), time.monotonic()
        folder = self.folder / "first-use"
        folder.mkdir(exist_ok=True)
        use(folder)
        return Load(time.monotonic() - begun, max(0, tree_kb() - before) // 1024)


def _copied(inputs: Iterator[Article], config: Any, context: Context) -> Iterator[Record | Rejection]:
    yield from inputs


def _stood_in(inputs: Iterator[Question], config: Any, context: Context) -> Iterator[Record | Rejection]:
    for question in inputs:
        article: Article = context.find("ingest", question.id)
        passage = Passage(
            article=article.id, date=article.date, source=article.source, title=article.title, text=article.text, tokens=0
        )
        names = [question.name, *question.others]
        yield Problem(
            id=question.id, question=question, passage=passage, answer=0, window=1, score=0.0,
            choices=tuple(Choice(name=one.text, mentions=(Span(start=0, end=1),)) for one in names),
        )  # fmt: skip
