"""The systems of the paper's Table 4 that only match words: word overlap, sliding window, distance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated

from msgspec import Meta

from wdw_build.api import Section
from wdw_build.reading import Prediction, ReadingProblem, SystemEntry, Untrained
from wdw_build.reading.matching import Combination, best_sentence_overlaps, best_windows, distances
from wdw_build.reading.words import ProblemWords, problem_words

_DIGITS = 9
"""Scores are rounded, so that equal sums that were added up in another order tie."""


class LexicalSystem(Untrained):
    """Scores each choice by a function of the problem's words."""

    def __init__(self, score: Callable[[ProblemWords], Sequence[float]]) -> None:
        self._score = score

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """The scores of the function, rounded."""
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
