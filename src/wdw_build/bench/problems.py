"""Turns the problems of a run into what systems read.

The result is stored like a stage's output, so that every system reads the same records from disk.
"""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.bench.results import MADE_FROM
from wdw_build.core.config.section import Section
from wdw_build.core.stage import Context, Stage
from wdw_build.ports import SENTENCE_SPLITTER
from wdw_build.reading import LabelledProblem
from wdw_build.reading.problems import reading_problem
from wdw_build.records import AdversaryPredictions, Problem, Record, Rejection, SplitAssignment
from wdw_build.stages import adversary, split


def run(inputs: Iterator[Problem], config: Section, context: Context) -> Iterator[Record | Rejection]:
    """Yield the labelled problem of every problem of the dataset."""
    splitter = context.port(SENTENCE_SPLITTER)
    assignments, predictions = context.inputs[split.STAGE.name], context.inputs[adversary.STAGE.name]
    for problem in inputs:
        assignment, predicted = assignments.find(problem.id), predictions.find(problem.id)
        if not isinstance(assignment, SplitAssignment) or not isinstance(predicted, AdversaryPredictions):
            yield Rejection(id=problem.id, reason="not-in-dataset")
            continue
        yield LabelledProblem(
            id=problem.id,
            problem=reading_problem(problem, splitter.sentences(problem.passage.text)),
            answer=problem.answer,
            split=assignment.split,
            level=assignment.level,
            guesses=predicted.guesses,
        )


STAGE = Stage(
    name="bench-problems",
    version=1,
    reads=MADE_FROM,
    writes=LabelledProblem,
    config=Section,
    run=run,
    ports=(SENTENCE_SPLITTER,),
    reasons={"not-in-dataset": "suppression or the split left the problem out"},
    unit="problems",
    summary="Cut the problems of the dataset into what reading-comprehension systems read.",
)
