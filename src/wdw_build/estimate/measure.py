"""Measures the stages in order: records in and out and seconds a record, from a trial or from the stage's manifest.

The descriptor of a stage says how the stage is tried (``Stage.trial``). A trial reads finished outputs of the run where
these fit together, else the sample of the corpus and the outputs of earlier trials.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from wdw_build.core.config.settings import Config
from wdw_build.core.stage import ArticleSearch, PortSource, Stage
from wdw_build.core.store.output import Output
from wdw_build.estimate.costs import (
    LOADED_EACH_TIME,
    LOADS,
    MODELS,
    BackendLoad,
    StageWork,
    mean_candidates,
    share_found,
)
from wdw_build.estimate.density import density_ratio
from wdw_build.estimate.first_use import first_uses, seconds_a_sentence, seconds_an_article
from wdw_build.estimate.projection import Basis, EstimatedCorpus
from wdw_build.estimate.sample import CorpusSample
from wdw_build.estimate.trial import RUN_OF_RECORDS, TrialRun, Trials
from wdw_build.pipeline import stage_named
from wdw_build.ports import ANNOTATIONS, ANNOTATOR
from wdw_build.records import Article, Problem, ProblemAlternatives, Question, Record, Rejection, Retrieval

# Approximate seconds of the trial of a stage with models, after the models are loaded.
_TRY_SECONDS = 6.0
# Articles of a finished stage that are tried.
_ARTICLES_KEPT = 1500


@dataclass(frozen=True)
class Measured:
    """Records in and out of a stage; ``work`` if it would run."""

    read: int
    written: int
    basis: Basis
    work: StageWork | None = None


class Measuring:
    """Measures each of ``stages``, in order, once.

    ``finished``: outputs of the run that are up to date. ``ports`` replaces the configured backends (tests).
    """

    def __init__(
        self,
        config: Config,
        folder: Path,
        stages: Sequence[Stage],
        sample: CorpusSample,
        finished: dict[str, Output],
        ports: PortSource | None,
    ) -> None:
        self._config, self._stages, self._sample, self._finished = config, stages, sample, finished
        self._trials = Trials(config, folder, [entry for run in sample.runs for entry in run], ports)
        self._first_uses = first_uses(self._trials.ports, lambda: self._articles)
        self._runs: dict[tuple[object, ...], TrialRun] = {}
        self._measured: dict[str, Measured] = {}
        self.loads: dict[str, BackendLoad] = {}

    def stage(self, stage: Stage) -> Measured:
        """Records and cost of a stage; the stages that it reads were measured before."""
        if stage.name in self._finished:
            manifest = self._finished[stage.name].manifest
            measured = Measured(manifest.read, manifest.written, "counted")
        else:
            measured = self._try(stage) if stage.primary else self._corpus_stage(stage)
        self._measured[stage.name] = measured
        return measured

    def output(self, name: str) -> Output | None:
        """The records of a stage: of the run if they are up to date, else of the trial; None if it was not tried."""
        lineage = self._lineage(name, sampled=False)
        return lineage[name] if lineage else None

    def devices(self) -> tuple[str, ...]:
        """The devices on which the models of the trial computed."""
        return self._trials.ports.take_devices([ANNOTATOR, ANNOTATIONS]) if MODELS in self.loads else ()

    def corpus(self) -> EstimatedCorpus:
        """Size of the corpus, and how much of it was read and tried."""
        measured, sample = self._measured[self._root.name], self._sample
        tried = [len(article.text.split()) for article in self._articles] if "_source" in self.__dict__ else []
        mean = sum(tried) / len(tried) if tried else 0.0
        return EstimatedCorpus(
            articles=measured.written,
            tokens=round(mean * measured.written),
            basis=measured.basis,
            files=sample.files,
            files_read=sample.files_read,
            share_read=round(sample.share, 4),
            articles_tried=len(tried),
        )

    # ---- the articles of the sample ----

    @property
    def _root(self) -> Stage:
        """The stage that reads the corpus."""
        return self._stages[0]

    @functools.cached_property
    def _ingested(self) -> TrialRun:
        return self._trials.run(self._root, {}, self._root.trial.most)

    @functools.cached_property
    def _source(self) -> Output:
        if self._root.name in self._finished:
            return self._trials.part(self._root, self._finished[self._root.name], _ARTICLES_KEPT)
        return self._ingested.output

    @functools.cached_property
    def _articles(self) -> list[Article]:
        return cast("list[Article]", list(self._source.records()))

    @functools.cached_property
    def _seconds_a_sentence(self) -> float:
        return seconds_a_sentence(self._trials.ports, self._articles)

    @functools.cached_property
    def _seconds_an_article(self) -> float:
        return seconds_an_article(self._trials.ports, self._articles)

    # ---- the inputs of a trial ----

    def _inputs(self, stage: Stage, *, sampled: bool = False) -> dict[str, Output] | None:
        """The inputs of a stage's trial, with all outputs that these were made from; None if its primary input cannot be tried.

        ``sampled``: everything is made from the sample. Outputs of the run are not mixed with an index or a table of the
        sample, because they name articles that are not in it.
        """
        inputs = self._lineage(stage.primary, sampled=sampled) or self._problems(stage.primary, sampled=sampled)
        if inputs is None:
            return None
        for name in stage.reads:
            if name in inputs:
                continue
            if not sampled and name != stage.trial.time_grows_with and name in self._finished:
                inputs[name] = self._finished[name]
            elif not sampled and stage_named(name).opaque:
                return self._inputs(stage, sampled=True)
            else:
                inputs = {**(self._lineage(name, sampled=sampled) or {}), **inputs}
        return inputs

    def _lineage(self, name: str, *, sampled: bool) -> dict[str, Output] | None:
        """An output of a stage with all outputs that it was made from; None if the stage is not tried."""
        if name == self._root.name:
            return {name: self._source}
        if name in self._finished and not sampled:
            return {name: self._finished[name]}
        run = self._run(stage_named(name), sampled=sampled)
        return {**run.inputs, name: run.output} if run else None

    def _problems(self, name: str, *, sampled: bool) -> dict[str, Output] | None:
        """Problems or alternatives made from questions, if the stage writes these."""
        if stage_named(name).writes not in (ProblemAlternatives, Problem):
            return None
        question_stage = next(stage for stage in self._stages if stage.writes is Question)
        lineage = self._lineage(question_stage.name, sampled=sampled)
        if lineage is None:
            return None
        articles = lineage.get(self._root.name) or self._finished[self._root.name]
        return {name: self._trials.problems(stage_named(name), lineage[question_stage.name], articles, _ARTICLES_KEPT)}

    def _run(self, stage: Stage, *, sampled: bool = False) -> TrialRun | None:
        """The trial of a stage, run once on the same inputs; None if the stage is not tried."""
        inputs = self._inputs(stage, sampled=sampled) if stage.trial.most else None
        if inputs is None or inputs[stage.primary].manifest.written < stage.trial.needed:
            return None
        key = (stage.name, *(inputs[name].folder for name in stage.reads))
        if key not in self._runs:
            self._load(stage)
            most, primary = self._limit(stage), inputs[stage.primary]
            # A stage that needs the whole set may read its primary input more than once.
            if stage.scope == "set" and primary.manifest.written > most:
                inputs[stage.primary] = self._trials.part(stage_named(stage.primary), primary, most)
            self._runs[key] = self._trials.run(stage, inputs, most)
        return self._runs[key]

    def _limit(self, stage: Stage) -> int:
        """How many records are tried: as many as the models can do in time."""
        expected = self._expected_seconds(stage)
        if expected <= stage.trial.expected.seconds:
            return stage.trial.most
        return min(stage.trial.most, max(stage.trial.least, int(_TRY_SECONDS / max(expected, 1e-6))))

    def _expected_seconds(self, stage: Stage) -> float:
        """Seconds that a record is expected to take."""
        expected = stage.trial.expected
        models = expected.sentences and expected.sentences * self._seconds_a_sentence
        return expected.seconds + models + (expected.articles and expected.articles * self._seconds_an_article)

    def _load(self, stage: Stage) -> None:
        for load in self._loads_of(stage):
            if load not in self.loads:
                self.loads[load] = self._trials.load(self._first_uses[load])

    def _loads_of(self, stage: Stage) -> tuple[str, ...]:
        """The slow loads of the stage: backends in ``LOADS`` that it uses."""
        ports = stage.ports_for(self._config.section(stage.name))
        return tuple(dict.fromkeys(LOADS[port] for port in ports if port in LOADS))

    # ---- from the trial to the whole corpus ----

    def _corpus_stage(self, stage: Stage) -> Measured:
        sample, run = self._sample, self._ingested
        basis: Basis = "counted" if sample.is_whole and run.read == sample.entries else "extrapolated"
        seconds_each = sample.seconds / max(1, sample.entries) + run.seconds_each
        written = round(sample.total * run.share)
        return Measured(sample.total, written, basis, self._work(stage, sample.total, seconds_each))

    def _try(self, stage: Stage) -> Measured:
        self._load(stage)
        run = self._run(stage)
        if run is None:
            return self._scaled(stage, self._expected_seconds(stage), stage.trial.expected.share, "assumed")
        if stage.trial.search:
            return self._scaled(stage, *self._searched(stage, stage.trial.search, run), "extrapolated")
        if stage.reasons:
            return self._scaled(stage, self._seconds_each(stage, run), run.share, "extrapolated")
        return self._scaled(stage, self._seconds_each(stage, run), 1.0, self._measured[stage.primary].basis)

    def _scaled(self, stage: Stage, seconds_each: float, share: float, basis: Basis) -> Measured:
        read = self._measured[stage.primary].written
        records = self._measured[stage.trial.time_grows_with or stage.primary].written
        return Measured(read, round(read * share), basis, self._work(stage, records, seconds_each))

    def _seconds_each(self, stage: Stage, run: TrialRun) -> float:
        """Seconds for a record of the input that the time grows with, without the loading that every run repeats."""
        loaded = sum(self.loads[load].seconds for load in self._loads_of(stage) if load in LOADED_EACH_TIME)
        grows_with = stage.trial.time_grows_with
        records = run.inputs[grows_with].manifest.written if grows_with else run.read
        return max(0.0, run.seconds - loaded) / max(1, records)

    def _searched(self, stage: Stage, search: ArticleSearch, run: TrialRun) -> tuple[float, float]:
        """Seconds a record and share written, if the whole corpus is searched."""
        section = self._config.section(stage.name)
        ratio = 1.0
        articles = run.inputs.get(self._root.name)
        if articles and articles.folder == self._source.folder:
            runs = len(self._sample.runs) or -(-_ARTICLES_KEPT // RUN_OF_RECORDS)
            dates = [article.date for article in self._articles]
            ratio = density_ratio(dates, runs, self._measured[self._root.name].written, search.days(section))
        counts = [len(result.candidates) for result in _results(run.output)]
        mean = sum(counts) / len(counts) if counts else 0.0
        most = mean_candidates(mean, ratio, search.candidates(section))
        # A search takes about as long as testing two candidates.
        return run.seconds_each * (2 + most) / (2 + mean), share_found(run.share, ratio)

    def _work(self, stage: Stage, records: int, seconds_each: float) -> StageWork:
        block = stage.block if stage.scope == "map" else 0
        return StageWork(stage.name, records, seconds_each, block, self._loads_of(stage))


def _results(output: Output) -> list[Retrieval | Rejection]:
    """Records and rejections of a stage that searches."""
    return cast("list[Retrieval | Rejection]", [*cast("list[Record]", list(output.records())), *output.rejections()])
