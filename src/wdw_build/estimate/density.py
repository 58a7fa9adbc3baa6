"""The density of articles in time: the whole corpus compared with a sample of it."""

from __future__ import annotations

import bisect
import datetime as dt
from collections.abc import Sequence


def density_ratio(dates: Sequence[dt.date], runs: int, articles: int, days: int) -> float:
    """The mean number of articles within ``days`` of an article: of the whole corpus, divided by that of the sample.

    ``dates`` are those of the sample, which consists of ``runs`` runs of neighbouring articles; ``articles`` is the size of
    the whole corpus. Assumes that the whole corpus is as dense as the runs. Several runs also show how many days the corpus
    covers; its density is then at least that of articles spread evenly over these days.
    """
    if not dates or len(dates) >= articles:
        return 1.0
    width = 2 * days + 1
    size = max(1, len(dates) // max(1, runs))
    parts = [dates[start : start + size] for start in range(0, len(dates), size)]
    as_runs = sum(len(part) / _days_covered(part) for part in parts) / len(parts) * width
    evenly = articles * width / max(width, _days_covered(dates)) if len(parts) > 1 else 0.0
    return max(1.0, min(max(as_runs, evenly), articles) / _mean_neighbours(dates, days))


def _days_covered(dates: Sequence[dt.date]) -> int:
    return (max(dates) - min(dates)).days + 1


def _mean_neighbours(dates: Sequence[dt.date], days: int) -> float:
    """The mean number of articles of the sample within ``days`` of one of them, itself counted."""
    ordinals = sorted(date.toordinal() for date in dates)
    counts = [bisect.bisect_right(ordinals, day + days) - bisect.bisect_left(ordinals, day - days) for day in ordinals]
    return sum(counts) / len(counts)
