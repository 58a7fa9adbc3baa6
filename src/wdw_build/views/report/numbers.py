"""The problems in numbers, added up one by one: counters only, so that any number of problems fits."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from wdw_build.records import BaselinePredictions, Problem, SplitAssignment, SuppressionDecision
from wdw_build.stages.suppress import cell_of

GROUPS = ("train", "relaxed only", "validation", "test")
_SINGLE = 31
_BINS = 24
_TAIL = 0.995


@dataclass(frozen=True)
class Bin:
    """A bar of a histogram. ``expected`` is what the bar would be if chance alone decided, where that is known."""

    label: str
    count: int
    expected: float | None = None


class Histogram(NamedTuple):
    """Bars, and what the numbers behind them are."""

    title: str
    unit: str
    bins: tuple[Bin, ...]
    note: str = ""


class Problems:
    """All problems of the dataset, strict and relaxed."""

    def __init__(self) -> None:
        self.choices: Counter[int] = Counter()
        self.answers: Counter[tuple[int, int]] = Counter()
        self.passage: Counter[int] = Counter()
        self.question: Counter[int] = Counter()
        self.days: Counter[int] = Counter()
        self.score: Counter[int] = Counter()
        self.event: Counter[int] = Counter()
        self.sources: dict[str, Counter[str]] = {"question": Counter(), "passage": Counter()}
        self.months: dict[str, Counter[str]] = defaultdict(Counter)
        self.last_training: dt.date | None = None
        self.first_held_out: dt.date | None = None

    def add(self, placed: SplitAssignment, problem: Problem) -> None:
        """Count one problem."""
        self.choices[len(problem.choices)] += 1
        self.answers[problem.answer, len(problem.choices)] += 1
        self.passage[problem.passage.tokens] += 1
        self.question[len(problem.question.tokens)] += 1
        self.days[(problem.passage.date - problem.question.date).days] += 1
        self.score[math.floor(problem.score)] += 1
        if problem.event_score is not None:
            self.event[round(100 * problem.event_score)] += 1
        self.sources["question"][problem.question.source] += 1
        self.sources["passage"][problem.passage.source] += 1
        group = "relaxed only" if placed.level == "relaxed" else placed.split
        self.months[f"{placed.date:%Y-%m}"][group] += 1
        if placed.split == "train":
            self.last_training = max(self.last_training or placed.date, placed.date)
        else:
            self.first_held_out = min(self.first_held_out or placed.date, placed.date)

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(self.choices.values())

    def histograms(self) -> list[Histogram]:
        """One for each number; positions of the answer with what an even spread would give."""
        return [
            histogram("Choices", "choices a problem", self.choices),
            self._positions(),
            histogram("Passage length", "tokens", self.passage),
            histogram("Question length", "tokens", self.question),
            histogram("From question to passage", "days; negative: the passage is older", self.days),
            histogram("BM25 score of the passage", "score, rounded down", self.score),
            *([histogram("Event score of the passage", "hundredths", self.event)] if self.event else []),
        ]

    def _positions(self) -> Histogram:
        counts: Counter[int] = Counter()
        even: dict[int, float] = defaultdict(float)
        for (answer, choices), count in self.answers.items():
            counts[answer + 1] += count
            for at in range(choices):
                even[at + 1] += count / choices
        bins = tuple(Bin(str(at), counts[at], even[at]) for at in sorted(even))
        return Histogram("Position of the answer", "order of first mention; dashes: an even spread", bins)

    def by_month(self) -> list[tuple[str, tuple[int, ...]]]:
        """Every month from the first to the last, empty ones included, with the problems of each of ``GROUPS``."""
        known = sorted(self.months)
        if not known:
            return []
        first, last = (int(month[:4]) * 12 + int(month[5:]) - 1 for month in (known[0], known[-1]))
        names = (f"{at // 12:04}-{at % 12 + 1:02}" for at in range(first, last + 1))
        return [
            (name, tuple(self.months[name][group] if name in self.months else 0 for group in GROUPS)) for name in names
        ]


def histogram(title: str, unit: str, counts: Mapping[int, int]) -> Histogram:
    """Whole numbers as bars: one each where they are few, else ranges of a round width; the far tail is one bar."""
    if not counts:
        return Histogram(title, unit, ())
    low, high = min(counts), max(counts)
    note = f"median {_quantile(counts, 0.5)}, mean {_mean(counts):.1f}, from {low} to {high}"
    if high - low < _SINGLE:
        return Histogram(title, unit, tuple(Bin(str(at), counts.get(at, 0)) for at in range(low, high + 1)), note)
    top = _quantile(counts, _TAIL)
    width = _round_width((top - low + 1) / _BINS)
    start = low // width * width
    bars: Counter[int] = Counter()
    last = (top - start) // width
    for value, count in counts.items():
        bars[min((value - start) // width, last)] += count
    labels = [
        _range(start + at * width, width, open_=at == last and high >= start + (at + 1) * width)
        for at in range(last + 1)
    ]
    return Histogram(title, unit, tuple(Bin(label, bars[at]) for at, label in enumerate(labels)), note)


def _range(first: int, width: int, *, open_: bool) -> str:
    if open_:
        return f"{first} or more"
    return str(first) if width == 1 else f"{first} to {first + width - 1}"


def _round_width(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, … that is not below ``least``."""
    power = int(10 ** max(0, math.floor(math.log10(max(least, 1)))))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def _quantile(counts: Mapping[int, int], share: float) -> int:
    wanted, seen = share * sum(counts.values()), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            break
    return value


def _mean(counts: Mapping[int, int]) -> float:
    return sum(value * count for value, count in counts.items()) / sum(counts.values())


class Cell(NamedTuple):
    """A cell of the linear programme. Rates are unknown where nothing of the cell was kept."""

    problems: int
    strict: int
    relaxed: int
    strict_rate: float | None
    relaxed_rate: float | None


class Cells:
    """All cells, by pattern and number of choices; a pattern has a 1 for each baseline that solved the problem."""

    def __init__(self) -> None:
        self.baselines: tuple[str, ...] = ()
        self._problems: Counter[tuple[str, int]] = Counter()
        self._kept: Counter[tuple[str, int, bool]] = Counter()
        self._rates: dict[tuple[str, int], tuple[float, float]] = {}

    def add(self, guesses: BaselinePredictions) -> None:
        """Count a problem."""
        self.baselines = tuple(guesses.guesses)
        cell = cell_of(guesses)
        self._problems[cell.pattern, cell.choices] += 1

    def keep(self, kept: SuppressionDecision) -> None:
        """Count a problem that was kept."""
        self._kept[kept.cell, kept.choices, kept.strict] += 1
        self._rates[kept.cell, kept.choices] = kept.strict_rate, kept.relaxed_rate

    @property
    def choices(self) -> list[int]:
        """The numbers of choices that occur."""
        return sorted({choices for _, choices in self._problems})

    @property
    def rows(self) -> dict[str, dict[int, Cell]]:
        """Pattern -> number of choices -> cell; those that few baselines solved first."""
        rows: dict[str, dict[int, Cell]] = defaultdict(dict)
        for pattern, choices in sorted(self._problems, key=lambda key: (key[0].count("1"), key)):
            strict, more = (self._kept[pattern, choices, level] for level in (True, False))
            rates = self._rates.get((pattern, choices), (None, None))
            rows[pattern][choices] = Cell(self._problems[pattern, choices], strict, strict + more, *rates)
        return rows
