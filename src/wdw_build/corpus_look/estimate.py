"""Estimates a run: runs its stages on a sample of the corpus in a temporary folder, and extrapolates the results linearly.

The sample is runs of neighbouring articles from all over the corpus, because a question needs a second article on its event.
A corpus of up to ``_ARTICLES`` articles is run as a whole, and its numbers are exact.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from typing import Any, cast

import msgspec

from wdw_build.adapters.corpora.composed import WithEntries
from wdw_build.core.engine.execution import Workers, workers_of
from wdw_build.core.progress import Progress
from wdw_build.core.stage import PortSource
from wdw_build.core.store.manifest import read_timing
from wdw_build.core.store.output import Output
from wdw_build.corpus_look.sample import CorpusSample, sample_corpus
from wdw_build.errors import CorpusError, UsageError
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.pipeline.stage_order import needed
from wdw_build.ports import READER, SOLVER
from wdw_build.records import BaselinePredictions, SuppressionDecision
from wdw_build.stages import adversary, dedup, ingest, retrieve, suppress

_ARTICLES = 1000
# The actual time divided by the expected time, at most.
_TIME_RANGE = 2.0
# Of the linear relaxation without adversaries, whole corpora kept 82% to 97% in the end. The share that the relaxation keeps
# is that of the sample together with so many articles that have the usual share.
_KEPT_OF_RELAXATION, _USUAL_SHARE, _USUAL_WEIGHT = 0.9, 0.6, 4


class EstimatedStage(msgspec.Struct, frozen=True, kw_only=True):
    """One stage of the plan."""

    stage: str
    """Name of the stage."""
    up_to_date: bool
    """Whether it would not run."""
    read: int
    """Records in."""
    written: int
    """Records out, without rejections."""
    seconds: float
    """Wall time on a machine without other programs; 0 if the stage would not run."""


class ExpectedProblems(msgspec.Struct, frozen=True, kw_only=True):
    """How many strict problems a run gives in the end."""

    low: int
    """The fewest to expect."""
    high: int
    """The most to expect."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """How long a run will take, and what it gives; null if every stage is up to date."""

    articles: int
    """Articles that `ingest` writes."""
    articles_tried: int
    """Articles of the sample."""
    is_whole: bool
    """Whether the sample is the whole corpus, so that the numbers of records are exact."""
    rows: tuple[EstimatedStage, ...]
    """The stages of the plan, in order."""
    loading_seconds: float
    """Time in which models and libraries load."""
    workers: Workers
    """Worker processes of the run."""
    low_seconds: float
    """The shortest wall time to expect for all stages."""
    high_seconds: float
    """The longest wall time to expect for all stages."""
    problems: ExpectedProblems | None
    """Strict problems to expect; null if the plan does not reach `suppress`."""
    sample_seconds: float
    """Duration of the sample's run."""
    notes: tuple[str, ...] = ()
    """Why the sample's run ended early."""


def estimate(
    pipeline: Pipeline, names: Sequence[str] | None, running: Collection[str], ports: PortSource | None = None
) -> Estimate:
    """Estimate the stages ``running`` of the plan for ``names`` (None: all).

    ``ports`` replaces the configured backends (tests). Raises the errors of ``ingest``, and those of all stages if the
    sample is the whole corpus.
    """
    begun = time.monotonic()
    corpus = sample_corpus((ports or pipeline.ports).get(READER), _ARTICLES)
    with tempfile.TemporaryDirectory(prefix="wdw-estimate-") as folder:
        pipeline.progress.say(f"running the stages on {len(corpus.kept):,} articles …")
        trial = _Trial(pipeline, corpus, folder, ports)
        loading = trial.load(names)
        notes = trial.run(names)
        wanted = needed(names, pipeline.stages)
        rows = [trial.row(stage.name, stage.name in running) for stage in pipeline.stages if stage.name in wanted]
        seconds = loading + sum(row.seconds for row in rows)
        return Estimate(
            articles=rows[0].written,
            articles_tried=trial.written(ingest.STAGE.name),
            is_whole=corpus.has_all,
            rows=tuple(rows),
            loading_seconds=loading,
            workers=workers_of(pipeline.config.execution),
            low_seconds=seconds / _TIME_RANGE,
            high_seconds=seconds * _TIME_RANGE,
            problems=trial.expected_problems() if suppress.STAGE.name in wanted else None,
            sample_seconds=time.monotonic() - begun,
            notes=notes,
        )


class _StageProgress(Progress):
    """Shows which stage is at work, without messages: warnings about the sample would be taken for warnings about the corpus."""

    def say(self, message: str) -> None:
        """Show nothing."""


