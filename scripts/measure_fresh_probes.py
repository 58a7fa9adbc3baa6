"""Measures what newly trained probes solve of the strict problems of runs (docs/explanation/adversaries.md).

    python scripts/measure_fresh_probes.py RUN …

The probes read the numbers of ``shallow`` (counts, places, matching words), but are other models with other seeds: boosted trees, a
random forest and a logistic regression of scikit-learn. They are trained on the strict problems of other events, in five folds.
"""

from __future__ import annotations

import argparse
import functools
import math
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.api import event_evidence
from wdw_build.reading.fitting import event_folds, problem_events
from wdw_build.reading.probes.cues import cues
from wdw_build.reading.problems import reading_problem
from wdw_build.records import Problem
from wdw_build.views.dataset import Run, open_run

FOLDS, SEEDS = 5, (11, 12, 13)
Array = Any  # numpy's
PROBES: dict[str, Callable[[int], Any]] = {
    "boosted trees": lambda seed: HistGradientBoostingClassifier(
        max_iter=80, learning_rate=0.06, max_leaf_nodes=6, min_samples_leaf=12, l2_regularization=1.0, random_state=seed
    ),
    "forest": lambda seed: RandomForestClassifier(300, min_samples_leaf=4, random_state=seed),
    "logistic": lambda seed: LogisticRegression(C=0.05, max_iter=400),
}


def numbers(problem: Problem, sentences: Callable[[str], Sequence[str]]) -> Array:
    """The numbers of each choice; (choices, numbers)."""
    rows = cues(reading_problem(problem, sentences(problem.passage.text)))
    names = sorted({name for row in rows for name in row})
    return np.array([[row.get(name, 0.0) for name in names] for row in rows])


def accuracy(
    problems: Sequence[Problem], rows: Sequence[Array], fold: dict[str, int], probe: Callable[[], Any]
) -> float:
    """The share of the problems that a probe trained on the other folds solves; one of k equally likely choices counts 1/k."""
    solved = 0.0
    for number in range(FOLDS):
        other = [index for index, problem in enumerate(problems) if fold[problem.id] != number]
        right = [place == problems[index].answer for index in other for place in range(len(rows[index]))]
        model = probe().fit(np.concatenate([rows[index] for index in other]), right)
        for index, problem in enumerate(problems):
            if fold[problem.id] == number:
                likely = model.predict_proba(rows[index])[:, 1]
                best = np.flatnonzero(likely >= likely.max())
                solved += (problem.answer in best) / len(best)
    return solved / len(problems)


def measure(run: Run, sentences: Callable[[str], Sequence[str]]) -> str:
    """A line: the number of strict problems, chance, and the mean accuracy of each probe over the seeds."""
    strict = {decision.id for decision in run.tables["suppress"] if decision.strict}
    problems = [problem for problem in run.distinct_problems if problem.id in strict]
    rows = [numbers(problem, sentences) for problem in problems]
    events = problem_events([event_evidence(problem) for problem in problems])
    chance = statistics.fmean(1 / len(problem.choices) for problem in problems)
    found = {}
    for name, probe in PROBES.items():
        folds = {seed: event_folds(events, FOLDS, seed) for seed in SEEDS}
        found[name] = statistics.fmean(
            accuracy(problems, rows, folds[seed], functools.partial(probe, seed)) for seed in SEEDS
        )
    shown = "  ".join(f"{name} {value:.3f}" for name, value in found.items())
    half = 1.96 * math.sqrt(0.25 / len(problems))
    return f"{run.name}: {len(problems)} strict, chance {chance:.3f}  {shown}  (95%: +-{half:.2f})"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Measure newly trained probes on the strict problems of runs.")
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    sentences = PunktSplitter().sentences
    for folder in parser.parse_args().runs:
        print(measure(open_run(folder), sentences), flush=True)


if __name__ == "__main__":
    main()
