"""Latent structural SVM (Yu & Joachims 2009): the score of a choice is that of its best sentence.

Training minimises |w - p|^2 / 2 + C sum_i sum_{c != y_i} max(0, 1 - s(y_i) + s(c))^2 with s(c) = max_h w . f(c, h). The prior
weights p take the place of 0, so that a few problems change the weights only a little. Validation problems choose the penalty C
if there are enough of them, otherwise cross-validation does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wdw_bench.systems.semantic.view import Bools, Floats

Weights = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

PENALTIES = (0.0, 0.003, 0.01, 0.03)
ROUNDS = 4
STEPS = 40
LEAST_CHANGE = 0.01


class Examples(NamedTuple):
    """Problems whose choices have a row of features for each sentence."""

    rows: Floats
    """Features (N, F), ordered by problem, choice, sentence."""
    choices: Places
    """First row of each choice."""
    problems: Places
    """First choice of each problem."""
    answers: Places
    """The right choice of each problem, as an index of ``choices``."""


def pack(features: Sequence[Floats], answers: Sequence[int]) -> Examples:
    """Examples from the features (C, S, F) of each problem and the index of its answer."""
    sentences = np.array([own.shape[1] for own in features for _ in range(own.shape[0])], np.intp)
    counts = np.array([own.shape[0] for own in features], np.intp)
    problems = np.cumsum(counts) - counts
    rows = np.concatenate([own.reshape(-1, own.shape[2]) for own in features])
    return Examples(rows, np.cumsum(sentences) - sentences, problems, problems + np.array(answers, np.intp))


def best_rows(examples: Examples, weights: Weights) -> tuple[Places, Weights]:
    """The row of the best sentence of each choice, the first of equals, and its score."""
    scores = (examples.rows @ weights.astype(np.float32)).astype(np.float64)
    return _first_best(scores, examples.choices)


def right(examples: Examples, weights: Weights) -> Bools:
    """Whether the model chooses the answer of each problem; the first of equal choices is chosen."""
    _, scores = best_rows(examples, weights)
    agreed: Bools = _first_best(scores, examples.problems)[0] == examples.answers
    return agreed


def fit(examples: Examples, prior: Weights, penalty: float) -> Weights:
    """The weights for the penalty C of errors: rounds of choosing sentences for the answers and of a convex step (CCCP)."""
    from scipy.optimize import minimize

    weights = prior.copy()
    if not penalty:
        return weights
    for _ in range(ROUNDS):
        rows, _ = best_rows(examples, weights)
        support = examples.rows[rows[examples.answers]].astype(np.float64)
        objective = Objective(examples, support, prior, penalty)
        solution: Any = minimize(objective, weights, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
        change = float(np.abs(solution.x - weights).max())
        weights = solution.x
        if change < LEAST_CHANGE:
            break
    return weights


class Objective:
    """The convex objective once the answers' sentences are chosen: value and gradient at given weights."""

    def __init__(self, examples: Examples, support: Weights, prior: Weights, penalty: float) -> None:
        self._examples, self._support, self._prior, self._penalty = examples, support, prior, penalty
        self._problem_of = _owners(examples.problems, len(examples.choices))

    def __call__(self, weights: Weights) -> tuple[float, Weights]:
        """Value and gradient (F)."""
        rows, scores = best_rows(self._examples, weights)
        short = np.maximum(0.0, 1 - (self._support @ weights)[self._problem_of] + scores)
        short[self._examples.answers] = 0
        active = np.flatnonzero(short)
        pull = 2 * self._penalty * short[active]
        change = weights - self._prior
        wrong = self._examples.rows[rows[active]].T.astype(np.float64) @ pull
        answers = self._support.T @ np.bincount(self._problem_of[active], pull, len(self._support))
        value = float(change @ change) / 2 + self._penalty * float(short @ short)
        return value, change + wrong - answers


def _first_best(scores: Weights, starts: Places) -> tuple[Places, Weights]:
    """In each group of scores, the index of the first of the highest ones, and the highest score."""
    best = np.maximum.reduceat(scores, starts)
    owners = _owners(starts, len(scores))
    hits = np.flatnonzero(scores == best[owners])
    return hits[np.flatnonzero(np.diff(owners[hits], prepend=-1))], best


def _owners(starts: Places, total: int) -> Places:
    """For each of ``total`` items, the index of the group that it is in."""
    return np.repeat(np.arange(len(starts)), np.diff(starts, append=total))


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
