"""Histograms of the dataset's problems, computed from their counts."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from wdw_build.dataset import SplitCounts, mean

_SINGLE = 31
_BINS = 24
_TAIL = 0.995


@dataclass(frozen=True)
class Bin:
    """A bar of a histogram. ``expected`` is the height expected by chance; None if unknown."""

    label: str
    count: int
    expected: float | None = None


class Histogram(NamedTuple):
    """Bars with a title and the unit of the labels; ``note`` gives median, mean and range."""

    title: str
    unit: str
    bins: tuple[Bin, ...]
    note: str = ""


def histograms(dataset: SplitCounts) -> list[Histogram]:
    """One histogram for each numeric property of a problem; event scores only if a scorer ran."""
    hundredths: Counter[int] = Counter()
    for score, count in dataset.event_scores.items():
        hundredths[round(100 * score)] += count
    return [
        histogram("Choices", "choices a problem", dataset.choices),
        _positions(dataset),
        histogram("Passage length", "tokens", dataset.passage_tokens),
        histogram("Question length", "tokens", dataset.question_tokens),
        histogram("From question to passage", "days; negative: the passage is older", dataset.days_apart),
        histogram("BM25 score of the passage", "score, rounded down", dataset.scores),
        *([histogram("Event score of the passage", "hundredths", hundredths)] if hundredths else []),
    ]


def _positions(dataset: SplitCounts) -> Histogram:
    counts: Counter[int] = Counter()
    even: dict[int, float] = defaultdict(float)
    for (answer, choices), count in dataset.positions.items():
        counts[answer + 1] += count
        for position in range(1, choices + 1):
            even[position] += count / choices
    bins = tuple(Bin(str(position), counts[position], even[position]) for position in sorted(even))
    return Histogram("Position of the answer", "order of first mention; dashes: an even spread", bins)


def by_month(parts: Mapping[str, SplitCounts]) -> list[tuple[str, tuple[int, ...]]]:
    """(month, problems of each part) of every month from the first to the last, months without a problem included."""
    months = [part.months for part in parts.values()]
    known = sorted(set().union(*months))
    if not known:
        return []
    first, last = (int(month[:4]) * 12 + int(month[5:]) - 1 for month in (known[0], known[-1]))
    names = (f"{month // 12:04}-{month % 12 + 1:02}" for month in range(first, last + 1))
    return [(name, tuple(counts[name] for counts in months)) for name in names]


def histogram(title: str, unit: str, counts: Mapping[int, int]) -> Histogram:
    """A histogram of whole numbers: one bar for each value; if there are many values, bars for ranges of a round width.

    With ranges, the last bar holds all values beyond the 99.5th percentile.
    """
    if not counts:
        return Histogram(title, unit, ())
    low, high = min(counts), max(counts)
    note = f"median {_quantile(counts, 0.5)}, mean {mean(counts):.1f}, from {low} to {high}"
    if high - low < _SINGLE:
        return Histogram(
            title, unit, tuple(Bin(str(value), counts.get(value, 0)) for value in range(low, high + 1)), note
        )
    top = _quantile(counts, _TAIL)
    least = (top - low + 1) / _BINS
    power = int(10 ** max(0, math.floor(math.log10(max(least, 1)))))
    # The smallest of 1, 2, 5, 10, 20, … that is not below the least width.
    width = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)
    start = low // width * width
    bars: Counter[int] = Counter()
    last = (top - start) // width
    for value, count in counts.items():
        bars[min((value - start) // width, last)] += count
    lows = range(start, start + (last + 1) * width, width)
    labels = [str(low) if width == 1 else f"{low} to {low + width - 1}" for low in lows]
    if high >= lows[-1] + width:
        labels[-1] = f"{lows[-1]} or more"
    return Histogram(title, unit, tuple(Bin(label, bars[index]) for index, label in enumerate(labels)), note)


def _quantile(counts: Mapping[int, int], share: float) -> int:
    wanted, seen = share * sum(counts.values()), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            break
    return value
