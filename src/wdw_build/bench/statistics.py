"""Intervals and tests for accuracies: Wilson's interval, Student's interval over seeds, McNemar's paired test.

SciPy is imported in the functions, because the import takes a second.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

_LEVEL = 0.95


class Interval(NamedTuple):
    """An interval [low, high] of an accuracy."""

    low: float
    high: float


def wilson(correct: float, problems: float) -> Interval:
    """Wilson's 95 % interval (Wilson 1927) of a proportion; [0, 1] without problems.

    The numbers need not be whole: for judgements that are not independent, ``problems`` is their effective number.
    """
    if not problems:
        return Interval(0.0, 1.0)
    z = statistics.NormalDist().inv_cdf((1 + _LEVEL) / 2)
    share, scale = correct / problems, 1 + z * z / problems
    centre = (share + z * z / (2 * problems)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / problems + (z / (2 * problems)) ** 2)
    # Rounding must not move a limit over the share or out of [0, 1].
    return Interval(min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)))


def over_seeds(accuracies: Sequence[float]) -> Interval | None:
    """Student's 95 % interval of the mean accuracy over seeds, cut to [0, 1]; None for fewer than two seeds."""
    if len(accuracies) < 2:
        return None
    from scipy.stats import t

    mean = statistics.fmean(accuracies)
    half = (
        float(t.ppf((1 + _LEVEL) / 2, len(accuracies) - 1)) * statistics.stdev(accuracies) / math.sqrt(len(accuracies))
    )
    return Interval(max(0.0, mean - half), min(1.0, mean + half))


def mcnemar(first_only: int, second_only: int) -> float:
    """The exact two-sided p value of McNemar's test (McNemar 1947).

    ``first_only`` and ``second_only`` count the problems that just one of two systems solves. 1 if there are none.
    """
    if not first_only + second_only:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(first_only, first_only + second_only).pvalue)
