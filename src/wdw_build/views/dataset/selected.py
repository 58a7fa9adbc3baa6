"""What follows from the selection of problems in runs, besides what stages store of it.

Bounds are counted again on the problems that are left after people's faulty problems were left out
(``corpus.omitted_problems``). The training alternatives of runs whose problems are pooled have nothing in common with a held-out
problem of any of the runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wdw_build.core.progress import Progress
from wdw_build.records import BoundCount, Problem
from wdw_build.selection.training_alternatives import Sources, TrainingAlternatives
from wdw_build.similarity.leaks import Sentences
from wdw_build.views.dataset.run import Run


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


def bounds_without(run: Run, omitted: Mapping[str, str]) -> tuple[BoundCount, ...]:
    """Every bound, counted on the selected problems without the omitted ones; empty if none is omitted."""
    if not omitted:
        return ()
    # NumPy is slow to import, and most runs omit nothing.
    from wdw_build.selection.recount import Recount, count_traits, selected_problems

    decisions = {decision.id: decision for decision in run.decisions}
    selected = selected_problems(decisions, run.distinct_problems, lambda: iter(run.predictions), run.alternatives.find)
    config, first = run.decisions.settings, next(iter(run.predictions))
    traits = count_traits(config, decisions, run.predictions, run.alternatives.find, run.articles.find)
    recount = Recount(config, tuple(first.guesses), selected, omitted.keys(), traits)
    return tuple(recount.all_counts())
