"""Rounding that does not depend on the processor, although the rounded numbers are computed with small errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

# Decimals of cosines, event scores and probabilities.
DECIMALS = 3


def is_uncertain(values: Any, errors: Any, decimals: int = DECIMALS) -> Any:
    """Whether each value may round to a different number than the exact value; an array of booleans.

    A value differs from the exact value by less than its error. The sum of floating-point numbers depends on their order,
    which differs between processors, libraries and batch sizes. Rounding alone does not remove the difference: 0.1234999
    and 0.1235001 round to different numbers. This is Ziv's rounding test (Ziv 1991, "Fast evaluation of elementary
    mathematical functions with correctly rounded last bit"): the rounding is certain if the middle between two rounded
    numbers is further away than the error. Only the other values must be computed with higher precision.
    """
    import numpy as np

    scale = 10.0**decimals
    scaled = np.asarray(values, dtype=np.float64) * scale
    # The last digits of ``scaled`` are not exact either.
    return np.abs(scaled - np.floor(scaled) - 0.5) <= np.asarray(errors) * scale + 1e-9


def correctly_rounded(values: Any, errors: Any, exact: Callable[[list[int]], Sequence[float]]) -> list[float]:
    """Round values to ``DECIMALS`` decimals as if they were exact. ``exact`` returns the exact values at some positions."""
    import numpy as np

    best = np.array(values, dtype=np.float64)
    uncertain = np.flatnonzero(is_uncertain(best, errors)).tolist()
    if uncertain:
        best[uncertain] = exact(uncertain)
    rounded: list[float] = best.round(DECIMALS).tolist()
    return rounded


def leads(scores: Any) -> Any:
    """The difference between the two highest numbers of each row (rows, columns)."""
    import numpy as np

    second, best = np.sort(scores, axis=1)[:, -2:].T
    return best - second
