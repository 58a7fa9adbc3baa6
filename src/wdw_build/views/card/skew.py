"""Skews of the answer: how often it stands at each position, and how often a single cue points to it.

Chance: a problem with m choices has its answer at each position with probability 1/m. A cue picks the choices that
score highest; if k of m are tied, it is right for 1/k if the answer is among them, which chance expects to be 1/m with a
variance of 1/(km) - 1/m^2. Problems count as independent, so a deviation says "look here", not more.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from wdw_build.records import Choice, Problem
from wdw_build.text.names.matching import name_words
from wdw_build.views.card.audit_results import Observed, Skew


def _start(choice: Choice) -> float:
    return float(min(span.start for span in choice.mentions))


CUES: dict[str, tuple[str, Callable[[Choice], float]]] = {
    "named-first": ("the choice that the passage names first", lambda choice: -_start(choice)),
    "named-last": ("the choice whose first mention comes last", lambda choice: _start(choice)),
    "named-most": ("the choice that the passage names most often", lambda choice: float(len(choice.mentions))),
    "named-least": ("the choice that the passage names least often", lambda choice: -float(len(choice.mentions))),
    "longest-name": ("the name of the most words", lambda choice: float(len(name_words(choice.name)))),
    "shortest-name": ("the name of the fewest words", lambda choice: -float(len(name_words(choice.name)))),
}
PRIOR = ("training-answer", "the choice that is most often the answer in train.relaxed")


class _Sum:
    """Right answers, what chance expects of them, and its variance."""

    def __init__(self) -> None:
        self.observed = self.expected = self.variance = 0.0

    def add(self, observed: float, expected: float, variance: float) -> None:
        self.observed += observed
        self.expected += expected
        self.variance += variance

    def close(self) -> Observed:
        off = self.observed - self.expected
        deviations = off / math.sqrt(self.variance) if self.variance > 1e-9 else 0.0
        return Observed(round(self.observed, 2), round(self.expected, 2), round(deviations, 2))


def _follow(scores: Sequence[float], answer: int, found: _Sum) -> None:
    """Count a cue that goes for the highest score."""
    highest, size = max(scores), len(scores)
    tied = sum(score == highest for score in scores)
    right = 1 / tied if scores[answer] == highest else 0.0
    found.add(right, 1 / size, 1 / (tied * size) - 1 / size**2)


class SkewCounter:
    """The skews of one split, counted problem by problem."""

    def __init__(self) -> None:
        self._positions: defaultdict[int, _Sum] = defaultdict(_Sum)
        self._cues = {name: _Sum() for name in CUES}
        self._prior: list[tuple[tuple[str, ...], int]] = []

    def add(self, problem: Problem, *, prior: bool) -> None:
        """Count a problem; ``prior``: keep its names for the cue of the training answers."""
        size = len(problem.choices)
        for at in range(size):
            self._positions[at].add(float(at == problem.answer), 1 / size, (1 - 1 / size) / size)
        for name, (_, score) in CUES.items():
            _follow([score(choice) for choice in problem.choices], problem.answer, self._cues[name])
        if prior:
            self._prior.append((tuple(choice.name for choice in problem.choices), problem.answer))

    def close(self, training: Counter[str]) -> Skew:
        """The skews; ``training``: how often each name is an answer in training."""
        cues = dict(self._cues)
        if self._prior:
            cues[PRIOR[0]] = _Sum()
        for names, answer in self._prior:
            _follow([float(training[name]) for name in names], answer, cues[PRIOR[0]])
        positions = tuple(self._positions[at].close() for at in sorted(self._positions))
        return Skew(positions, {name: found.close() for name, found in cues.items()})
