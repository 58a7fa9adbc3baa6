"""Shares with their intervals, means with theirs, the agreement of people who labelled the same units, and tables of them.

The owner's pages and the terminal show the same tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from wdw_build.api import printable, table, wilson

_DIGITS = 4
_RESAMPLES = 2000
_NO_UNITS = "nobody labelled the same units"
_ONE_LABEL = "only one label occurs, so that chance agreement is 1"


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """A share with its 95% interval."""

    part: float
    """Number of cases that are counted; of k tied answers, each counts 1/k."""
    whole: int
    """Number of cases."""
    share: float | None
    """`part` over `whole`; null without cases."""
    interval: tuple[float, float]
    """95% interval: Wilson's. If several persons judged a problem, the number of judgements is replaced by the effective
    one, because judgements of one problem are not independent."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of several people, who give each unit one label."""

    units: int
    """Units that at least two people labelled."""
    same: float | None
    """Share of equal labels among the pairs of labels of a unit; null without such units."""
    alpha: float | None
    """Krippendorff's alpha for nominal labels; null if it is undefined."""
    undefined: str
    """Why `alpha` is null; empty otherwise."""


def rounded(value: float) -> float:
    """A value with four decimals."""
    return round(value, _DIGITS)


def share(part: float, whole: int, effective: float | None = None) -> Share:
    """A share with Wilson's interval; ``effective``: the effective number of cases, if they are dependent."""
    number = whole if effective is None else effective
    low, high = wilson(part * number / whole if whole else 0, number if whole else 0)
    value = rounded(part / whole) if whole else None
    return Share(part=part, whole=whole, share=value, interval=(rounded(low), rounded(high)))


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


def clustered_mean(values: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """The mean of all values with its 95% percentile interval; whole groups are drawn, since values of one go together."""
    import numpy as np
    from scipy import stats

    sums, counts = np.array([sum(group) for group in values]), np.array([len(group) for group in values])
    mean = rounded(float(sums.sum() / counts.sum()))
    if len(values) == 1:
        return mean, mean, mean
    drawn = stats.bootstrap(
        (sums, counts),
        lambda sums, counts, axis: sums.sum(axis=axis) / counts.sum(axis=axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=_RESAMPLES,
        rng=np.random.default_rng(0),
    ).confidence_interval
    return mean, rounded(float(drawn.low)), rounded(float(drawn.high))


def agreement(people: Mapping[str, Mapping[str, Hashable]]) -> Agreement:
    """The agreement of people on the label of each unit, by person and unit. Missing labels are left out."""
    import krippendorff
    import numpy as np

    by_unit: dict[str, Counter[Hashable]] = {}
    for labels in people.values():
        for unit, label in labels.items():
            by_unit.setdefault(unit, Counter())[label] += 1
    paired = [counts for counts in by_unit.values() if counts.total() > 1]
    if not paired:
        return Agreement(units=0, same=None, alpha=None, undefined=_NO_UNITS)
    names = list(dict.fromkeys(label for counts in paired for label in counts))
    # A unit with m labels weighs each of its pairs by 1 / (m - 1).
    equal = sum(sum(n * (n - 1) for n in counts.values()) / (counts.total() - 1) for counts in paired)
    same = rounded(equal / sum(counts.total() for counts in paired))
    if len(names) == 1:
        return Agreement(units=len(paired), same=same, alpha=None, undefined=_ONE_LABEL)
    value_counts = np.array([[counts[name] for name in names] for counts in paired])
    alpha = krippendorff.alpha(value_counts=value_counts, level_of_measurement="nominal")
    return Agreement(units=len(paired), same=same, alpha=rounded(float(alpha)), undefined="")


# ---- tables ----------------------------------------------------------------------------------------------------------

NONE = "-"


class ScoreTable(NamedTuple):
    """A table: its heading, the heads of its columns, and rows whose first cell names the row."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def number(value: float | None) -> str:
    """A figure with three decimals."""
    return NONE if value is None else f"{value:.3f}"


def shown(share: Share | None) -> str:
    """A share with its interval and counts."""
    if share is None or share.share is None:
        return NONE
    low, high = share.interval
    return f"{number(share.share)} ({number(low)} to {number(high)}; {share.part:g} of {share.whole})"


def agreed(agreement: Agreement) -> tuple[str, str]:
    """The cells "same" and "alpha"."""
    return number(agreement.same), number(agreement.alpha)


def as_text(tables: Iterable[ScoreTable]) -> str:
    """The tables for the terminal, with an empty line between; those without rows are left out."""
    return "\n\n".join(
        f"{printable(scores.title)}\n{table.terminal(table.Table(scores.heads, scores.rows, words=len(scores.heads)))}"
        for scores in tables
        if scores.rows
    )
