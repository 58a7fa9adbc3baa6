"""Trained log-linear rankers over the choices; most see a part of the problem only (Kaushik & Lipton 2018)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import Meta

from wdw_build.core.config.section import Section
from wdw_build.reading import LabelledProblems, Prediction, ReadingProblem, Workspace
from wdw_build.systems.probes import log_linear
from wdw_build.systems.probes.features import Features
from wdw_build.systems.probes.names import NameCounts

_NAMES = "names.json"
_WEIGHTS = "weights.npz"
Numbers = Sequence[Mapping[str, float]]
"""For each choice, feature -> value; empty without numeric features."""
Penalty = Annotated[float, Meta(gt=0.0)]


class RankerSettings(Section, frozen=True, kw_only=True):
    """Settings of the trained probes."""

    penalties: Annotated[
        tuple[Penalty, ...],
        Meta(
            description="Weights of the L2 penalty to try; the one with the least loss on validation is taken.",
            min_length=1,
        ),
    ] = (100.0, 30.0, 10.0, 3.0, 1.0)


def no_numbers(problem: ReadingProblem) -> Numbers:
    """No numeric features."""
    return ()


class LogLinearRanker:
    """A log-linear model over the choices. ``features`` are binary, ``numbers`` have values."""

    def __init__(
        self,
        features: Callable[[ReadingProblem, NameCounts], Features],
        settings: RankerSettings,
        numbers: Callable[[ReadingProblem], Numbers] = no_numbers,
    ) -> None:
        self._features, self._numbers = features, numbers
        self._penalties = sorted(settings.penalties, reverse=True)
        self._names = NameCounts()
        self._weights = np.zeros(1 << log_linear.HASH_BITS)

    @property
    def parameters(self) -> int:
        """See ``System.parameters``: the number of weights that are not 0."""
        return int(np.count_nonzero(self._weights))

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: Workspace) -> None:
        """Learn the weights; the penalty is the one with the least loss on ``validation``.

        Names are counted in two halves. A training problem sees the counts of the other half, so that they do not hold its
        own answer.
        """
        halves = (NameCounts(), NameCounts())
        for counts, example in zip(cycle(halves), training):
            counts.add(example)
        self._names = NameCounts.sum(halves)
        examples = self._collect(training, halves[::-1], workspace)
        held_out = self._collect(validation, (self._names,), workspace)
        self._weights, _ = log_linear.fit(examples, self._penalties, held_out)

    def _collect(
        self, problems: LabelledProblems, seen: Sequence[NameCounts], workspace: Workspace
    ) -> log_linear.Examples:
        """The features of labelled problems, which see the name counts in turn."""
        builder = log_linear.ExamplesBuilder()
        with workspace.progress.bar("features", len(problems), "problems") as bar:
            for counts, example in zip(cycle(seen), problems):
                builder.add(self._features(example.problem, counts), example.answer, self._numbers(example.problem))
                bar.advance()
        return builder.build()

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``: the score is the sum of weights of a choice's features."""
        for problem in problems:
            builder = log_linear.ExamplesBuilder()
            builder.add(self._features(problem, self._names), 0, self._numbers(problem))
            scores = log_linear.choice_scores(builder.build(), self._weights)
            yield Prediction(tuple(scores.tolist()))

    def save(self, folder: Path) -> None:
        """See ``System.save``."""
        (folder / _NAMES).write_text(json.dumps(self._names.to_json()), encoding="utf-8")
        ids = np.flatnonzero(self._weights)
        np.savez_compressed(folder / _WEIGHTS, ids=ids, weights=self._weights[ids])

    def load(self, folder: Path, workspace: Workspace) -> None:
        """See ``System.load``."""
        self._names = NameCounts(**json.loads((folder / _NAMES).read_text(encoding="utf-8")))
        self._weights = np.zeros(1 << log_linear.HASH_BITS)
        with np.load(folder / _WEIGHTS, allow_pickle=False) as saved:
            self._weights[saved["ids"]] = saved["weights"]
