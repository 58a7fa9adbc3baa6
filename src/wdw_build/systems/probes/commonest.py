"""The probe that answers with the name that is the answer most often in training."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, Workspace
from wdw_build.systems.probes.names import NameCounts, name_key
from wdw_build.systems.probes.ranks import RankFrequencies, positions

_FILE = "answers.json"


class CommonestAnswer:
    """Chooses the name that is most often the answer in training; equal names by their position's share of answers."""

    def __init__(self) -> None:
        self._names = NameCounts()
        self._positions = RankFrequencies()

    @property
    def parameters(self) -> int:
        """See ``System.parameters``: the number of counts."""
        return len(self._names.answers) + self._positions.parameters

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: Workspace) -> None:
        """Count the names and the positions of the answers."""
        self._names, self._positions = NameCounts(), RankFrequencies()
        for example in training:
            self._names.answers[name_key(example.problem.choices[example.answer])] += 1
            self._positions.add(len(example.problem.choices), example.answer)

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``: the score is the count of the name, plus half the share of the position."""
        for problem in problems:
            prior = self._positions.shares(positions(problem))
            counts = [self._names.answers[name_key(choice)] for choice in problem.choices]
            yield Prediction(tuple(count + share / 2 for count, share in zip(counts, prior, strict=True)))

    def save(self, folder: Path) -> None:
        """See ``System.save``."""
        saved = {"answers": dict(sorted(self._names.answers.items())), "positions": self._positions.to_json()}
        (folder / _FILE).write_text(json.dumps(saved), encoding="utf-8")

    def load(self, folder: Path, workspace: Workspace) -> None:
        """See ``System.load``."""
        saved = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        self._names = NameCounts(saved["answers"])
        self._positions = RankFrequencies.from_json(saved["positions"])
