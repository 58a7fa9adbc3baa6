"""Prepares the input of a benchmark: the first articles of a corpus, a configuration for them, and a separate store.

The articles are written as JSON lines, so that both sides read the same file. The stages before the measured one run once
and are kept under the work folder; they are not measured.
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
from wdw_build.adapters.kept_results import KeptResults
from wdw_build.core.hashing import digest
from wdw_build.core.progress import Progress
from wdw_build.core.stage import Context, Port
from wdw_build.pipeline.backends import Backends, backend
from wdw_build.pipeline.config.file import paper_values
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.records import Unreadable

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Setting:
    """The options of the command. ``articles`` overrides the size of a benchmark."""

    config: Config
    work: Path
    rounds: int
    quick: bool = False
    articles: int | None = None
    progress: Progress = Progress("quiet")  # noqa: RUF009 (Progress has no state)

    def in_turn(self, label: str, ours: Run, yardstick: Run, before: Run = lambda: None) -> list[tuple[float, float]]:
        """The seconds of both sides in each round, with a progress bar that counts the calls."""
        with self.progress.bar(label, 2 * self.rounds, "calls") as bar:
            return in_turn(self.rounds, ours, yardstick, before, bar.advance)

    def prepared(self, line: str, full: int | None, quick: int | None = 120) -> Pipeline:
        """A pipeline over the first articles of the corpus (None: all), with one worker and a store for this benchmark."""
        corpus = self._sliced(self.articles or (quick if self.quick else full))
        config = msgspec.structs.replace(
            self.config,
            run=line,
            output_dir=str(self.work / "runs" / f"{line}-{corpus.stem}"),
            corpus=CorpusConfig(reader="jsonl", path=str(corpus)),
            execution=msgspec.structs.replace(self.config.execution, workers=1),
        )
        return Pipeline(config, self.progress)

    def _sliced(self, articles: int | None) -> Path:
        """Write the first articles of the corpus as JSON lines, without unreadable places."""
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
    """The configuration, with the values of ``preset: paper`` for all keys of the preset."""
    sections = {name: (getattr(config, name), keys) for name, keys in paper_values().items()}
    changed = {
        name: msgspec.convert({**msgspec.to_builtins(section), **keys}, type(section))
        for name, (section, keys) in sections.items()
    }
    return msgspec.structs.replace(config, preset="paper", **changed)


@dataclass(frozen=True)
class Line:
    """A benchmark: its name, a description of both sides, the function that measures, and the cores it may use."""

    name: str
    compares: str
    measure: Callable[[Setting], Sequence[Figure]]
    rounds: int = 3
    cores: int = 1


# The stages that make questions from articles.
QUESTION_FORMATION = ("sentences", "names", "questions")


def stored(pipeline: Pipeline, stage: str) -> Iterator[Any]:
    """The records of a stage; ``Any``, because an output's type does not name the type of its records."""
    return pipeline.output(stage).records()


def run_again(pipeline: Pipeline, *stages: str) -> None:
    """Run stages again, without messages; the stages before them are not repeated."""
    Pipeline(pipeline.config, Progress("quiet"), pipeline.ports).run(stages, force=True)


def forget_annotations(pipeline: Pipeline) -> None:
    """Delete what the models computed, also for this process, which has the file open."""
    annotations = vars(backend(pipeline.config, "annotations"))
    path: Path = vars(annotations["_kept"])["_path"]
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    annotations["_kept"] = KeptResults(path)


def context(pipeline: Pipeline, inputs: Mapping[str, Any], ports: Any = None) -> Context:
    """The context for calling a stage directly; ``ports`` replaces the real backends."""
    folder = pipeline.root / "alone"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return Context(
        seed=0,
        inputs=inputs,
        folder=folder,
        ports=ports or Backends(pipeline.config),
        progress=Progress("quiet"),
        results=lambda _: (),
    )


class Recorder:
    """``PortSource`` that records all calls of one backend's methods, as functions that repeat them."""

    def __init__(self, config: Config, port: str) -> None:
        self._real, self._port = Backends(config), port
        self.calls: list[Callable[[], Any]] = []

    def __getattr__(self, name: str) -> Any:
        """Other attributes are those of the real backends."""
        return getattr(self._real, name)

    def get(self, port: Port[Any]) -> Any:
        """The backend of a port; for the recorded port, a proxy of it."""
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
            self._recorder.calls.append(functools.partial(found, *args, **kwargs))
            return found(*args, **kwargs)

        return call
