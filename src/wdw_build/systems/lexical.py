"""The systems of the paper's Table 4 that only match words: word overlap, sliding window, distance.

Sliding window and distance are algorithms 1 and 2 of Richardson, Burges & Renshaw (2013).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from wdw_build.core.config.section import Section
from wdw_build.reading import Prediction, ReadingProblem, SystemEntry, Untrained
from wdw_build.reading.words import Floats, Ints, PassageWords, ProblemWords, dot, partial_sums, problem_words
from wdw_build.text.function_words import STOP_WORDS

Combination = Literal["least", "mean"]
_NO_MATCH = 1.0
_DIGITS = 9
"""Scores are rounded, so that equal sums that were added up in another order tie."""


def best_sentence_overlaps(words: ProblemWords) -> list[float]:
    """For each choice, max over sentences s of CosSim(bag(choice + question), bag(s)); 0 for a passage without words."""
    passage, asked = words.passage, Counter(words.question)
    named = [Counter(choice) for choice in words.choices]
    # The question's part is the same for all choices. Counts are integers, so all sums are exact.
    asked_dots, asked_square = passage.dots(asked), dot(asked, asked)
    dots = np.array([asked_dots + passage.dots(own) for own in named])
    norms = np.sqrt([asked_square + 2 * dot(asked, own) + dot(own, own) for own in named])
    products = norms[:, np.newaxis] * passage.norms
    cosines = np.divide(dots, products, out=np.zeros(dots.shape), where=products > 0)
    overlaps: list[float] = cosines.max(axis=1, initial=0.0).tolist()
    return overlaps


def best_windows(words: ProblemWords) -> list[float]:
    """For each choice A, the greatest sum of IC(w) over the words w of a window of the passage that are in S.

    S = A ∪ Q for the words Q of the question; the window has |S| words, or all of a shorter passage.
    """
    question = set(words.question)
    asked, windows = _spread_weights(words.passage, question), []
    for choice in words.choices:
        own = set(choice) - question
        windows.append(_best_window(asked + _spread_weights(words.passage, own), len(question) + len(own)))
    return windows


def _spread_weights(passage: PassageWords, words: Set[str]) -> Floats:
    """For each word of the passage, its weight if it is one of ``words``, else 0 (n,)."""
    return passage.spread({word: passage.weights[word] for word in words if word in passage.weights})


def _best_window(weights: Floats, size: int) -> float:
    """The greatest sum of ``size`` neighbours, or the sum of all if there are fewer. Weights are not negative."""
    sums = partial_sums(weights)
    size = min(size, len(weights))
    return float((sums[size:] - sums[: len(sums) - size]).max())


def distances(words: ProblemWords, combination: Combination = "least") -> list[float]:
    r"""For each choice A, the distance d in the passage P between its words and those of the question Q, 0 to 1.

    With the stop words U, S_Q = (Q ∩ P) \ U and S_A = ((A ∩ P) \ Q) \ U; d = 1 if either is empty, otherwise the least
    number of words from a word of S_Q to a word of S_A (1 for neighbours), divided by |P| - 1. ``mean`` takes, in place of
    the least word of S_Q, the mean over the words of S_Q: the authors' correction on the results page of MCTest.
    """
    passage = words.passage
    question = set(words.question) - STOP_WORDS
    targets = [question] if combination == "least" else [{word} for word in question]
    places = [found for target in targets if len(found := passage.places(target))]
    choices = (passage.places(set(choice) - STOP_WORDS - question) for choice in words.choices)
    return [
        sum(_least_distance(found, choice) for found in places) / len(places) / (len(passage.all) - 1)
        if places and len(choice)
        else _NO_MATCH
        for choice in choices
    ]


def _least_distance(ascending: Ints, others: Ints) -> int:
    """The least difference between a number of one array and a number of the other."""
    after = np.searchsorted(ascending, others)
    above, below = ascending[np.minimum(after, len(ascending) - 1)], ascending[np.maximum(after - 1, 0)]
    return int(min(np.abs(above - others).min(), np.abs(others - below).min()))


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
