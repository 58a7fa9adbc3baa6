"""The facts that the report shows of one run, gathered in two passes: one over rejections, one over problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from wdw_bench.results import StoredResults, stored_results
from wdw_build.annotation.sheet_draw import DrawOptions, choice_order, draw_sheet
from wdw_build.annotation.sheets import SheetProblem
from wdw_build.core.progress import Progress
from wdw_build.dataset import DatasetCounts, Run, Table, count_dataset, most_frequent_first, refused_candidates
from wdw_build.stages.funnel import FUNNEL
from wdw_build.views.blocks import Block
from wdw_build.views.people import PeopleResult, read_people
from wdw_build.views.report.examples import RejectionSampler
from wdw_build.views.summary import Summary, summarise

SHOWN_PROBLEMS = 20


class FunnelRow(NamedTuple):
    """One stage of the funnel; ``passed`` labels the written records, ``reasons`` are in descending order of count."""

    stage: str
    passed: str
    read: int
    written: int
    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Reason:
    """A rejection reason or refusal rule with its meaning, its count and examples."""

    name: str
    meaning: str
    count: int
    examples: list[list[Block]]


class Losses(NamedTuple):
    """The rejections of one stage: inputs by reason, candidates by rule."""

    stage: str
    reasons: tuple[Reason, ...]
    rules: tuple[Reason, ...]


class Shown(NamedTuple):
    """A problem with its key, its choices in random order, and the question left and right of the blank."""

    problem: SheetProblem
    choices: tuple[str, ...]
    left: str
    right: str


class Facts(NamedTuple):
    """Everything that the report shows of one run."""

    run: Run
    seed: int
    summary: Summary
    steps: list[FunnelRow]
    losses: list[Losses]
    counts: DatasetCounts
    systems: StoredResults
    people: tuple[PeopleResult, ...]
    shown: list[Shown]


def gather(run: Run, seed: int, progress: Progress) -> Facts:
    """The facts of a complete run. ``seed`` draws the examples and the shown problems."""
    sampler = _sample_rejections(run, seed, progress)
    counts = count_dataset(run, progress, label="problems")
    summary = summarise(run)
    return Facts(
        run=run,
        seed=seed,
        summary=summary,
        steps=_steps(run),
        losses=[_losses(run, table, summary, sampler) for table in _made(run)],
        counts=counts,
        systems=stored_results(run),
        people=read_people(run),
        shown=_shown(run, seed),
    )


def _made(run: Run) -> list[Table[Any, Any]]:
    """The tables of the stages with an output: a complete run may lack stages on demand."""
    return [table for table in run.tables.values() if table.exists]


def _steps(run: Run) -> list[FunnelRow]:
    """The steps of the funnel: all stages that declare rejection reasons.

    A stage is left out if its output is the first input of no stage, unless it is the last stage: problems that it rejects
    stay in the dataset.
    """
    funnel_steps = []
    tables = _made(run)
    passed_on = {table.stage.primary for table in tables} | {tables[-1].stage.name}
    for table in tables:
        stage, manifest = table.stage, table.manifest
        if (stage.reasons or manifest.rejected) and stage.name in passed_on:
            passed = FUNNEL[stage.name].label if stage.name in FUNNEL else f"after {stage.name}"
            reasons = tuple(most_frequent_first(manifest.reasons))
            funnel_steps.append(FunnelRow(stage.name, passed, manifest.read, manifest.written, reasons))
    return funnel_steps


def _sample_rejections(run: Run, seed: int, progress: Progress) -> RejectionSampler:
    sampler = RejectionSampler(run, seed)
    rejected = sum(table.manifest.rejected for table in _made(run))
    with progress.bar("rejections", rejected, "records") as bar:
        for table in _made(run):
            for rejection in table.rejections():
                sampler.offer_rejection(table, rejection)
                bar.advance()
    with progress.bar("candidates", None, "candidates") as bar:
        for refused in refused_candidates(run):
            sampler.offer_candidate(refused)
            bar.advance()
    return sampler


def _shown(run: Run, seed: int) -> list[Shown]:
    count = min(SHOWN_PROBLEMS, len(run.assignments))
    _, problems = draw_sheet(run, DrawOptions(problems=count, seed=seed, strata=()))
    questions = (run.distinct_problems[problem.id].question for problem in problems)
    choices = (tuple(problem.choices[at] for at in choice_order(seed, "", problem)) for problem in problems)
    return [
        Shown(problem, names, question.left, question.right)
        for problem, names, question in zip(problems, choices, questions, strict=True)
    ]


def _losses(run: Run, table: Table[Any, Any], summary: Summary, sampler: RejectionSampler) -> Losses:
    def reasons(
        counts: Mapping[str, Mapping[str, int]], examples: Callable[[Table[Any, Any], str], list[list[Block]]]
    ) -> tuple[Reason, ...]:
        frequent = most_frequent_first(counts.get(table.name, {}))
        return tuple(Reason(name, run.meaning(name), count, examples(table, name)) for name, count in frequent)

    return Losses(table.name, reasons(summary.rejections, sampler.of_reason), reasons(summary.refused, sampler.of_rule))
