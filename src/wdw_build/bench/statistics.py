"""Intervals and tests for accuracies: Wilson's interval, Student's interval over seeds, McNemar's paired test.

SciPy is imported in the functions, because the import takes a second.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from wdw_build.core.intervals import Interval, wilson

__all__ = ["Interval", "mcnemar", "over_seeds", "wilson"]

_LEVEL = 0.95


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
