#!/usr/bin/env python3
"""Cross-fitted accuracy of systems on all distinct problems of some runs, as they are before suppression.

    PYTHONPATH=scripts python scripts/benchmarks/cross_fitted.py out/runs/sample out/runs/wire --systems shallow,passage-only

The problems of all runs are pooled. Each problem is answered by a system that was trained on other events. The table
shows the accuracy in percent for each run and for all problems, with Wilson's 95% interval, and the CPU seconds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.core.hashing import digest
from wdw_build.core.intervals import wilson
from wdw_build.dataset import Run, open_run
from wdw_build.pipeline import STAGES
from wdw_build.reading import LabelledProblem, TrainingContext
from wdw_build.reading.fitting import CrossFit
from wdw_build.reading.folds import event_folds, problem_events
from wdw_build.reading.problems import reading_problem
from wdw_build.registry import system_entry
from wdw_build.text.passages.connections import event_evidence

_BASELINES = ("first-person", "most-frequent", "ngram", "unigram")
_PARTS = (
    "answer-position,frequent-by-count,choices-only,question-only,passage-only,word-overlap,sliding-window,distance"
)


class PooledProblems(NamedTuple):
    """The problems of all runs in order, the name of each problem's run, and each problem's fold."""

    problems: list[LabelledProblem]
    runs: list[str]
    folds: dict[str, int]


def pool(runs: Sequence[Run], folds: int, seed: int) -> PooledProblems:
    """All distinct problems of the runs with their folds. Ids get the name of the run, so that they differ."""
    splitter = PunktSplitter()
    problems, names, evidence = [], [], []
    for run in runs:
        guesses = {predicted.id: predicted.guesses for predicted in run.tables["baselines"]}
        for problem in run.distinct_problems:
            known = msgspec.structs.replace(problem, id=f"{run.name}/{problem.id}")
            problems.append(
                LabelledProblem(
                    id=known.id,
                    problem=reading_problem(known, splitter.sentences(problem.passage.text)),
                    answer=problem.answer,
                    split="train",
                    level="strict",
                    guesses=guesses[problem.id],
                )
            )
            names.append(run.name)
            evidence.append(event_evidence(known))
    return PooledProblems(problems, names, event_folds(problem_events(evidence), folds, seed))


def row(pooled: PooledProblems, right: Sequence[float]) -> str:
    """The accuracies of one system in each run and in all, in percent; ``right`` is 0 to 1 for each problem."""
    cells = []
    for name in (*dict.fromkeys(pooled.runs), None):
        values = [value for value, run in zip(right, pooled.runs, strict=True) if name in (run, None)]
        low, high = wilson(round(sum(values)), len(values))
        cells.append(f"{100 * sum(values) / len(values):5.1f} ({100 * low:.1f}-{100 * high:.1f})")
    return "".join(f"{cell:>20}" for cell in cells)


def main() -> None:
    """Print chance, the baselines of suppression, and the systems."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--systems", default=f"{_PARTS},shallow")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    pooled = pool([open_run(folder, STAGES) for folder in options.runs], options.folds, options.seed)
    counts = [f"{name}: {pooled.runs.count(name)}" for name in dict.fromkeys(pooled.runs)]
    print(f"problems: {', '.join(counts)}, all: {len(pooled.problems)}; {options.folds} folds, seed {options.seed}")
    print(f"{'chance':<26}{row(pooled, [1 / len(item.problem.choices) for item in pooled.problems])}")
    for name in _BASELINES:
        print(f"{name:<26}{row(pooled, [item.guesses[name] == item.answer for item in pooled.problems])}")
    content = digest(pooled.problems)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.systems.split(","):
            entry, begun = system_entry(name), time.process_time()
            fit = CrossFit(entry, entry.settings(), Path(folder), TrainingContext(folder=Path(folder)))
            answered = fit.predictions(pooled.problems, content, pooled.folds)
            right = [answered[item.id].credit(item.answer, 0.0).share for item in pooled.problems]
            print(f"{name:<26}{row(pooled, right)}{time.process_time() - begun:>8.1f} s", flush=True)


if __name__ == "__main__":
    main()
