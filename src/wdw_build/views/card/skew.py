"""Skews of the answers: how often the answer is at each position, and how often a single cue points to it.

Chance gives a problem with m choices its answer at each position with probability 1/m. A cue picks the choices that score
highest; if k of m choices are tied, it is right for 1/k if the answer is among them. Chance expects 1/m of it, with a
variance of 1/(km) - 1/m^2. Problems count as independent, so a large deviation is a reason to look, not a test result.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from wdw_build.dataset import SplitCounts
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


class Pick(NamedTuple):
    """What a cue did on one problem: the number of choices, how many it picked, and whether the answer was among them."""

    choices: int
    tied: int
    right: bool


def _pick(scores: Sequence[float], answer: int) -> Pick:
    """The choices with the highest score."""
    highest = max(scores)
    return Pick(len(scores), sum(score == highest for score in scores), scores[answer] == highest)


def _observed(picks: Mapping[Pick, int]) -> Observed:
    observed = math.fsum(count / pick.tied for pick, count in picks.items() if pick.right)
    expected = math.fsum(count / pick.choices for pick, count in picks.items())
    variance = math.fsum(
        count * (1 / (pick.tied * pick.choices) - 1 / pick.choices**2) for pick, count in picks.items()
    )
    deviations = (observed - expected) / math.sqrt(variance) if variance > 1e-9 else 0.0
    return Observed(round(observed, 2), round(expected, 2), round(deviations, 2))


class CueCounts:
    """Counts what each cue picked in the problems of one split."""

    def __init__(self) -> None:
        self._picks: dict[str, Counter[Pick]] = {name: Counter() for name in CUES}
        self._held_out: list[tuple[tuple[str, ...], int]] = []

    def add(self, problem: Problem, *, held_out: bool) -> None:
        """Count a problem. The names of held-out problems are kept for the cue of the training answers."""
        for name, (_, score) in CUES.items():
            self._picks[name][_pick([score(choice) for choice in problem.choices], problem.answer)] += 1
        if held_out:
            self._held_out.append((tuple(choice.name for choice in problem.choices), problem.answer))

    def __add__(self, other: CueCounts) -> CueCounts:
        total = CueCounts()
        total._picks = {name: picks + other._picks[name] for name, picks in self._picks.items()}
        total._held_out = self._held_out + other._held_out
        return total

    def close(self, training: Mapping[str, int]) -> dict[str, Observed]:
        """Cue -> what it got right. ``training`` says how often each name is an answer in training."""
        picks = dict(self._picks)
        if self._held_out:
            picks[PRIOR[0]] = Counter(
                _pick([training.get(name, 0) for name in names], answer) for names, answer in self._held_out
            )
        return {name: _observed(counts) for name, counts in picks.items()}


def skew(split: SplitCounts, cues: CueCounts, training: Mapping[str, int]) -> Skew:
    """The skews of one split."""
    return Skew(tuple(_position(split, at) for at in range(max(split.choices, default=0))), cues.close(training))


def _position(split: SplitCounts, at: int) -> Observed:
    """A position is a cue that picks the choice there; shorter lists of choices do not have it."""
    picks: Counter[Pick] = Counter()
    for (answer, choices), count in split.positions.items():
        if at < choices:
            picks[Pick(choices, 1, answer == at)] += count
    return _observed(picks)
