"""Wilson's interval of a proportion."""

from __future__ import annotations

import math
import statistics
from typing import NamedTuple

_LEVEL = 0.95


class Interval(NamedTuple):
    """An interval [low, high] of an accuracy."""

    low: float
    high: float


def wilson(correct: float, problems: float, level: float = _LEVEL) -> Interval:
    """Wilson's interval (Wilson 1927) of a proportion at a confidence level; [0, 1] without problems.

    The numbers need not be whole: for judgements that are not independent, ``problems`` is their effective number.
    """
    if not problems:
        return Interval(0.0, 1.0)
    z = statistics.NormalDist().inv_cdf((1 + level) / 2)
    share, scale = correct / problems, 1 + z * z / problems
    centre = (share + z * z / (2 * problems)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / problems + (z / (2 * problems)) ** 2)
    # Rounding must not move a limit over the share or out of [0, 1].
    return Interval(min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)))
