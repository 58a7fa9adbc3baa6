"""The systems of the paper's Table 4 that only match words: word overlap, sliding window, distance.

Sliding window and distance are algorithms 1 and 2 of Richardson, Burges & Renshaw (2013).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import sub
from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import Section
from wdw_build.reading import Prediction, ReadingProblem, SystemEntry, Untrained
from wdw_build.systems.words import ProblemWords, bag, dot, problem_words
from wdw_build.text.function_words import STOP_WORDS

Combination = Literal["least", "mean"]
_NO_MATCH = 1.0
_DIGITS = 9
"""Scores are rounded, so that equal sums that were added up in another order tie."""


def best_sentence_overlaps(words: ProblemWords) -> list[float]:
    """For each choice, max over sentences s of CosSim(bag(choice + question), bag(s)); 0 for a passage without words."""
    # The question's part of each dot product is the same for all choices. Counts are integers, so all sums are exact.
    asked = Counter(words.question)
    sentences = [(one, dot(asked, one.counts)) for one in words.passage.bags if one.norm]
    overlaps = []
    for choice in words.choices:
        own, norm = Counter(choice), bag(choice + words.question).norm
        cosines = ((shared + dot(own, one.counts)) / (norm * one.norm) for one, shared in sentences if norm)
        overlaps.append(max(cosines, default=0.0))
    return overlaps


def best_windows(words: ProblemWords) -> list[float]:
    """For each choice A, the greatest sum of IC(w) over the words w of a window of the passage that are in S.

    S = A ∪ Q for the words Q of the question; the window has |S| words, or all of a shorter passage.
    """
    passage, weights = words.passage.all, words.passage.weights
    searched = (set(words.question).union(choice) for choice in words.choices)
    return [
        _best_window([weights[word] if word in found else 0.0 for word in passage], len(found)) for found in searched
    ]


def _best_window(weights: Sequence[float], size: int) -> float:
    """The greatest sum of ``size`` neighbours, or the sum of all if there are fewer. Weights are not negative."""
    sums = list(accumulate(weights, initial=0.0))
    return max(map(sub, sums[size:], sums), default=sums[-1])


def distances(words: ProblemWords, combination: Combination = "least") -> list[float]:
    r"""For each choice A, the distance d in the passage P between its words and those of the question Q, 0 to 1.

    With the stop words U, S_Q = (Q ∩ P) \ U and S_A = ((A ∩ P) \ Q) \ U; d = 1 if either is empty, otherwise the least
    number of words from a word of S_Q to a word of S_A (1 for neighbours), divided by |P| - 1. ``mean`` takes, in place of
    the least word of S_Q, the mean over the words of S_Q: the authors' correction on the results page of MCTest.
    """
    positions, length = words.passage.places, len(words.passage.all)
    question = (set(words.question) & positions.keys()) - STOP_WORDS
    return [
        _distance(positions, question, (set(choice) & positions.keys()) - STOP_WORDS - question, length, combination)
        for choice in words.choices
    ]


def _distance(
    positions: Mapping[str, Sequence[int]], question: set[str], choice: set[str], length: int, combination: Combination
) -> float:
    if not question or not choice:
        return _NO_MATCH
    choice_positions = [position for word in choice for position in positions[word]]
    nearest = [_least_distance(positions[word], choice_positions) for word in question]
    combined = min(nearest) if combination == "least" else sum(nearest) / len(nearest)
    return combined / (length - 1)


def _least_distance(ascending: Sequence[int], others: Iterable[int]) -> int:
    """The least difference between a number of one sequence and a number of the other."""
    return min(
        abs(neighbour - position)
        for position in others
        for place in (bisect_left(ascending, position),)
        for neighbour in ascending[max(place - 1, 0) : place + 1]
    )


class LexicalSystem(Untrained):
    """Scores each choice by a function of the problem's words."""

    def __init__(self, score: Callable[[ProblemWords], Sequence[float]]) -> None:
        self._score = score

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``."""
        for problem in problems:
            yield Prediction(tuple(round(score, _DIGITS) for score in self._score(problem_words(problem))))


class DistanceSettings(Section, frozen=True, kw_only=True):
    """Settings of the distance between question and choice."""

    combination: Combination = "least"
    """Formula for the distance between the choice and the question's words: as printed in the MCTest paper (`least`), or
    as its authors corrected it (`mean`)."""


class WindowDistanceSettings(DistanceSettings, frozen=True, kw_only=True):
    """Settings of the sliding window with distance."""

    weight: Annotated[float, Meta(ge=0.0)] = 1.0
    """Weight of the subtracted distance."""


def _window_less_distance(settings: WindowDistanceSettings) -> LexicalSystem:
    def scores(words: ProblemWords) -> list[float]:
        pairs = zip(best_windows(words), distances(words, settings.combination), strict=True)
        return [window - settings.weight * distance for window, distance in pairs]

    return LexicalSystem(scores)


WORD_OVERLAP = SystemEntry(
    name="word-overlap",
    title="Word overlap",
    source="Onishi et al. (2016)",
    group="table 4",
    make=lambda settings: LexicalSystem(best_sentence_overlaps),
    paper=(0.47, None),
)
SLIDING_WINDOW = SystemEntry(
    name="sliding-window",
    title="Sliding window",
    source="Richardson, Burges & Renshaw (2013), algorithm 1",
    group="table 4",
    make=lambda settings: LexicalSystem(best_windows),
    paper=(0.48, None),
)
DISTANCE = SystemEntry(
    name="distance",
    title="Distance",
    source="Richardson, Burges & Renshaw (2013), algorithm 2",
    group="table 4",
    make=lambda settings: LexicalSystem(
        lambda words: [-distance for distance in distances(words, settings.combination)]
    ),
    settings=DistanceSettings,
    paper=(0.46, None),
)
SLIDING_WINDOW_DISTANCE = SystemEntry(
    name="sliding-window-distance",
    title="Sliding window + distance",
    source="Richardson, Burges & Renshaw (2013), algorithms 1 and 2",
    group="table 4",
    make=_window_less_distance,
    settings=WindowDistanceSettings,
    paper=(0.51, None),
)
