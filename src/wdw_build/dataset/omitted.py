"""The bounds on the problems that are left after people's faulty problems were left out (``corpus.omitted_problems``)."""

from __future__ import annotations

from collections.abc import Mapping

from wdw_build.dataset.run import Run
from wdw_build.records import BoundCount

OMITTED = "omitted"


def omitted_problems(run: Run) -> dict[str, str]:
    """Id of each problem that was left out after the selection -> what is wrong with it."""
    return {rejection.id: rejection.detail for rejection in run.assignments.rejections(OMITTED)}


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
