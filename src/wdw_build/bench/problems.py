"""Turns the problems of a run into what systems read under one condition, suppressed problems included.

The result is stored like a stage's output, so that every system reads the same records from disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from wdw_build.bench.conditions import PASSAGE, has_passage, names_of, without_passage
from wdw_build.bench.results import MADE_FROM, PSEUDONYMS
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.config.section import Section
from wdw_build.core.stage import Context, Stage
from wdw_build.ports import SENTENCE_SPLITTER
from wdw_build.reading import LabelledProblem
from wdw_build.reading.problems import reading_problem
from wdw_build.records import BaselinePredictions, Problem, Pseudonyms, Record, Rejection, SplitAssignment
from wdw_build.stages import adversary, baselines, split
from wdw_build.text.pseudonyms.apply import renamed


class ReadingConfig(Section, frozen=True):
    """What systems read."""

    condition: Annotated[Condition, Meta(description="See `bench.conditions`.")] = PASSAGE
    renamable: Annotated[
        bool, Meta(description="Leave out the problems whose names cannot be replaced, whatever the condition.")
    ] = False


def run(inputs: Iterator[Problem], config: ReadingConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the labelled problem of every problem after deduplication."""
    for problem in inputs:
        pseudonyms = context.inputs[PSEUDONYMS].find(problem.id) if config.renamable else None
        if config.renamable and not isinstance(pseudonyms, Pseudonyms):
            yield Rejection(id=problem.id, reason="names-not-replaced")
            continue
        shown = (
            renamed(problem, pseudonyms, names_of(config.condition)) if isinstance(pseudonyms, Pseudonyms) else problem
        )
        labelled = _labelled(shown, context)
        yield labelled if has_passage(config.condition) else without_passage(labelled, context.seed)


def _labelled(problem: Problem, context: Context) -> LabelledProblem:
    assignment = context.inputs[split.STAGE.name].find(problem.id)
    return LabelledProblem(
        id=problem.id,
        problem=reading_problem(problem, context.port(SENTENCE_SPLITTER).sentences(problem.passage.text)),
        answer=problem.answer,
        split=assignment.split if isinstance(assignment, SplitAssignment) else "",
        level=assignment.level if isinstance(assignment, SplitAssignment) else "suppressed",
        guesses=_guesses(problem, context),
    )


def _guesses(problem: Problem, context: Context) -> dict[str, int]:
    """What baselines and adversaries chose. A problem that the filter dropped has the choices of the baselines alone."""
    predicted = context.inputs[adversary.STAGE.name].find(problem.id) or context.find(baselines.STAGE.name, problem.id)
    assert isinstance(predicted, BaselinePredictions)  # noqa: S101 (narrows the type that both stages declare)
    return predicted.of(problem.alternative).guesses


STAGE = Stage(
    name="bench-problems",
    version=2,
    reads=MADE_FROM,
    writes=LabelledProblem,
    config=ReadingConfig,
    run=run,
    ports=(SENTENCE_SPLITTER,),
    reasons={"names-not-replaced": "pseudonyms rejected the problem, and a condition of the bench replaces names"},
    unit="problems",
    summary="Cut the problems into what reading-comprehension systems read.",
)
