"""Estimates a plan: runs its stages on a sample, in a temporary folder and in one process, and multiplies.

The first stages run on articles of the corpus, or on records of the outputs that are up to date. Each of them runs twice:
on a few records, which loads its models and libraries, and on the sample, which is timed. The stages after ``choices``
take little time, or need a whole dataset: their cost and yield are assumed, from five corpora at the default settings. The
number of strict problems comes from the program of ``suppress``, solved as a linear relaxation on the sample.
"""

from __future__ import annotations

import itertools
import math
import os
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec

from wdw_build.core.engine.local import LocalEngine
from wdw_build.core.progress import Progress
from wdw_build.core.run.runner import Runner
from wdw_build.core.stage import PortSource, Stage
from wdw_build.core.store.manifest import Ingredients, read_timing
from wdw_build.core.store.output import Output
from wdw_build.core.tasks.job import Job
from wdw_build.core.tasks.shards import RecordShard, Shard, cut, shard_size
from wdw_build.estimate.projection import (
    Basis,
    Estimate,
    EstimatedCorpus,
    EstimatedStage,
    EstimatedTime,
    ExpectedProblems,
)
from wdw_build.estimate.sample import CorpusSample, sample_corpus
from wdw_build.pipeline import Pipeline
from wdw_build.ports import ANNOTATIONS, READER, SOLVER
from wdw_build.records import Article, SuppressionDecision
from wdw_build.registry import Backends, InMemoryReader, WithReader
from wdw_build.stages import adversary, baselines, choices, dedup, index, ingest, retrieve, suppress
from wdw_build.text.oddities import Oddities


class _Assumed(NamedTuple):
    """Seconds per record and share of the records that are written, of a stage that is not tried.

    ``per``: the stage to whose records the time is proportional; empty: the first one that the stage reads.
    """

    seconds: float
    share: float = 1.0
    per: str = ""


_ASSUMED = {
    "retrieve": _Assumed(0.06, 0.5),
    "choices": _Assumed(0.2, 0.9),
    "dedup": _Assumed(1e-3, 0.95),
    "baselines": _Assumed(5e-4, per="ingest"),
    "adversary": _Assumed(0.12),
    "suppress": _Assumed(0.04, 0.8),
    "problems": _Assumed(1e-3),
    "pseudonyms": _Assumed(0.02, 0.95),
    "split": _Assumed(2e-4),
    "export": _Assumed(1e-3),
}
# Records on which a stage is timed, for stages that need another number than ``_RECORDS``; and to load its models.
_RECORDS, _TO_LOAD = 200, 8
_RECORDS_OF = {"index": 2000, "sentences": 1000, "names": 1000, "questions": 1000, "choices": 64}
# Articles that are sampled at most, and neighbouring records that are sampled together.
_ARTICLES, _NEIGHBOURS = 2000, 192
# The actual time divided by the expected one, at most, if the sample is the whole corpus and if it is not.
_TIME_RANGE = {True: 1.6, False: 2.0}
# The linear relaxation on samples of 12 to 64 articles of five corpora kept the share that it keeps of all, to 3% on average:
# rows have too much slack for a sample, but few articles seldom balance each other. Of the relaxation without adversaries, whole
# corpora kept 82 to 97% in the end. The shares of ``choices`` and of the relaxation are those of the sample together with so
# many articles that have the assumed share.
_KEPT_OF_RELAXATION, _ASSUMED_SHARE, _ASSUMED_WEIGHT = 0.9, 0.6, 4
_WORKERS = (2, 4, 8, 16)


@dataclass(frozen=True)
class _SampledJob(Job):
    """A job on a sample of its primary input, with at most ``most`` records. A corpus is read as a whole."""

    most: int
    count: int = 0
    name: str = "sample"

    @property
    def must_read(self) -> None:
        """See ``Job.must_read``: a sample."""
        return None

    def shards(self, most: int) -> Sequence[Shard]:
        return [self] if self.stage.reads else super().shards(most)

    def _cut(self, name: str, most: int) -> Sequence[Shard]:
        return _runs(self.inputs[name], _ARTICLES)

    def records(self, reader: Any = None) -> Iterator[Any]:
        """See ``Shard.records``."""
        return _sampled(self.inputs[self.stage.primary], self.most)


