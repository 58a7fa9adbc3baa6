"""Probes for artefacts: systems that see only a part of the problem. One that beats chance has found an artefact.

After Kaushik & Lipton (2018), *How Much Reading Does Reading Comprehension Require?*, and Dasigi et al. (2019), *QUOREF*,
section 4.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, System, SystemEntry, TrainingContext
from wdw_build.reading.probes import features
from wdw_build.reading.probes.features import first_mention_ranks, frequency_ranks, name_key
from wdw_build.reading.probes.log_linear import LogLinearRanker, ranker

_KAUSHIK = "Kaushik & Lipton (2018)"
_ONISHI = "Onishi et al. (2016)"
Ranks = Callable[[ReadingProblem], Sequence[int]]
"""The rank of each choice of a problem, from 0."""


def positions(problem: ReadingProblem) -> Sequence[int]:
    """The index of each choice in the problem."""
    return range(len(problem.choices))


class RankProbe:
    """Chooses the rank that is most often right in training among as many choices."""

    def __init__(self, ranks: Ranks) -> None:
        self._ranks = ranks
        self._counts = Counter[tuple[int, int]]()
        """How often the answer has each rank: (number of choices, rank) -> count."""

    @property
    def parameters(self) -> int:
        """The number of counts."""
        return len(self._counts)

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Count the ranks of the answers."""
        self._counts.clear()
        for example in training:
            ranks = self._ranks(example.problem)
            self._counts[len(ranks), ranks[example.answer]] += 1

    def shares(self, problem: ReadingProblem) -> list[float]:
        """For each choice, the share of training answers that have its rank, 0 to 1.

        If no training problem has that number of choices, the shares are of all training problems.
        """
        ranks = self._ranks(problem)
        counts, of_all = Counter[int](), Counter[int]()
        for (choices, rank), count in self._counts.items():
            of_all[rank] += count
            if choices == len(ranks):
                counts[rank] += count
        counts = counts or of_all
        return [counts[rank] / (counts.total() or 1) for rank in ranks]

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """The score of a choice is the share of training answers with its rank."""
        for problem in problems:
            yield Prediction(tuple(self.shares(problem)))


class CommonestAnswer(RankProbe):
    """Chooses the name that is most often the answer in training; equal names by their position's share of answers."""

    def __init__(self) -> None:
        super().__init__(positions)
        self._names = Counter[str]()

    @property
    def parameters(self) -> int:
        """The number of counts."""
        return len(self._names) + super().parameters

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Count the positions and the names of the answers."""
        super().fit(training, validation, workspace)
        self._names = Counter(name_key(example.problem.choices[example.answer]) for example in training)

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """The score of a choice is the count of its name, plus half the share of its position."""
        for problem in problems:
            counts = [self._names[name_key(choice)] for choice in problem.choices]
            pairs = zip(counts, self.shares(problem), strict=True)
            yield Prediction(tuple(count + share / 2 for count, share in pairs))


def _probe(name: str, title: str, source: str, make: Callable[[Any], System], **fields: Any) -> SystemEntry:
    return SystemEntry(name=name, title=title, source=source, group="probe", make=make, trained=True, **fields)


ANSWER_POSITION = _probe("answer-position", "Answer position", _KAUSHIK, lambda settings: RankProbe(positions))
COMMONEST_ANSWER = _probe(
    "commonest-answer", "Commonest answer of training", _KAUSHIK, lambda settings: CommonestAnswer()
)
FIRST_BY_COUNT = _probe(
    "first-by-count",
    "Rank by first mention, given the number of choices",
    _ONISHI,
    lambda settings: RankProbe(first_mention_ranks),
)
FREQUENT_BY_COUNT = _probe(
    "frequent-by-count",
    "Rank by frequency, given the number of choices",
    _ONISHI,
    lambda settings: RankProbe(frequency_ranks),
)
CHOICES_ONLY = ranker(
    "choices-only", "Choices only", _KAUSHIK, lambda settings: LogLinearRanker(features.choices_only, settings)
)
QUESTION_ONLY = ranker(
    "question-only",
    "Question and choices only",
    _KAUSHIK,
    lambda settings: LogLinearRanker(features.question_only, settings),
)
PASSAGE_ONLY = ranker(
    "passage-only",
    "Passage and choices only",
    _KAUSHIK,
    lambda settings: LogLinearRanker(features.passage_only, settings),
)
