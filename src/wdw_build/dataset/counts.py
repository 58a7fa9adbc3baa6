"""Counts over the problems of a run, made in one pass: summary, report and card are computed from them.

Counts are integers by value, so that they add up to the same totals in any order. Memory grows with the
number of different values, such as names, not with the number of problems.
"""

from __future__ import annotations

import datetime as dt
import functools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from wdw_build.core.run.progress import Progress
from wdw_build.dataset.problems import PARTS, RELAXED_ONLY, SPLITS, TRAIN, TRAIN_RELAXED, JoinedProblem
from wdw_build.dataset.run import Run
from wdw_build.records import AdversaryPredictions, Problem, SuppressionDecision
from wdw_build.stages.suppress import cell_of


def most_frequent_first(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """(name, count) pairs by decreasing count, equal counts by name."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def mean(counts: Mapping[int, int]) -> float:
    """The mean of values that are given with their frequencies; 0 if there are none."""
    return sum(value * count for value, count in counts.items()) / max(1, sum(counts.values()))


class SplitCounts:
    """Counts over the problems of one split, or of several splits added together."""

    def __init__(self) -> None:
        self.problems = 0
        self.positions: Counter[tuple[int, int]] = Counter()
        """(index of the answer, number of choices) -> problems."""
        self.passage_tokens: Counter[int] = Counter()
        self.question_tokens: Counter[int] = Counter()
        self.windows: Counter[int] = Counter()
        self.days_apart: Counter[int] = Counter()
        """Days from question to passage, negative for an older passage -> problems."""
        self.scores: Counter[int] = Counter()
        """BM25 score of the passage, rounded down -> problems."""
        self.event_scores: Counter[float] = Counter()
        self.question_days: Counter[dt.date] = Counter()
        self.passage_days: Counter[dt.date] = Counter()
        self.question_sources: Counter[str] = Counter()
        self.passage_sources: Counter[str] = Counter()
        self.same_source = 0
        self.question_persons = 0
        self.choice_mentions = 0
        self.choice_names: Counter[str] = Counter()
        self.answer_names: Counter[str] = Counter()

    def add(self, problem: Problem) -> None:
        """Count a problem."""
        question, passage, choices = problem.question, problem.passage, problem.choices
        self.problems += 1
        self.positions[problem.answer, len(choices)] += 1
        self.passage_tokens[passage.tokens] += 1
        self.question_tokens[len(question.tokens)] += 1
        self.windows[problem.window] += 1
        self.days_apart[(passage.date - question.date).days] += 1
        self.scores[math.floor(problem.score)] += 1
        if problem.event_score is not None:
            self.event_scores[problem.event_score] += 1
        self.question_days[question.date] += 1
        self.passage_days[passage.date] += 1
        self.question_sources[question.source] += 1
        self.passage_sources[passage.source] += 1
        self.same_source += question.source == passage.source
        self.question_persons += 1 + len(question.others)
        self.choice_mentions += sum(len(choice.mentions) for choice in choices)
        self.choice_names.update(choice.name for choice in choices)
        self.answer_names[choices[problem.answer].name] += 1

    def __add__(self, other: SplitCounts) -> SplitCounts:
        total = SplitCounts()
        for name, value in vars(self).items():
            setattr(total, name, value + getattr(other, name))
        return total

    @property
    def choices(self) -> Counter[int]:
        """Number of choices -> problems."""
        sizes: Counter[int] = Counter()
        for (_, size), count in self.positions.items():
            sizes[size] += count
        return sizes

    @property
    def months(self) -> Counter[str]:
        """Month of the question (``YYYY-MM``) -> problems."""
        months: Counter[str] = Counter()
        for day, count in self.question_days.items():
            months[f"{day:%Y-%m}"] += count
        return months

    @property
    def first_day(self) -> dt.date | None:
        """The day of the earliest question."""
        return min(self.question_days, default=None)

    @property
    def last_day(self) -> dt.date | None:
        """The day of the latest question."""
        return max(self.question_days, default=None)


class CellTotals(NamedTuple):
    """The problems of one cell; ``relaxed`` includes ``strict``. The rates are unknown if no problem of the cell was kept."""

    problems: int
    strict: int
    relaxed: int
    strict_rate: float | None
    relaxed_rate: float | None


class AdversaryCounts:
    """Counts of the problems that ``adversaries`` answered."""

    def __init__(self, adversaries: Collection[str]) -> None:
        self._adversaries = adversaries
        self._counts: Counter[_Judged] = Counter()

    def add(self, predictions: AdversaryPredictions, decision: SuppressionDecision | None) -> None:
        """Count a problem for each adversary; without a decision it was suppressed."""
        level = "suppressed" if decision is None else "strict" if decision.strict else "relaxed"
        for name, guess in predictions.guesses.items():
            if name in self._adversaries:
                is_right, is_bounded = guess == predictions.answer, name not in predictions.unbounded
                self._counts[_Judged(name, is_bounded, level, predictions.choices, is_right)] += 1

    @property
    def names(self) -> list[str]:
        """The adversaries."""
        return sorted({judged.name for judged in self._counts})

    def means(self, name: str, bounded: bool, value: Callable[[int, bool], float]) -> tuple[float, float, float]:
        """The mean of ``value(choices, solved)`` over all, strict, and kept problems, as ``CellCounts.mean``.

        The problems are those that the adversary's bound counts, or those that it does not count.
        """
        rows = [
            (value(judged.choices, judged.right), judged.level, count)
            for judged, count in sorted(self._counts.items())
            if (judged.name, judged.bounded) == (name, bounded)
        ]
        return (
            _mean((value, count) for value, _, count in rows),
            _mean((value, count) for value, level, count in rows if level == "strict"),
            _mean((value, count) for value, level, count in rows if level != "suppressed"),
        )

    def problems(self, name: str, bounded: bool) -> int:
        """The number of problems that the adversary's bound counts, or does not count, before suppression."""
        return sum(count for judged, count in self._counts.items() if (judged.name, judged.bounded) == (name, bounded))


class _Judged(NamedTuple):
    """What is counted of a problem that an adversary answered."""

    name: str
    bounded: bool
    level: str
    choices: int
    right: bool


class CellCounts:
    """Counts by cell of the linear program: a pattern (1 for each baseline that solved the problem) and a number of choices."""

    def __init__(self) -> None:
        self.baselines: tuple[str, ...] = ()
        """The baselines, then the adversaries: one for each digit of a pattern."""
        self._problems: Counter[tuple[str, int]] = Counter()
        self._kept: Counter[tuple[str, int, bool]] = Counter()
        self._rates: dict[tuple[str, int], tuple[float, float]] = {}

    def add(self, predictions: AdversaryPredictions, decision: SuppressionDecision | None) -> None:
        """Count a problem; without a decision it was suppressed."""
        self.baselines = tuple(predictions.guesses)
        cell = cell_of(predictions)
        self._problems[cell.pattern, cell.choices] += 1
        if decision is not None:
            self._kept[decision.cell, decision.choices, decision.strict] += 1
            self._rates[decision.cell, decision.choices] = decision.strict_rate, decision.relaxed_rate

    @property
    def choices(self) -> list[int]:
        """The numbers of choices that occur."""
        return sorted({choices for _, choices in self._problems})

    @property
    def strict(self) -> int:
        """Problems that the strict level keeps."""
        return sum(count for (_, _, strict), count in self._kept.items() if strict)

    @property
    def rows(self) -> dict[str, dict[int, CellTotals]]:
        """Pattern -> number of choices -> totals; patterns with few solving baselines come first."""
        rows: dict[str, dict[int, CellTotals]] = defaultdict(dict)
        for pattern, choices in sorted(self._problems, key=lambda key: (key[0].count("1"), key)):
            strict, more = (self._kept[pattern, choices, level] for level in (True, False))
            rates = self._rates.get((pattern, choices), (None, None))
            rows[pattern][choices] = CellTotals(self._problems[pattern, choices], strict, strict + more, *rates)
        return rows

    def mean(self, value: Callable[[str, int], float]) -> tuple[float, float, float]:
        """The mean of ``value(pattern, choices)`` over all, strict, and kept problems; 0 if there are none."""
        cells = [(value(pattern, size), cell) for pattern, row in self.rows.items() for size, cell in row.items()]
        return (
            _mean((value, cell.problems) for value, cell in cells),
            _mean((value, cell.strict) for value, cell in cells),
            _mean((value, cell.relaxed) for value, cell in cells),
        )


def _mean(weighted: Iterable[tuple[float, int]]) -> float:
    pairs = [(value, count) for value, count in weighted if count]
    total = sum(count for _, count in pairs)
    return math.fsum(value * count for value, count in pairs) / total if total else 0.0


class DatasetCounts:
    """The counts of a run.

    ``parts`` of the dataset do not overlap (``PARTS``). ``cells`` and ``adversaries`` count all problems; the adversaries are
    those that the configuration names, and the other predictors are baselines.
    """

    def __init__(self, adversaries: Collection[str]) -> None:
        self.parts = {name: SplitCounts() for name in PARTS}
        self.cells = CellCounts()
        self.adversaries = AdversaryCounts(adversaries)

    def add(self, joined: JoinedProblem) -> None:
        """Count a problem after deduplication."""
        if joined.predictions is not None:
            self.cells.add(joined.predictions, joined.suppression)
            self.adversaries.add(joined.predictions, joined.suppression)
        if joined.part:
            self.parts[joined.part].add(joined.problem)

    @functools.cached_property
    def splits(self) -> dict[str, SplitCounts]:
        """The counts of each split of ``SPLITS``; added up on first use, after the pass."""
        both = self.parts[TRAIN] + self.parts[RELAXED_ONLY]
        return {name: both if name == TRAIN_RELAXED else self.parts[name] for name in SPLITS}

    @functools.cached_property
    def dataset(self) -> SplitCounts:
        """The counts of the whole dataset, strict and relaxed."""
        return sum(self.parts.values(), SplitCounts())


def count_dataset(
    run: Run, progress: Progress, observers: Iterable[Callable[[JoinedProblem], None]] = (), label: str = "count"
) -> DatasetCounts:
    """Count the problems of a run in one pass, in which ``observers`` are also given every problem after deduplication.

    ``label`` names the pass in the progress bar.

    >>> counts = count_dataset(run, progress)
    >>> counts.splits["test"].choices            # number of choices -> problems
    Counter({2: 310, 3: 204, 4: 120, 5: 61})
    """
    counts, observers = DatasetCounts(run.predictions.settings.systems), tuple(observers)
    with progress.bar(label, len(run.distinct_problems), "problems") as bar:
        for joined in run.joined_problems():
            counts.add(joined)
            for observe in observers:
                observe(joined)
            bar.advance()
    return counts
