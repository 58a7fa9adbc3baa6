"""Rounding that does not depend on the processor, although the rounded numbers are computed with small errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Decimals of every rounded number: probabilities of tags, cosines and event scores.
DECIMALS = 3


def correctly_rounded(values: Any, error: float, exact: Callable[[], Any]) -> Any:
    """Round values to ``DECIMALS`` decimals as if they had been computed exactly. Returns an array of float64.

    ``values`` are an array whose elements differ from the exact values by less than ``error``. The sum of floating-point
    numbers depends on their order, which differs between processors, libraries and batch sizes. Rounding alone does not
    remove the difference: 0.1234999 and 0.1235001 round to different numbers. Ziv's rounding test (Ziv 1991, "Fast
    evaluation of elementary mathematical functions with correctly rounded last bit") removes it. If no value is within
    ``error`` of the middle between two rounded numbers, all values within ``error`` round alike, and so does the exact one.
    Otherwise ``exact`` computes the values with a negligible error.
    """
    import numpy as np

    scale = 10.0**DECIMALS
    scaled = np.asarray(values, dtype=np.float64) * scale
    if (abs(scaled - np.floor(scaled) - 0.5) <= error * scale).any():
        scaled = np.asarray(exact(), dtype=np.float64) * scale
    return np.rint(scaled) / scale
