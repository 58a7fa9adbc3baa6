"""Probes that answer by counts of training: the rank or the name of a choice that is most often right."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from wdw_build.reading import LabelledProblems, Prediction, ReadingChoice, ReadingProblem, Workspace
from wdw_build.systems.words import normalised

_FILE = "counts.json"
Ranks = Callable[[ReadingProblem], Sequence[int]]
"""The rank of each choice of a problem, from 0."""


def name_key(choice: ReadingChoice) -> str:
    """The normalised words of the choice's name with a space between."""
    return " ".join(normalised(choice.tokens))


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
    """How often the answer has each rank, by the number of choices. ``saved``: what ``to_json`` returned."""

    def __init__(self, saved: Iterable[tuple[int, int, int]] = ()) -> None:
        self._counts = Counter({(choices, rank): count for choices, rank, count in saved})

    def add(self, choices: int, rank: int) -> None:
        """Count an answer of this rank among so many choices."""
        self._counts[choices, rank] += 1

    def shares(self, ranks: Sequence[int]) -> list[float]:
        """For each choice's rank, the share of training answers that have it, 0 to 1.

        If no training problem has that number of choices, the shares are of all training problems.
        """
        counts, of_all = Counter[int](), Counter[int]()
        for (choices, rank), count in self._counts.items():
            of_all[rank] += count
            if choices == len(ranks):
                counts[rank] += count
        counts = counts or of_all
        return [counts[rank] / (counts.total() or 1) for rank in ranks]

    @property
    def parameters(self) -> int:
        """The number of counts."""
        return len(self._counts)

    def to_json(self) -> list[tuple[int, int, int]]:
        """The counts as (number of choices, rank, count)."""
        return [(choices, rank, count) for (choices, rank), count in sorted(self._counts.items())]


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
        self._frequencies = RankFrequencies(json.loads((folder / _FILE).read_text(encoding="utf-8")))


class CommonestAnswer:
    """Chooses the name that is most often the answer in training; equal names by their position's share of answers."""

    def __init__(self) -> None:
        self._names = Counter[str]()
        self._positions = RankFrequencies()

    @property
    def parameters(self) -> int:
        """See ``System.parameters``: the number of counts."""
        return len(self._names) + self._positions.parameters

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: Workspace) -> None:
        """Count the names and the positions of the answers."""
        self._names, self._positions = Counter(), RankFrequencies()
        for example in training:
            self._names[name_key(example.problem.choices[example.answer])] += 1
            self._positions.add(len(example.problem.choices), example.answer)

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``: the score is the count of the name, plus half the share of the position."""
        for problem in problems:
            prior = self._positions.shares(positions(problem))
            counts = [self._names[name_key(choice)] for choice in problem.choices]
            yield Prediction(tuple(count + share / 2 for count, share in zip(counts, prior, strict=True)))

    def save(self, folder: Path) -> None:
        """See ``System.save``."""
        saved = {"answers": dict(sorted(self._names.items())), "positions": self._positions.to_json()}
        (folder / _FILE).write_text(json.dumps(saved), encoding="utf-8")

    def load(self, folder: Path, workspace: Workspace) -> None:
        """See ``System.load``."""
        saved = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        self._names, self._positions = Counter(saved["answers"]), RankFrequencies(saved["positions"])
