"""Opens a run and gives access to the outputs of its stages, finished or not."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import msgspec

from wdw_build import records
from wdw_build.adapters.exports.jsonl import problem_line
from wdw_build.core.hashing import digest
from wdw_build.core.installed import installed_version
from wdw_build.core.section import Section
from wdw_build.core.store.manifest import read_manifest
from wdw_build.core.store.output import Output
from wdw_build.errors import UsageError
from wdw_build.pipeline.config.file import STORED_CONFIG, load_config, read_yaml
from wdw_build.pipeline.stage_order import ON_DEMAND, STAGES
from wdw_build.selection.settings import AdversaryConfig, SplitConfig, SuppressConfig
from wdw_build.stages.baselines import BaselinesConfig
from wdw_build.stages.dedup import DedupConfig
from wdw_build.stages.export import ExportConfig
from wdw_build.stages.ingest import IngestConfig
from wdw_build.text.settings import ChoicesConfig, QuestionsConfig, RetrieveConfig
from wdw_build.views.dataset.tables import NOT_REACHED, NOT_RUN, SPLITS, History, JoinedProblem, Outcome, Table

if TYPE_CHECKING:
    from pandas import DataFrame

R = TypeVar("R", bound=records.Record)
C = TypeVar("C", bound=Section)


class StageTable(Generic[R, C]):
    """An attribute of a run: the table of the stage with this name."""

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def __get__(self, run: Run, owner: type[Run]) -> Table[R, C]:
        return run.tables[self._stage]


@dataclass(frozen=True)
class Run:
    """A run: its folder, and the outputs of the stages that have run.

    The attributes from ``articles`` to ``exported`` are typed tables of the stages' outputs; ``tables`` holds the
    tables of all stages by name, plug-in stages included.
    """

    folder: Path
    outputs: dict[str, Output] = field(repr=False)

    @property
    def name(self) -> str:
        """The run's name."""
        return self.folder.name

    @property
    def fingerprint(self) -> str:
        """Hash of the fingerprints of the stages' outputs."""
        return digest({name: output.manifest.fingerprint for name, output in self.outputs.items()})

    def config(self) -> dict[str, Any]:
        """The configuration of the last command that ran stages, as it was stored; empty if the file is gone."""
        path = self.folder / STORED_CONFIG
        return read_yaml(path) if path.exists() else {}

    # ---- stages -----------------------------------------------------------------------------------------------------

    @functools.cached_property
    def tables(self) -> dict[str, Table[Any, Any]]:
        """A table for each stage, in the order of the stages, also for stages without an output."""
        return {stage.name: Table(self.name, stage, self.outputs.get(stage.name)) for stage in STAGES}

    articles = StageTable[records.Article, IngestConfig]("ingest")
    """The articles of the corpus."""
    indexed_articles = StageTable[records.IndexedArticle, Section]("index")
    """The articles in the search index."""
    first_sentences = StageTable[records.FirstSentence, Section]("sentences")
    """The first sentences with the names that were tagged in them."""
    counted_names = StageTable[records.CountedNames, Section]("names")
    """The articles that are counted in the table of names."""
    questions = StageTable[records.Question, QuestionsConfig]("questions")
    """The questions."""
    retrievals = StageTable[records.Retrieval, RetrieveConfig]("retrieve")
    """The candidate passages of each question."""
    all_alternatives = StageTable[records.ProblemAlternatives, ChoicesConfig]("choices")
    """The alternatives of every article, before deduplication."""
    alternatives = StageTable[records.ProblemAlternatives, DedupConfig]("dedup")
    """The alternatives of every article, after deduplication."""
    distinct_problems = StageTable[records.Problem, Section]("problems")
    """One problem for each article: the selected alternative, or the first one if ``suppress`` selected none.

    ``problems`` joins them with the other tables.
    """
    pseudonyms = StageTable[records.Pseudonyms, Section]("pseudonyms")
    """Codes of the persons of each problem whose names can be replaced."""
    baseline_predictions = StageTable[records.BaselinePredictions, BaselinesConfig]("baselines")
    """What the baselines chose."""
    predictions = StageTable[records.AdversaryPredictions, AdversaryConfig]("adversary")
    """What the baselines and the adversaries chose."""
    decisions = StageTable[records.SuppressionDecision, SuppressConfig]("suppress")
    """The alternatives that suppression selected, with level and cell."""
    assignments = StageTable[records.SplitAssignment, SplitConfig]("split")
    """The split and the level of every problem in the dataset."""
    exported = StageTable[records.Exported, ExportConfig]("export")
    """The exported files that each problem is in."""

    # ---- problems ---------------------------------------------------------------------------------------------------

    def problem_of(self, record: records.ProblemAlternatives) -> records.Problem:
        """The problem of an article: that of the stage ``problems``, or the first alternative if the stage has none."""
        problem = self.distinct_problems.find(record.id)
        if problem is not None:
            return problem
        article = self.articles.find(record.passages[record.alternatives[0].passage].article)
        return record.problem(0, article) if article is not None else record.outline(0)

    def joined_problems(self) -> Iterator[JoinedProblem]:
        """Every problem after deduplication, suppressed ones included, in the order of the dataset."""
        return map(self._joined, self.distinct_problems)

    def problems(self, split: str = "") -> Iterator[JoinedProblem]:
        """The problems of the dataset, strict and relaxed, or those of one split of ``SPLITS``.

        Raises ``UsageError`` if there is no such split.
        """
        if split and split not in SPLITS:
            raise UsageError(f"there is no split {split!r}", hint=f"splits: {', '.join(SPLITS)}")
        return (joined for joined in self.joined_problems() if (split in joined.splits if split else joined.splits))

    def to_pandas(self, split: str = "") -> DataFrame:
        """A row for each of ``problems``: the fields of a line of JSONL, but the answer's name, and the split without overlap.

        Raises ``MissingResourceError`` if pandas is not installed.
        """
        installed_version("pandas", "to_pandas")
        import pandas

        assigned = ((joined, joined.assignment) for joined in self.problems(split))
        rows = [
            msgspec.to_builtins(problem_line(joined.problem, placed))
            | {"answer": joined.answer, "split": joined.part, "solved_by": joined.solved_by}
            for joined, placed in assigned
            if placed
        ]
        dates = {"date": "datetime64[s]", "passage.date": "datetime64[s]"}
        return pandas.json_normalize(rows).astype(dates) if rows else pandas.DataFrame()

    def problem(self, record_id: str) -> JoinedProblem | None:
        """The problem with this id, joined; None if there is none after deduplication."""
        problem = self.distinct_problems.find(record_id)
        return None if problem is None else self._joined(problem)

    def _joined(self, problem: records.Problem) -> JoinedProblem:
        """A problem with the records of its id."""
        predictions = self.predictions.find(problem.id)
        return JoinedProblem(
            problem,
            predictions and predictions.of(problem.alternative),
            self.decisions.find(problem.id),
            self.assignments.find(problem.id),
            predictions and predictions.of(0),
        )

    # ---- one id, one rule --------------------------------------------------------------------------------------------

    def history(self, record_id: str) -> History:
        """What every stage made of an id. Raises ``UsageError`` if no stage knows it."""
        outcomes = tuple(
            Outcome(table, table.find(record_id), table.rejections_of(record_id)) for table in self.tables.values()
        )
        if all(outcome.state in (NOT_REACHED, NOT_RUN) for outcome in outcomes):
            raise UsageError(
                f"no stage of run {self.name!r} knows {record_id!r}",
                hint=f"wdw-build inspect {outcomes[0].table.name} -c FILE  lists ids; "
                "a place that cannot be read is an id, too (file:line)",
            )
        return History(record_id, outcomes)

    def meaning(self, rule: str) -> str:
        """A rejection reason or refusal rule in words; empty if no stage declares it."""
        return next((declared.meaning for stage in STAGES if (declared := stage.rule(rule))), "")

    @property
    def main_line(self) -> list[Table[Any, Any]]:
        """The tables of the stages from the corpus to the export, each the primary input of the next."""
        line: list[Table[Any, Any]] = [self.exported]
        while line[0].stage.primary:
            line.insert(0, self.tables[line[0].stage.primary])
        return line

    # ---- whole and current -------------------------------------------------------------------------------------------

    def changed_inputs(self, table: Table[Any, Any]) -> tuple[str, ...]:
        """The input stages whose output in the run was replaced or deleted after this output was made."""
        made_from = table.manifest.ingredients.inputs
        return tuple(
            name
            for name in made_from
            if name not in self.outputs or self.outputs[name].manifest.content_hash != made_from[name]
        )

    @property
    def stale(self) -> list[str]:
        """The stages whose outputs were made from other outputs than the run's, directly or indirectly, in order."""
        stale: list[str] = []
        for table in self.tables.values():
            if table.exists and (self.changed_inputs(table) or table.manifest.ingredients.inputs.keys() & set(stale)):
                stale.append(table.name)
        return stale

    def require_complete(self) -> Run:
        """Return the run. Raises ``UsageError`` if a stage has no output, or if its inputs have changed since."""
        for table in self.tables.values():
            if table.name in ON_DEMAND and not table.exists:
                continue
            changed = self.changed_inputs(table)
            if changed:
                raise UsageError(
                    f"run {self.name!r}: {table.name} was made from another output of {changed[0]} than the run's",
                    hint="wdw-build all with its configuration brings every stage up to date",
                )
        return self


