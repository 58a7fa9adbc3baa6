"""Logistic regression with soft targets and weighted rows, cross-validation by group, and the area under the curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

FOLDS = 10
PENALTY = 1.0  # factor of the squared weights of standardised features
_CONVERGED = 1e-10
_LEAST_SPREAD = 1e-9  # a constant feature gets no weight
Array = Any  # numpy's


def fit(x: Array, y: Array, shares: Array, penalty: float = PENALTY) -> Array:
    """The weights of a logistic regression, intercept first; by Newton's method, with a ridge on standardised features.

    ``y`` holds targets in [0, 1]; ``shares``, the weights of the rows.
    """
    mean, spread = x.mean(axis=0), x.std(axis=0) + _LEAST_SPREAD
    rows = np.column_stack([np.ones(len(x)), (x - mean) / spread])
    ridge = penalty * np.diag([0.0] + [1.0] * x.shape[1])
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (shares * (p - y)) + ridge @ weights
        step = np.linalg.solve((rows.T * (shares * p * (1 - p))) @ rows + ridge, slope)
        weights = weights - step
        if np.abs(step).max() < _CONVERGED:
            break
    raw = weights[1:] / spread
    return np.concatenate([[weights[0] - raw @ mean], raw])


def write_weights(path: Path, comment: str, weights: Mapping[str, Mapping[str, float]]) -> None:
    """Write the weights of the features for each kind as TOML, without weights of 0 except the intercept."""
    lines = [f"# {comment}", ""]
    for kind, of_kind in weights.items():
        kept = {name: weight for name, weight in of_kind.items() if weight or name == "intercept"}
        lines += [f"[{kind}]", *(f'"{name}" = {weight}' for name, weight in kept.items()), ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def apply(weights: Array, x: Array) -> Array:
    """The score of every row."""
    return 1 / (1 + np.exp(-(weights[0] + x @ weights[1:])))


def crossed(x: Array, y: Array, shares: Array, groups: Sequence[str]) -> Array:
    """Cross-validated scores: each row's fit leaves out its fold. The rows of a group are in one fold."""
    sizes = {group: groups.count(group) for group in groups}
    filled = [0] * FOLDS
    fold = {}
    for group in sorted(sizes, key=lambda one: (-sizes[one], one)):
        fold[group] = filled.index(min(filled))
        filled[fold[group]] += sizes[group]
    where = np.array([fold[group] for group in groups])
    scores = np.zeros(len(y))
    for number in set(where.tolist()):
        rest, own = where != number, where == number
        scores[own] = apply(fit(x[rest], y[rest], shares[rest]), x[own])
    return scores


def auc(scores: Array, high: Array) -> float:
    """The AUC: how often a row of ``high`` scores above another row; a tie counts half. NaN if either group is empty."""
    one, other = scores[high], scores[~high]
    if not len(one) or not len(other):
        return float("nan")
    wins = (one[:, None] > other).sum() + 0.5 * (one[:, None] == other).sum()
    return float(wins / (len(one) * len(other)))