class _Trial:
    """The pipeline on a sample of the corpus, in one process."""

    def __init__(self, pipeline: Pipeline, corpus: CorpusSample, folder: str, ports: PortSource | None) -> None:
        config = pipeline.config
        self._corpus, self._workers = corpus, workers_of(config.execution).count
        self._config = msgspec.structs.replace(
            config,
            output_dir=folder,
            execution=msgspec.structs.replace(config.execution, workers=1, engine="local"),
            # The sample has fewer problems than the corpus.
            suppress=msgspec.structs.replace(config.suppress, min_kept=0),
        )
        self._ports = WithEntries(ports or Backends(self._config), corpus.kept)
        self._progress = _StageProgress(pipeline.progress.mode)
        self._pipeline = Pipeline(self._config, self._progress, self._ports)

    def load(self, names: Sequence[str] | None) -> float:
        """Load the models and libraries of the stages; returns the seconds that it took."""
        begun, wanted = time.monotonic(), needed(names, self._pipeline.stages)
        mapped = (stage for stage in self._pipeline.stages if stage.name in wanted and stage.scope == "map")
        ports = dict.fromkeys(port for stage in mapped for port in stage.ports_for(self._config.section(stage.name)))
        with self._progress.bar("loading models and libraries", len(ports), "backends") as bar:
            for port in ports:
                self._ports.preload([port])
                bar.advance()
        return time.monotonic() - begun

    def run(self, names: Sequence[str] | None) -> tuple[str, ...]:
        """Run the stages; returns why the run ended early, if it did."""
        try:
            self._pipeline.run(names)
        except CorpusError as error:
            if self._corpus.has_all or self._output(ingest.STAGE.name) is None:
                raise
            return (f"the stages ended early on the sample: {error.message}",)
        return ()

    def _output(self, stage: str) -> Output | None:
        try:
            return self._pipeline.output(stage)
        except UsageError:
            return None

    def written(self, stage: str) -> int:
        """The number of records that a stage wrote on the sample; 0 if it did not run."""
        output = self._output(stage)
        return output.manifest.written if output is not None else 0

    @property
    def ratio(self) -> float:
        """The entries of the corpus, divided by those of the sample."""
        return 1.0 if self._corpus.has_all else max(1.0, self._corpus.total / max(1, len(self._corpus.kept)))

    @property
    def growth(self) -> float:
        """How many times as many questions find a passage in the corpus as in the sample, relative to their number.

        The share lies between that of the sample, if the sample has all articles of its days, and that of ``ratio``
        independent searches: the geometric mean of both.
        """
        output = self._output(retrieve.STAGE.name)
        if output is None or not output.manifest.read or self.ratio == 1.0:
            return 1.0
        share = max(output.manifest.written, 0.5) / output.manifest.read
        return math.sqrt((1.0 - math.pow(max(0.0, 1.0 - share), self.ratio)) / share)

    def row(self, name: str, runs: bool) -> EstimatedStage:
        """The extrapolated counts and seconds of a stage."""
        output, stage = self._output(name), self._pipeline.stage(name)
        if output is None:
            return EstimatedStage(stage=name, up_to_date=not runs, read=0, written=0, seconds=0.0)
        retrieved = any(other.name == retrieve.STAGE.name for other in self._before(name))
        read = self.ratio * (self.growth if retrieved else 1.0)
        written = self.ratio * (self.growth if retrieved or name == retrieve.STAGE.name else 1.0)
        timing = read_timing(output.folder)
        seconds = min(timing.seconds, timing.cpu_seconds or timing.seconds) * read if timing else 0.0
        if name == ingest.STAGE.name:
            seconds += self._corpus.seconds / max(1, self._corpus.read) * self._corpus.total
        workers = self._workers if stage.scope == "map" else 1
        return EstimatedStage(
            stage=name,
            up_to_date=not runs,
            read=round(output.manifest.read * read),
            written=round(output.manifest.written * written),
            seconds=seconds / workers if runs else 0.0,
        )

    def _before(self, name: str) -> Iterator[Any]:
        """The stages on the way of primary inputs from the corpus to a stage, without the stage itself."""
        stage = self._pipeline.stage(name)
        while stage.primary:
            stage = self._pipeline.stage(stage.primary)
            yield stage

    def expected_problems(self) -> ExpectedProblems:
        """The number of strict problems in the end.

        If the sample is the whole corpus, the number is exact. Otherwise the selection is solved on the sample as a linear
        relaxation, because few problems seldom balance each other as whole problems. The range is about 1.5 standard
        deviations of what is unknown: the share of articles that is kept, the number of articles, the passages that only
        the whole corpus has, and the effect of whole numbers and adversaries.
        """
        # NumPy is slow to import, and commands that run no stage must answer at once.
        from wdw_build.selection.levels import strict_terms
        from wdw_build.selection.offers import read_offers
        from wdw_build.selection.program import relaxed_number

        decisions = self._output(suppress.STAGE.name)
        if self._corpus.has_all and decisions is not None:
            strict = sum(decision.strict for decision in cast("Iterator[SuppressionDecision]", decisions.records()))
            return ExpectedProblems(low=strict, high=strict)
        distinct, predicted = self._output(dedup.STAGE.name), self._output(adversary.STAGE.name)
        tried, kept = 0, 0.0
        if distinct is not None and predicted is not None:
            predictions = cast("Iterator[BaselinePredictions]", predicted.records())
            offered = read_offers(distinct.find, predictions, self._config.seed)
            corpus = self._output(ingest.STAGE.name)
            if self._config.suppress.max_enrichment is not None and corpus is not None:
                offered.add_traits(distinct.find, corpus.find)
            terms = strict_terms(offered.offers.day, self._config.suppress, self._config.split)
            tried, kept = len(offered.ids), relaxed_number(offered.offers, terms, self._ports.get(SOLVER))
        share = (kept + _USUAL_WEIGHT * _USUAL_SHARE) / (tried + _USUAL_WEIGHT)
        articles = max(1.0, max(tried, 0.5) * self.ratio * self.growth)
        of_share, of_number = (max(0.0, 1 / number - 1 / articles) for number in (tried + _USUAL_WEIGHT, tried + 1))
        spread = math.sqrt(of_share / share**2 + 2 * of_number + (math.log(self.ratio) / 2.5) ** 2 + 0.15**2)
        expected = _KEPT_OF_RELAXATION * share * articles
        return ExpectedProblems(
            low=math.floor(expected / math.exp(spread)), high=math.ceil(expected * math.exp(spread))
        )
