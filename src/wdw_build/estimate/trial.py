"""Runs real stages on a sample, in a temporary folder and in one process, and times each."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.config.settings import Config
from wdw_build.core.engine.local import LocalEngine
from wdw_build.core.progress import Progress
from wdw_build.core.run.peak_memory import tree_kb
from wdw_build.core.run.runner import Runner
from wdw_build.core.stage import Context, PortSource, Stage
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import MARK_EVERY, Output
from wdw_build.core.tasks.job import Job
from wdw_build.core.tasks.shards import Shard, cut
from wdw_build.estimate.costs import BackendLoad
from wdw_build.estimate.sample import CorpusEntry
from wdw_build.records import (
    Alternative,
    Article,
    CandidatePassage,
    Choice,
    Problem,
    ProblemAlternatives,
    Question,
    Record,
    Rejection,
    Span,
)
from wdw_build.registry import Backends, InMemoryReader, WithReader

# Neighbouring records that are taken together from a finished stage.
RUN_OF_RECORDS = 3 * MARK_EVERY
_WITHOUT_STEPS: dict[str, Any] = {"before": (), "after": (), "duplicates": "", "stand_ins": {}}


@dataclass(frozen=True)
class TrialRun:
    """The run of a stage on some records: counts, seconds and output. ``inputs``: all outputs that this one was made from."""

    read: int
    written: int
    seconds: float
    output: Output
    inputs: Mapping[str, Output]

    @property
    def seconds_each(self) -> float:
        """Seconds a record."""
        return self.seconds / self.read if self.read else 0.0

    @property
    def share(self) -> float:
        """Share of the records that were not rejected."""
        return self.written / self.read if self.read else 0.0


@dataclass(frozen=True)
class _Sample:
    """At most ``count`` records: runs of neighbours from all over an output."""

    output: Output
    count: int
    name: str = "sample"

    def records(self, reader: Any = None) -> Iterator[Any]:
        runs = cut(self.output, RUN_OF_RECORDS)
        wanted = -(-self.count // RUN_OF_RECORDS)
        chosen = (runs[number * len(runs) // wanted] for number in range(wanted))
        return itertools.islice((record for run in chosen for record in run.records()), self.count)


@dataclass(frozen=True)
class _SampledJob(Job):
    """A job that reads at most ``most`` records of its primary input, as one shard."""

    most: int

    def shards(self, most: int) -> Sequence[Shard]:
        if not self.stage.primary or (self.total or 0) <= self.most:
            return super().shards(most)
        return [_Sample(self.inputs[self.stage.primary], self.most)]


class Trials:
    """Runs stages in ``folder``. ``ports`` replaces the configured backends (tests)."""

    def __init__(
        self, config: Config, folder: Path, entries: Sequence[CorpusEntry], ports: PortSource | None = None
    ) -> None:
        one_worker = msgspec.structs.replace(config.execution, workers=1, engine="local")
        self._config = msgspec.structs.replace(config, output_dir=str(folder), execution=one_worker)
        self._folder = folder
        self.ports = WithReader(ports or Backends(self._config), InMemoryReader(entries))

    def run(self, stage: Stage, inputs: Mapping[str, Output], most: int) -> TrialRun:
        """Run a stage on at most ``most`` records of its primary input; ``inputs`` may hold more than it reads."""
        read = {name: inputs[name] for name in stage.reads}
        ingredients = Ingredients(
            stage=stage.name,
            version=stage.version,
            config={},
            seed=self._config.seed,
            backends={},
            inputs={name: str(output.folder) for name, output in read.items()},
        )
        job = _SampledJob(
            stage=stage,
            section=self._config.section(stage.name),
            ingredients=ingredients,
            inputs=read,
            ports=self.ports,
            shared={name: self._config.section(name) for name in stage.shared_keys(self._config.section(stage.name))},
            most=most,
        )
        begun = time.monotonic()
        with LocalEngine(1) as engine:
            output = Runner(self._folder, "trial", self._config.execution, Progress("quiet"), engine).make(job)
        manifest = output.manifest
        return TrialRun(manifest.read, manifest.written, time.monotonic() - begun, output, dict(inputs))

    def part(self, stage: Stage, output: Output, most: int) -> Output:
        """At most ``most`` records of a stage's output, as an output of the trial."""
        copy = replace(stage, reads=(stage.name,), ports=(), run=_copied, **_WITHOUT_STEPS)
        return self.run(copy, {stage.name: output}, most).output

    def problems(self, stage: Stage, questions: Output, articles: Output, most: int) -> Output:
        """Records made from questions, as a substitute for the output of ``stage``; they cost later stages as much time.

        They are problems or alternatives, whichever the stage writes.
        """
        made = _problems_of_questions if stage.writes is Problem else _alternatives_of_questions
        substitute = replace(stage, reads=("questions", "articles"), ports=(), run=made, **_WITHOUT_STEPS)
        return self.run(substitute, {"questions": questions, "articles": articles}, most).output

    def load(self, use: Callable[[Path], object]) -> BackendLoad:
        """Time and memory of the first use of a backend; ``use`` gets an empty folder."""
        before, begun = tree_kb(), time.monotonic()
        folder = self._folder / "first-use"
        folder.mkdir(exist_ok=True)
        use(folder)
        return BackendLoad(time.monotonic() - begun, max(0, tree_kb() - before) // 1024)


def _copied(inputs: Iterator[Record], config: Any, context: Context) -> Iterator[Record | Rejection]:
    yield from inputs


def _problems_of_questions(inputs: Iterator[Question], config: Any, context: Context) -> Iterator[Record | Rejection]:
    """The first alternative of each question as a problem."""
    for question in inputs:
        article: Article = context.find("articles", question.id)
        yield _alternatives(question).problem(0, article)


def _alternatives_of_questions(
    inputs: Iterator[Question], config: Any, context: Context
) -> Iterator[Record | Rejection]:
    return map(_alternatives, inputs)


def _alternatives(question: Question) -> ProblemAlternatives:
    """One alternative per blank. Its passage is the question's own article, its choices are the question's persons."""
    names = [person.text for person in (question.name, *question.others)]
    deleted = [one.name.text for one in question.each_blank()]
    passage = CandidatePassage(
        article=question.id,
        date=question.date,
        window=1,
        score=0.0,
        tokens=0,
        persons=tuple(Choice(name=name, mentions=(Span(start=0, end=1),)) for name in names),
    )
    alternatives = tuple(
        Alternative(
            blank=blank, passage=0, choice_set="all", choices=tuple(range(len(names))), answer=names.index(name)
        )
        for blank, name in enumerate(deleted)
        if name in names
    )
    return ProblemAlternatives(id=question.id, question=question, passages=(passage,), alternatives=alternatives)
