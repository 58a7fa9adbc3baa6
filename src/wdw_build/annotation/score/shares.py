"""Shares with 95 % intervals, also of judgements that several persons made of the same problems."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from wdw_build.annotation.score.records import Seconds, Share
from wdw_build.core.intervals import wilson

_DIGITS = 4


def rounded(value: float | None) -> float | None:
    """A value with four decimals."""
    return None if value is None else round(value, _DIGITS)


def share(part: int, whole: int, effective: float | None = None) -> Share:
    """A share with Wilson's interval (Wilson 1927); ``effective``: the effective number of cases, if they are dependent."""
    number = whole if effective is None else effective
    low, high = wilson(part * number / whole if whole else 0, number if whole else 0)
    return Share(
        part=part,
        whole=whole,
        share=rounded(part / whole) if whole else None,
        interval=(round(low, _DIGITS), round(high, _DIGITS)),
    )


def clustered_share(counts: Iterable[tuple[int, int]]) -> Share:
    """The share of all judgements from (judgements that count, judgements) of each problem.

    Judgements of one problem are not independent: a hard problem is hard for everybody. The interval is Wilson's with the
    effective number of judgements n = p (1 - p) / v (Dean & Pagano 2015), where v = sum (x_i - p m_i)^2 / M^2 is the variance
    of the share p of M judgements in clusters, x_i of m_i in problem i (Cochran 1977, chapter 3, for many clusters). So n is
    the number of problems if all persons always agree, and for one person the interval is Wilson's. n is at most M (Korn &
    Graubard 1998). If p is 0 or 1, v is unknown, and n is the number of problems.
    """
    judged = [(part, whole) for part, whole in counts if whole]
    part, whole = sum(part for part, _ in judged), sum(whole for _, whole in judged)
    if part in (0, whole):
        return share(part, whole, len(judged))
    p = part / whole
    variance = sum((right - p * count) ** 2 for right, count in judged) / whole**2
    return share(part, whole, min(whole, p * (1 - p) / variance) if variance else whole)


def seconds_of(values: Sequence[float]) -> Seconds | None:
    """Median, quartiles and sum of times; None without times."""
    if not values:
        return None
    # One value is its own quartiles.
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    return Seconds(
        problems=len(values),
        median=round(median, 1),
        lower_quartile=round(lower, 1),
        upper_quartile=round(upper, 1),
        total=round(sum(values), 1),
    )
