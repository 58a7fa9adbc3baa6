"""The choice of the penalty C: on validation problems if there are enough of them, otherwise by cross-validation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from wdw_build.systems.semantic.lexicon import Floats
from wdw_build.systems.semantic.max_margin import PENALTIES, Weights, fit, pack, right

Problems = Sequence[tuple[Floats, int]]
"""The features (C, S, F) of each problem and the index of its answer."""

ENOUGH = 200
MOST = 2000
FOLDS = 5


def choose_penalty(training: Problems, validation: Problems, prior: Weights) -> float:
    """The least C whose accuracy is within half a standard error of the best one's.

    The standard error is that of a share, sqrt(a (1 - a) / n) for the best accuracy a on n problems.
    """
    counts = np.zeros(len(PENALTIES), np.intp)
    total = 0
    for fitted, held_out in _folds(training, validation):
        examples, tested = pack(*zip(*fitted, strict=True)), pack(*zip(*held_out, strict=True))
        counts += [int(right(tested, fit(examples, prior, penalty)).sum()) for penalty in PENALTIES]
        total += len(held_out)
    if not total:
        return PENALTIES[0]
    best = float(counts.max()) / total
    margin = math.sqrt(best * (1 - best) / total) / 2
    return next(penalty for penalty, count in zip(PENALTIES, counts, strict=True) if count / total >= best - margin)


def _folds(training: Problems, validation: Problems) -> Iterator[tuple[Problems, Problems]]:
    """Pairs of problems to fit and problems held out, of at most 2,000 problems each."""
    if len(validation) >= ENOUGH:
        yield training[:MOST], validation[:MOST]
        return
    problems = [*training, *validation][:MOST]
    # Neighbouring problems may share a passage, so folds are ranges.
    edges = [len(problems) * fold // FOLDS for fold in range(FOLDS + 1)]
    for first, last in pairwise(edges):
        if 0 < last - first < len(problems):
            yield problems[:first] + problems[last:], problems[first:last]