def open_run(path: Path, overrides: Sequence[str] = ()) -> Run:
    """Open the run of a configuration file, of ``runs/<run>``, or of an ``output_dir`` that holds one run.

    ``overrides`` are those of ``--set``, for a configuration file. Raises ``UsageError`` if there is no stage output.
    """
    folder = _folder(path, overrides)
    # Links are resolved once, so that a later run that replaces them is not mixed in.
    outputs = {
        stage.name: Output((folder / stage.name).resolve(), stage.writes)
        for stage in STAGES
        if read_manifest(folder / stage.name) is not None
    }
    if not outputs:
        what = (
            f"no stage output in {folder}"
            if path.is_dir()
            else f"run {folder.name!r} has no output of {STAGES[0].name}"
        )
        raise UsageError(what, hint="wdw-build all -c FILE")
    return Run(folder, outputs)


def run_folder(path: Path) -> Path:
    """The folder of a run, given it or an ``output_dir`` that holds one run. Raises ``UsageError`` if it holds several."""
    runs = sorted(folder for folder in (path / "runs").glob("*") if folder.is_dir())
    if len(runs) > 1:
        raise UsageError(f"{path} has {len(runs)} runs", hint=f"name one of them: {', '.join(map(str, runs[:5]))}")
    # resolve: "." has no name.
    return (runs[0] if runs else path).resolve()


