"""Probabilities from the scores of any system, by temperature scaling (Guo et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

# log10 of the inverse temperatures that are tried, from scores that decide nothing to scores that decide everything.
_LOW, _HIGH, _STEPS = -4.0, 4.0, 60
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def confidences(scores: Sequence[Sequence[float]], answers: Sequence[int]) -> list[float]:
    """The probability of the highest-scored choice of each problem.

    Probabilities are a softmax of the scores over a temperature. One temperature is fitted for all problems, which gives the
    answers the least log loss. ``scores`` must come from systems that were not trained on these problems.
    """
    sharpness = 10.0 ** _least(lambda power: _loss(scores, answers, 10.0**power))
    return [max(_softmax(values, sharpness)) for values in scores]


def _softmax(values: Sequence[float], sharpness: float) -> list[float]:
    highest = max(values)
    weights = [math.exp(sharpness * (value - highest)) for value in values]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def _loss(scores: Sequence[Sequence[float]], answers: Sequence[int], sharpness: float) -> float:
    """The mean negative log probability of the answers."""
    losses = (
        sharpness * (max(values) - values[answer])
        + math.log(math.fsum(math.exp(sharpness * (value - max(values))) for value in values))
        for values, answer in zip(scores, answers, strict=True)
    )
    return math.fsum(losses) / max(1, len(answers))


def _least(loss: Callable[[float], float]) -> float:
    """The place of the least loss by golden-section search; the loss is convex in the sharpness, so it has one minimum."""
    low, high = _LOW, _HIGH
    for _ in range(_STEPS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        low, high = (low, right) if loss(left) <= loss(right) else (left, high)
    return (low + high) / 2
