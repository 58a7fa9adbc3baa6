"""The training alternatives of runs whose problems are pooled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wdw_build.core.progress import Progress
from wdw_build.dataset.run import Run
from wdw_build.records import Problem
from wdw_build.selection.training_alternatives import Sources, TrainingAlternatives
from wdw_build.similarity.leaks import Sentences


def training_alternatives(runs: Sequence[Run], sentences: Sentences, progress: Progress) -> list[TrainingAlternatives]:
    """Those of each run, without any that has something in common with a held-out problem of one of the runs.

    ``sentences`` splits a text. The runs must be complete.
    """

    def held_out() -> Iterator[Problem]:
        return (problem for run in runs for problem in _sources(run).held_out())

    return [
        TrainingAlternatives(_sources(run), run.assignments.settings, held_out, sentences, progress) for run in runs
    ]


def _sources(run: Run) -> Sources:
    return Sources(
        alternatives=run.alternatives.output,
        decisions=run.decisions.output,
        assignments=run.assignments.output,
        problems=run.distinct_problems.output,
        articles=run.articles.output,
    )
