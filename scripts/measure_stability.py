"""Measures how much the number of strict problems varies if event scores vary by a thousandth.

    python scripts/measure_stability.py -c FILE [--copies 20] [--set KEY=VALUE ...]

The run of the configuration must be built. In each copy, every event score of its problems is changed by -.001, 0 or .001 at
random, the adversaries are trained, and problems are selected. Prints the strict problems and the predictors of each copy (a
round of an adversary is one predictor), and the range. Only the folds of the adversaries are stored, for a second call.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import numpy as np
from tqdm import tqdm

from wdw_build.config.file import load_config
from wdw_build.core.progress import Progress
from wdw_build.core.run.runner import run_alone
from wdw_build.pipeline import Pipeline
from wdw_build.ports import SOLVER
from wdw_build.records import AdversaryPredictions
from wdw_build.selection import offers
from wdw_build.selection.levels import choose_strict

_STEP = 0.001
_OFFERED = offers.offered


def _changed(found: offers.Offered, copy: int) -> offers.Offered:
    """The offers with other scores, always the same for a copy; a problem without a score keeps none."""
    draw = np.random.default_rng(copy)

    def moved(scores: Any) -> Any:
        other = np.round(scores + _STEP * draw.integers(-1, 2, len(scores)), 3)
        return np.where(scores > 0, np.clip(other, 0.0, 1.0), 0.0)

    before = found.offers
    found.offers = replace(before, event=moved(before.event), evidence=moved(before.evidence))
    return found


def results(pipeline: Pipeline, copies: int) -> Iterator[tuple[int, int]]:
    """Yield the number of strict problems and of predictors of each copy."""
    config, stage = pipeline.config, pipeline.stage("adversary")
    job = pipeline.job(stage, {name: pipeline.output(name) for name in stage.reads})
    find = cast(Any, job.inputs["dedup"].find)
    for copy in tqdm(range(copies), desc="copies", disable=None):

        def offered(find: Callable[[str], Any], records: Iterable[Any], seed: int, copy: int = copy) -> offers.Offered:
            return _changed(_OFFERED(find, records, seed), copy)

        with tempfile.TemporaryDirectory() as folder, patch.object(offers, "offered", offered):
            made = run_alone(job, Path(folder), pipeline.progress).records()
            answered = [one for one in made if isinstance(one, AdversaryPredictions)]
            found = offers.offered(find, answered, config.seed)
        chosen, _ = choose_strict(found.offers, config.suppress, config.split, pipeline.ports.get(SOLVER))
        yield int((chosen >= 0).sum()), found.offers.solved.shape[1]


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Measure how stable the number of strict problems is.")
    parser.add_argument("-c", "--config", type=Path, required=True)
    parser.add_argument("--copies", type=int, default=20)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    arguments = parser.parse_args()
    pipeline = Pipeline(load_config(arguments.config, arguments.set), Progress("quiet"))
    strict = []
    for number, (problems, predictors) in enumerate(results(pipeline, arguments.copies)):
        print(f"copy {number:2d}: {problems} strict problems, {predictors} predictors", flush=True)
        strict.append(problems)
    middle = float(np.median(strict))
    print(
        f"{min(strict)} to {max(strict)} strict problems, median {middle:g}, {(max(strict) - min(strict)) / middle:.1%}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
