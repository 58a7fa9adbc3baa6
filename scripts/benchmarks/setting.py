"""What the lines run on: a corpus cut to size, a configuration over it, and a store of its own.

A corpus is first written as JSON lines, so that both sides of a line read the same file. Stages before the one that is
measured are run once and kept under the work folder, for they do not count.
"""

from __future__ import annotations

import functools
import itertools
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.measure import Figure, Run, in_turn
from wdw_build.core.config.presets import PRESETS
from wdw_build.core.config.settings import Config, CorpusConfig
from wdw_build.core.hashing import digest
from wdw_build.core.run.progress import Progress
from wdw_build.core.run.workers import Pool
from wdw_build.core.stage import Context
from wdw_build.pipeline import Pipeline
from wdw_build.records import Unreadable
from wdw_build.registry import Backends, backend

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Setting:
    """What was asked for. ``articles``: at most so many, whatever the line's own size; ``kept``: a large run for retrieval."""

    config: Config
    work: Path
    rounds: int
    quick: bool = False
    articles: int | None = None
    kept: Path | None = None
    progress: Progress = Progress("quiet")  # noqa: RUF009 (it has no state)

    def size(self, full: int, quick: int) -> int:
        """How much a line takes."""
        return self.articles or (quick if self.quick else full)

    def in_turn(self, label: str, ours: Run, yardstick: Run, before: Run = lambda: None) -> list[tuple[float, float]]:
        """The seconds of both sides, round by round, with a bar that counts the calls."""
        with self.progress.bar(label, 2 * self.rounds, "calls") as bar:
            return in_turn(self.rounds, ours, yardstick, before, bar.advance)

    def prepared(self, line: str, articles: int | None, workers: int = 1) -> Pipeline:
        """The pipeline of a line over the first articles of the corpus (None: all), with a store of the line's own."""
        corpus = self._sliced(articles)
        config = msgspec.structs.replace(
            self.config,
            run=line,
            output_dir=str(self.work / "runs" / f"{line}-{corpus.stem}"),
            corpus=CorpusConfig(reader="jsonl", path=str(corpus)),
            execution=msgspec.structs.replace(self.config.execution, workers=workers),
        )
        return Pipeline(config, self.progress)

    def _sliced(self, articles: int | None) -> Path:
        """The first articles of the corpus as JSON lines; unreadable places are passed over."""
        reader = backend(self.config, "reader")
        path = self.work / "corpora" / f"{digest(reader.identity)[:12]}-{articles or 'all'}.jsonl"
        if path.exists():
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".tmp")
        readable = (raw for raw in reader.read() if not isinstance(raw, Unreadable))
        with beside.open("w", encoding="utf-8", errors="replace") as stream:
            for raw in itertools.islice(readable, articles):
                fields = {name: getattr(raw, name) for name in ("date", "source", "kind", "title")}
                line = {"id": raw.id or raw.place, **fields, "text": list(raw.paragraphs)}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
        beside.replace(path)
        return path


def as_paper(config: Config) -> Config:
    """The configuration with every key of ``preset: paper`` at the preset's value, whatever value it had."""
    sections = {name: (getattr(config, name), keys) for name, keys in PRESETS["paper"].items()}
    changed = {
        name: msgspec.convert({**msgspec.to_builtins(section), **keys}, type(section))
        for name, (section, keys) in sections.items()
    }
    return msgspec.structs.replace(config, preset="paper", **changed)


@dataclass(frozen=True)
class Line:
    """One line of the table: its name, what it compares, and how it is measured. ``cores``: how many it may use."""

    name: str
    compares: str
    measure: Callable[[Setting], Sequence[Figure]]
    rounds: int = 5
    cores: int = 1


# The stages that make questions of articles.
QUESTION_FORMATION = ("sentences", "names", "questions")


def stored(pipeline: Pipeline, stage: str) -> Iterator[Any]:
    """The records of a stage; ``Any``, because an output's type does not name the type of its records."""
    return pipeline.output(stage).records()


def run_again(pipeline: Pipeline, *stages: str) -> None:
    """Run some stages anew, silently; those before them stay."""
    Pipeline(pipeline.config, Progress("quiet"), pipeline.ports).run(stages, force=True)


def context(pipeline: Pipeline, inputs: Mapping[str, Any], ports: Any = None) -> Context:
    """What a stage gets, for calling it alone. ``ports`` stands in for the real backends."""
    folder = pipeline.root / "alone"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return Context(
        seed=0,
        inputs=inputs,
        folder=folder,
        ports=ports or Backends(pipeline.config),
        progress=Progress("quiet"),
        pool=Pool(1),
    )


@dataclass(frozen=True)
class Call:
    """A call of a backend's method, to be made again."""

    method: str
    again: Callable[[], Any]


class Recorder:
    """``PortSource`` that notes every call of one backend's methods, for replaying them or for looking at what was asked."""

    def __init__(self, config: Config, port: str) -> None:
        self._real, self._port = Backends(config), port
        self.calls: list[Call] = []
        self.arguments: dict[str, list[Any]] = {}

    def __getattr__(self, name: str) -> Any:
        """All else is asked of the real backends."""
        return getattr(self._real, name)

    def get(self, port: str) -> Any:
        """The backend; the recorded one behind a proxy."""
        return _Proxy(self._real.get(port), self) if port == self._port else self._real.get(port)


class _Proxy:
    def __init__(self, real: Any, recorder: Recorder) -> None:
        self._real, self._recorder = real, recorder

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._real, name)
        if not callable(found):
            return found

        @functools.wraps(found)
        def call(*args: Any, **kwargs: Any) -> Any:
            self._recorder.calls.append(Call(name, functools.partial(found, *args, **kwargs)))
            self._recorder.arguments.setdefault(name, []).append(args[0] if args else kwargs)
            return found(*args, **kwargs)

        return call
