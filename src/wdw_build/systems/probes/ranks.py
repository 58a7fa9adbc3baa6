"""Probes that answer by counts of training: the rank or the name of a choice that is most often right."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from wdw_build.reading import LabelledProblems, Prediction, ReadingChoice, ReadingProblem, TrainingContext
from wdw_build.reading.words import normalised

_FILE, _NAMES = "counts.json", "names.json"
_KEPT_NAMES = 1 << 14
Ranks = Callable[[ReadingProblem], Sequence[int]]
"""The rank of each choice of a problem, from 0."""


def name_key(choice: ReadingChoice) -> str:
    """The normalised words of the choice's name with a space between."""
    return _joined(choice.tokens)


@functools.lru_cache(maxsize=_KEPT_NAMES)
def _joined(tokens: tuple[str, ...]) -> str:
    return " ".join(normalised(tokens))


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


class RankProbe:
    """Chooses the rank that is most often right in training among as many choices."""

    def __init__(self, ranks: Ranks) -> None:
        self._ranks = ranks
        self._counts = Counter[tuple[int, int]]()
        """How often the answer has each rank: (number of choices, rank) -> count."""

    @property
    def parameters(self) -> int:
        """See ``System.parameters``: the number of counts."""
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
        """See ``System.choose``: the score is the share of answers with the rank of the choice."""
        for problem in problems:
            yield Prediction(tuple(self.shares(problem)))

    def save(self, folder: Path) -> None:
        """See ``System.save``: (number of choices, rank, count) of all counts."""
        saved = [(*key, count) for key, count in sorted(self._counts.items())]
        (folder / _FILE).write_text(json.dumps(saved), encoding="utf-8")

    def load(self, folder: Path, workspace: TrainingContext) -> None:
        """See ``System.load``."""
        saved = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        self._counts = Counter({(choices, rank): count for choices, rank, count in saved})


class CommonestAnswer(RankProbe):
    """Chooses the name that is most often the answer in training; equal names by their position's share of answers."""

    def __init__(self) -> None:
        super().__init__(positions)
        self._names = Counter[str]()

    @property
    def parameters(self) -> int:
        """See ``System.parameters``: the number of counts."""
        return len(self._names) + super().parameters

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Count the positions and the names of the answers."""
        super().fit(training, validation, workspace)
        self._names = Counter(name_key(example.problem.choices[example.answer]) for example in training)

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``: the score is the count of the name, plus half the share of the position."""
        for problem in problems:
            counts = [self._names[name_key(choice)] for choice in problem.choices]
            pairs = zip(counts, self.shares(problem), strict=True)
            yield Prediction(tuple(count + share / 2 for count, share in pairs))

    def save(self, folder: Path) -> None:
        """See ``System.save``."""
        super().save(folder)
        (folder / _NAMES).write_text(json.dumps(dict(sorted(self._names.items()))), encoding="utf-8")

    def load(self, folder: Path, workspace: TrainingContext) -> None:
        """See ``System.load``."""
        super().load(folder, workspace)
        self._names = Counter(json.loads((folder / _NAMES).read_text(encoding="utf-8")))
