"""Bands of whole numbers for tables and charts, which show both tails of a distribution however far apart they are.

Numbers below 10 are counted singly; from 10 on, a band is a fifth to a half as wide as its lower bound (10, 15, 20, 25, 30, 40, 50,
60, 80, 100, …), and the last one has no end. The bands do not depend on the numbers, so that runs can be compared.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping

_LAST = 10_000
# Lower bounds; those of negative numbers mirror those of positive ones.
_POSITIVE = [*range(10), *(step * ten for ten in (1, 10, 100) for step in (10, 15, 20, 25, 30, 40, 50, 60, 80)), _LAST]
_BOUNDS = [*(1 - bound for bound in reversed(_POSITIVE[2:])), *_POSITIVE]


def in_bands(counts: Mapping[int, Mapping[str, int]]) -> dict[str, Counter[str]]:
    """Name of a band -> counts of its numbers by split, from the lowest band to the highest, with the empty ones between."""
    found: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for number, by_split in counts.items():
        found[bisect_right(_BOUNDS, number)].update(by_split)
    return {_name(band): found[band] for band in range(min(found, default=0), max(found, default=-1) + 1)}


def _name(band: int) -> str:
    """The name of the band above so many bounds, such as ``7``, ``10 to 14`` or ``10,000 or more``."""
    if band == 0:
        return f"{_BOUNDS[0] - 1:,} or less"
    if band == len(_BOUNDS):
        return f"{_BOUNDS[-1]:,} or more"
    low, high = _BOUNDS[band - 1], _BOUNDS[band] - 1
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