def _sampled(output: Output, most: int) -> Iterator[Any]:
    """At most ``most`` records of an output: runs of neighbours from all over it."""
    return itertools.islice((record for run in _runs(output, most) for record in run.records()), most)


def _runs(output: Output, most: int) -> Sequence[RecordShard]:
    """Runs of neighbours from all over an output, with about ``most`` records."""
    runs, wanted = cut(output, _NEIGHBOURS), -(-most // _NEIGHBOURS)
    return [runs[number] for number in sorted({number * len(runs) // wanted for number in range(wanted)})]


class _Row(NamedTuple):
    """A stage with its counts, and its cost if it would run. ``loading``: seconds that do not depend on the records."""

    stage: Stage
    read: int
    written: int
    basis: Basis
    records: int = 0
    seconds_each: float = 0.0
    loading: float = 0.0
    memory_mb: int = 0
    output: Output | None = None
    up_to_date: bool = False

    def seconds(self, workers: int, cores: int, most: int) -> float:
        """Wall time with a number of workers on a number of cores; ``most`` is ``execution.shard_size``."""
        if self.stage.scope == "set":
            return self.loading + self.records * self.seconds_each
        shards = -(-self.records // shard_size(self.records, self.stage.block, most))
        return self.loading + self.records * self.seconds_each / max(1, min(workers, cores, shards))


def estimate(
    pipeline: Pipeline, names: Sequence[str] | None, running: Collection[str], ports: PortSource | None = None
) -> Estimate:
    """Estimate the stages ``running`` of the plan for ``names`` (None: all).

    Takes about half a minute. ``ports`` replaces the configured backends (tests). Raises the errors of the stages, such as
    ``CorpusError``.
    """
    begun = time.monotonic()
    steps = pipeline.plan(names)
    finished = {step.stage.name: step.output for step in steps if step.output and step.stage.name not in running}
    with (
        tempfile.TemporaryDirectory(prefix="wdw-estimate-") as folder,
        pipeline.progress.bar("estimate", 1 + len(steps), "steps") as bar,
    ):
        sample = CorpusSample()
        if ingest.STAGE.name in running:
            sample = sample_corpus((ports or pipeline.ports).get(READER), _ARTICLES)
        bar.advance()
        trials = _Trials(pipeline, Path(folder), sample, finished, ports)
        for step in steps:
            trials.rows[step.stage.name] = trials.row(step.stage)
            bar.advance()
        problems = trials.expected_problems()
        oddities = Oddities()
        for article in trials.articles:
            oddities.count(article)
        devices = trials.ports.take_devices([ANNOTATIONS]) if trials.articles else ()
    first, rows = trials.rows[ingest.STAGE.name], list(trials.rows.values())
    execution = pipeline.config.execution
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    costs = {row.stage.name: row.seconds(execution.workers, cores, execution.shard_size) for row in rows}
    return Estimate(
        corpus=EstimatedCorpus(
            articles=first.written,
            basis=first.basis,
            share_read=round(sample.share, 4),
            articles_tried=len(trials.articles),
        ),
        rows=tuple(
            EstimatedStage(
                stage=row.stage.name,
                up_to_date=row.up_to_date,
                read=row.read,
                written=row.written,
                basis=row.basis,
                seconds=costs[row.stage.name],
                memory_mb=row.memory_mb,
            )
            for row in rows
        ),
        total_seconds=sum(costs.values()),
        model_seconds=sum(costs[row.stage.name] for row in rows if ANNOTATIONS in row.stage.ports),
        workers=execution.workers,
        cores=cores,
        device=" and ".join(devices) or "cpu",
        worker_mb=max(row.memory_mb for row in rows),
        problems=problems,
        times=tuple(
            _time(rows, workers, max(cores, workers) if workers != execution.workers else cores, execution.shard_size)
            for workers in (execution.workers, *(more for more in _WORKERS if more > execution.workers))
        ),
        sample_seconds=time.monotonic() - begun,
        notes=tuple(oddities.lines),
    )


def _time(rows: Sequence[_Row], workers: int, cores: int, shard_size: int) -> EstimatedTime:
    seconds = sum(row.seconds(workers, cores, shard_size) for row in rows)
    factor = _TIME_RANGE[rows[0].basis == "counted"]
    return EstimatedTime(workers=workers, low=seconds / factor, high=seconds * factor)


class _Trials:
    """Measures the stages of a plan in order; ``rows`` has those measured so far, ``articles`` those that were tried."""

    def __init__(
        self,
        pipeline: Pipeline,
        folder: Path,
        sample: CorpusSample,
        finished: Mapping[str, Output],
        ports: PortSource | None,
    ) -> None:
        one_worker = msgspec.structs.replace(pipeline.config.execution, workers=1, engine="local")
        self._config = msgspec.structs.replace(pipeline.config, output_dir=str(folder), execution=one_worker)
        self._folder, self._sample, self._finished = folder, sample, finished
        self.ports = WithReader(ports or Backends(self._config), InMemoryReader(sample.kept))
        self.rows: dict[str, _Row] = {}
        self.articles: Sequence[Article] = ()

    def row(self, stage: Stage) -> _Row:
        """Measure a stage; ``rows`` has the stages that it reads."""
        if stage.name in self._finished:
            output = self._finished[stage.name]
            counts = output.manifest
            return _Row(stage, counts.read, counts.written, "counted", output=output, up_to_date=True)
        if not stage.primary:
            return self._corpus(stage)
        primary = self.rows[stage.primary]
        is_late = stage.name in _ASSUMED and stage.name not in (retrieve.STAGE.name, choices.STAGE.name)
        is_tried = primary.output is not None and primary.output.manifest.written and not is_late
        return self._tried(stage, primary) if is_tried else self._assumed(stage, primary)

    def _corpus(self, stage: Stage) -> _Row:
        sample = self._sample
        output, seconds = self._run(stage)
        self.articles = list(cast("Iterator[Article]", output.records()))
        counts = output.manifest
        basis: Basis = "counted" if sample.is_whole and sample.read == counts.read else "extrapolated"
        seconds_each = sample.seconds / max(1, sample.read) + seconds / max(1, counts.read)
        written = round(sample.total * counts.written / max(1, counts.read))
        return _Row(stage, sample.total, written, basis, sample.total, seconds_each, 0.0, _peak_mb(output), output)

    def _tried(self, stage: Stage, primary: _Row) -> _Row:
        most = _RECORDS_OF.get(stage.name, _RECORDS)
        if stage.primary == ingest.STAGE.name and not self.articles and primary.output is not None:
            self.articles = list(_sampled(primary.output, most))
        _, loading = self._run(stage, _TO_LOAD)
        output, seconds = self._run(stage, most)
        counts = output.manifest
        is_whole = primary.basis == "counted" and counts.read == primary.written
        share = counts.written / counts.read
        if stage.name == retrieve.STAGE.name:
            share, is_whole = self._share_found(counts.read, counts.written, is_whole)
        elif stage.name == choices.STAGE.name and not is_whole:
            share = (counts.written + _ASSUMED_WEIGHT * _ASSUMED[stage.name].share) / (counts.read + _ASSUMED_WEIGHT)
        elif not stage.reasons:
            share, is_whole = 1.0, primary.basis == "counted"
        basis: Basis = "counted" if is_whole else "extrapolated"
        records, written, each = primary.written, round(primary.written * share), seconds / counts.read
        return _Row(stage, records, written, basis, records, each, loading, _peak_mb(output), output)

    def _share_found(self, asked: int, found: int, is_whole: bool) -> tuple[float, bool]:
        """The share of the questions that find a passage in the whole corpus, and whether it is exact.

        In a corpus with ``ratio`` times as many articles, it lies between the share of the sample, if the sample has all
        articles of its days, and that of ``ratio`` independent searches: the geometric mean of both.
        """
        ratio = self._ratio()
        if ratio == 1.0:
            return found / asked, is_whole
        share = max(found, 0.5) / asked
        return math.sqrt(share * (1.0 - math.pow(max(0.0, 1.0 - share), ratio))), False

    def expected_problems(self) -> ExpectedProblems | None:
        """The number of strict problems in the end; None if the plan does not reach ``suppress``.

        The range is about 1.5 standard deviations of what is unknown: the share of articles that is kept, the number of
        articles, the passages that only the whole corpus has, and the effect of whole numbers and adversaries.
        """
        # NumPy is slow to import, and commands that run no stage must answer at once.
        from wdw_build.selection.levels import relaxed_strict

        if suppress.STAGE.name not in self.rows:
            return None
        if (decisions := self.rows[suppress.STAGE.name].output) is not None:
            strict = sum(decision.strict for decision in cast("Iterator[SuppressionDecision]", decisions.records()))
            return ExpectedProblems(low=strict, high=strict, basis="counted")
        distinct, config = self.rows[dedup.STAGE.name], self._config
        articles, problems = max(1, distinct.written), distinct.output
        predicted = self.rows[adversary.STAGE.name].output or self.rows[baselines.STAGE.name].output
        tried, kept = 0, 0.0
        if problems is not None and predicted is not None:
            sampled, solver = _sampled(predicted, _ARTICLES), self.ports.get(SOLVER)
            tried, kept = relaxed_strict(problems.find, sampled, config.suppress, config.split, solver, config.seed)
        weight = _ASSUMED_WEIGHT if tried < articles else 0
        share = max(0.5, kept + weight * _ASSUMED_SHARE) / (tried + weight)
        of_share, of_number = (max(0.0, 1 / number - 1 / articles) for number in (tried + weight, tried + 1))
        spread = math.sqrt(of_share / share**2 + 2 * of_number + (math.log(self._ratio()) / 3) ** 2 + 0.15**2)
        expected = _KEPT_OF_RELAXATION * share * articles
        return ExpectedProblems(
            low=math.floor(expected / math.exp(spread)),
            high=math.ceil(min(self.rows[retrieve.STAGE.name].read, expected * math.exp(spread))),
            basis="extrapolated" if tried else "assumed",
        )

    def _ratio(self) -> float:
        """The articles of the corpus, divided by those in which the sample's passages were searched."""
        searched = self.rows[index.STAGE.name]
        return max(1.0, searched.written / max(1, searched.output.manifest.written if searched.output else 0))

    def _assumed(self, stage: Stage, primary: _Row) -> _Row:
        cost = _ASSUMED.get(stage.name, _Assumed(1e-3))
        records = self.rows[cost.per].written if cost.per in self.rows else primary.written
        is_off = stage.name == adversary.STAGE.name and not self._config.adversary.systems
        seconds_each, written = 0.0 if is_off else cost.seconds, round(primary.written * cost.share)
        # A trial of ``baselines`` reads all problems.
        is_small = stage.name == baselines.STAGE.name and not (primary.up_to_date and primary.written > _ARTICLES)
        has_records = primary.output is not None and primary.output.manifest.written
        is_tried = has_records and (is_small or stage.name == dedup.STAGE.name)
        output = self._run(stage, _RECORDS)[0] if is_tried else None
        return _Row(stage, primary.written, written, "assumed", records, seconds_each, output=output)

    def _run(self, stage: Stage, most: int = 0) -> tuple[Output, float]:
        """Run a stage in the temporary folder, on the outputs of the run or of earlier trials: ``most`` of the first one.

        Returns the output and the seconds that the stage would take if no other program used its core.
        """
        inputs = {name: output for name in stage.reads if (output := self.rows[name].output) is not None}
        section = self._config.section(stage.name)
        ingredients = Ingredients(
            stage=stage.name,
            version=stage.version,
            config={"most": most},
            seed=self._config.seed,
            backends={},
            inputs={name: str(output.folder) for name, output in inputs.items()},
        )
        shared = {name: self._config.section(name) for name in stage.shared_keys(section)}
        job = _SampledJob(stage, section, ingredients, inputs, self.ports, shared=shared, most=most)
        begun, cpu_begun = time.monotonic(), time.process_time()
        with LocalEngine(1) as engine:
            output = Runner(self._folder, "sample", self._config.execution, Progress("quiet"), engine).make(job)
        return output, min(time.monotonic() - begun, time.process_time() - cpu_begun)


def _peak_mb(output: Output) -> int:
    timing = read_timing(output.folder)
    return timing.peak_mb if timing else 0
