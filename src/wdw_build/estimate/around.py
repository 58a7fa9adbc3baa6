"""How dense a corpus is around a day: more articles near a question, more that may be its passage."""

from __future__ import annotations

import bisect
import datetime as dt
from collections.abc import Sequence


def times_around(dates: Sequence[dt.date], runs: int, articles: int, window: int) -> float:
    """How many times as many articles a window holds in the whole corpus as in a part of it.

    ``dates``: of the part's articles, in ``runs`` runs of neighbours; ``articles``: of the whole corpus; ``window``: days
    on either side. The whole is taken to be as dense as the runs are; if several runs tell what days it covers, no less
    dense than if it were spread evenly over them.
    """
    if not dates or len(dates) >= articles:
        return 1.0
    here = _mean_around(dates, window)
    days = 2 * window + 1
    size = max(1, len(dates) // max(1, runs))
    parts = [dates[at : at + size] for at in range(0, len(dates), size)]
    near = sum(len(part) / _span(part) for part in parts) / len(parts) * days
    even = articles * days / max(days, _span(dates)) if len(parts) > 1 else 0.0
    return max(1.0, min(max(near, even), articles) / here)


def _span(dates: Sequence[dt.date]) -> int:
    return (max(dates) - min(dates)).days + 1


def _mean_around(dates: Sequence[dt.date], window: int) -> float:
    """For an article of the part, how many of it lie in its window (itself counted)."""
    days = sorted(date.toordinal() for date in dates)
    counts = [bisect.bisect_right(days, day + window) - bisect.bisect_left(days, day - window) for day in days]
    return sum(counts) / len(counts)
