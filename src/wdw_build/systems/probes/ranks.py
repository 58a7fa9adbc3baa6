"""Probes that answer by the rank of a choice: the rank that is most often right in training, given the number of choices."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, Workspace

_FILE = "ranks.json"
Ranks = Callable[[ReadingProblem], Sequence[int]]
"""The rank of each choice of a problem, from 0."""


def positions(problem: ReadingProblem) -> Sequence[int]:
    """The index of each choice in the problem."""
    return range(len(problem.choices))


def first_mention_ranks(problem: ReadingProblem) -> Sequence[int]:
    """0 for the choice that the passage mentions first, and so on; choices without mentions come last."""
    end = len(problem.token_layout)
    return _ranks([choice.mentions[0][0] if choice.mentions else end for choice in problem.choices])


def frequency_ranks(problem: ReadingProblem) -> Sequence[int]:
    """0 for the choice with most mentions in the passage, and so on; equal ones in the order of the choices."""
    return _ranks([-len(choice.mentions) for choice in problem.choices])


def _ranks(keys: Sequence[int]) -> list[int]:
    """The place of each key among the sorted keys; equal keys keep their order."""
    ordered = sorted(range(len(keys)), key=keys.__getitem__)
    return [place for _, place in sorted(zip(ordered, range(len(keys)), strict=True))]


class RankFrequencies:
    """How often the answer has each rank, by the number of choices."""

    def __init__(self) -> None:
        self.counts: dict[int, Counter[int]] = {}

    def add(self, choices: int, rank: int) -> None:
        """Count an answer of this rank among so many choices."""
        self.counts.setdefault(choices, Counter())[rank] += 1

    def shares(self, ranks: Sequence[int]) -> list[float]:
        """For each choice's rank, the share of training answers that have it, 0 to 1.

        If no training problem has that number of choices, the shares are of all training problems.
        """
        counts = self.counts.get(len(ranks)) or sum(self.counts.values(), Counter[int]())
        return [counts[rank] / (counts.total() or 1) for rank in ranks]

    @property
    def parameters(self) -> int:
        """The number of counts."""
        return sum(map(len, self.counts.values()))

    def to_json(self) -> dict[str, dict[str, int]]:
        """The counts by number of choices and rank."""
        return {
            str(n): {str(rank): count for rank, count in sorted(row.items())} for n, row in sorted(self.counts.items())
        }

    @classmethod
    def from_json(cls, saved: dict[str, dict[str, int]]) -> RankFrequencies:
        """The frequencies that ``to_json`` returned."""
        frequencies = cls()
        for choices, row in saved.items():
            frequencies.counts[int(choices)] = Counter({int(rank): count for rank, count in row.items()})
        return frequencies


class RankProbe:
    """Chooses the rank that is most often right in training among as many choices."""

    def __init__(self, ranks: Ranks) -> None:
        self._ranks = ranks
        self._frequencies = RankFrequencies()

    @property
    def parameters(self) -> int:
        """See ``System.parameters``: the number of counts."""
        return self._frequencies.parameters

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: Workspace) -> None:
        """Count the ranks of the answers."""
        self._frequencies = RankFrequencies()
        for example in training:
            ranks = self._ranks(example.problem)
            self._frequencies.add(len(ranks), ranks[example.answer])

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``: the score is the share of answers with the rank of the choice."""
        for problem in problems:
            yield Prediction(tuple(self._frequencies.shares(self._ranks(problem))))

    def save(self, folder: Path) -> None:
        """See ``System.save``."""
        (folder / _FILE).write_text(json.dumps(self._frequencies.to_json()), encoding="utf-8")

    def load(self, folder: Path, workspace: Workspace) -> None:
        """See ``System.load``."""
        self._frequencies = RankFrequencies.from_json(json.loads((folder / _FILE).read_text(encoding="utf-8")))
