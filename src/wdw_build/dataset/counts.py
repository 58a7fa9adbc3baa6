"""Counts over the problems of a run, made in one pass: summary, report and datasheet are computed from them.

Counts are integers by value, so that they add up to the same totals in any order. Memory grows with the
number of different values, such as names, not with the number of problems.
"""

from __future__ import annotations

import datetime as dt
import functools
import heapq
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Generic, TypeVar

from wdw_build.core.hashing import uniform_hash
from wdw_build.core.progress import Progress
from wdw_build.dataset.cells import AdversaryCounts, CellCounts
from wdw_build.dataset.problems import PARTS, RELAXED_ONLY, SPLITS, TRAIN, TRAIN_RELAXED, JoinedProblem
from wdw_build.dataset.run import Run
from wdw_build.records import Problem, ProblemAlternatives

T = TypeVar("T")


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


class DatasetCounts:
    """The counts of a run.

    ``parts`` of the dataset do not overlap (``PARTS``). ``cells`` and ``adversaries`` count all problems; the adversaries are
    those that the configuration names, and the other predictors are baselines. ``best_events`` counts articles after
    deduplication by the highest event score of their passages, ``strict_events`` strict problems by their event score.
    """

    def __init__(self, adversaries: Collection[str]) -> None:
        self.parts = {name: SplitCounts() for name in PARTS}
        self.cells = CellCounts()
        self.adversaries = AdversaryCounts(adversaries)
        self.best_events: Counter[float] = Counter()
        self.strict_events: Counter[float] = Counter()

    def add(self, joined: JoinedProblem) -> None:
        """Count a problem after deduplication."""
        if joined.predictions is not None and joined.first_predictions is not None:
            self.cells.add(joined.first_predictions, joined.suppression)
            self.adversaries.add(joined.first_predictions, joined.predictions, joined.suppression)
        if joined.suppression is not None and joined.suppression.strict and joined.problem.event_score is not None:
            self.strict_events[joined.problem.event_score] += 1
        if joined.part:
            self.parts[joined.part].add(joined.problem)

    def add_passages(self, record: ProblemAlternatives) -> None:
        """Count an article after deduplication by its best passage; passages without an event score do not count."""
        scores = [passage.event_score for passage in record.passages if passage.event_score is not None]
        if scores:
            self.best_events[max(scores)] += 1

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
    """Count the problems of a run, in one pass in which ``observers`` are also given every problem after deduplication.

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
    for record in run.alternatives:
        counts.add_passages(record)
    return counts


# ---- samples ----------------------------------------------------------------------------------------------------------


class HashSample(Generic[T]):
    """Bottom-k sample: keeps the ``count`` values whose names have the lowest hashes under ``seed`` and ``purpose``.

    Memory holds ``count`` values. Samples with different purposes are independent of each other.

    >>> sample = HashSample(2, seed=0, purpose="report")
    >>> for article in run.articles: sample.offer(article.id, article)
    >>> sample.by_name()
    """

    def __init__(self, count: int, seed: int, purpose: str) -> None:
        self._count, self._seed, self._purpose = count, seed, purpose
        self.offered = 0
        # Hashes are negated, so the first entry of the heap has the highest hash and is dropped next. A number orders equal names.
        self._kept: list[tuple[float, str, int, T]] = []

    def offer(self, name: str, value: T) -> None:
        """Keep ``value`` if the hash of its name is among the lowest so far."""
        self.offered += 1
        entry = (-uniform_hash(self._seed, self._purpose, name), name, self.offered, value)
        if len(self._kept) < self._count:
            heapq.heappush(self._kept, entry)
        elif self._kept and entry[:3] > self._kept[0][:3]:
            heapq.heapreplace(self._kept, entry)

    def by_name(self) -> list[T]:
        """The values, sorted by name."""
        return [value for *_, value in sorted(self._kept, key=lambda entry: entry[1:3])]

    def by_hash(self) -> list[T]:
        """The values in random order: from the lowest hash to the highest."""
        return [value for *_, value in sorted(self._kept, key=lambda entry: (-entry[0], entry[1], entry[2]))]