def _folder(path: Path, overrides: Sequence[str]) -> Path:
    if not path.is_dir():
        config = load_config(path, overrides)
        return Path(config.output_dir) / "runs" / config.run
    if overrides:
        raise UsageError(f"--set changes a configuration, but {path} is a folder", hint="omit --set")
    return run_folder(path)


class RefusedCandidate(NamedTuple):
    """A candidate, the question it was tried for, and the table of the stage that refused it."""

    table: Table[Any, Any]
    question: str
    candidate: records.Candidate


def refused_candidates(run: Run) -> Iterator[RefusedCandidate]:
    """Every refused candidate: first those of ``retrieve``, then those of ``choices``."""
    for retrieval in run.retrievals:
        yield from _refused(run.retrievals, retrieval.id, retrieval.candidates)
    for record in run.all_alternatives:
        yield from _refused(run.all_alternatives, record.id, record.refused)
    for table in (run.retrievals, run.all_alternatives):
        for rejection in table.rejections():
            yield from _refused(table, rejection.id, rejection.candidates)


def _refused(
    table: Table[Any, Any], question: str, candidates: tuple[records.Candidate, ...]
) -> Iterator[RefusedCandidate]:
    return (RefusedCandidate(table, question, candidate) for candidate in candidates if candidate.rule)
