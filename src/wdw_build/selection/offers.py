"""The alternatives of articles, and the terms on which the dataset keeps them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

NONE = -1
# The reasons of rejections by a cap.
PASSAGE, EVENT, ANSWER = "passage-cap", "event-cap", "answer-cap"


@dataclass(frozen=True)
class Limits:
    """The maximum number of problems with one passage, of one event, and with one answer; 0: no limit.

    Two problems with the same answer are of the same event if they share an article, as question or as passage. The relation
    is not transitive: otherwise chains of articles would join a year of news about one person into one event. An ``answer``
    below 1 is a share of the kept problems; ``floor`` problems are then always allowed.
    """

    passage: int
    event: int
    answer: float
    floor: int

    def __bool__(self) -> bool:
        return bool(self.passage or self.event or self.answer)

    def most(self, kept: int) -> int:
        """The maximum number of problems with one answer if ``kept`` problems are kept."""
        if not self.answer:
            return kept
        if self.answer >= 1:
            return int(self.answer)
        return max(self.floor, math.floor(Fraction(str(self.answer)) * kept))


@dataclass(frozen=True)
class Offers:
    """The alternatives of all articles; the alternatives of an article are adjacent, in order of preference.

    n alternatives, A articles. Two articles should not have the same draw: their order would decide between them.
    """

    article: NDArray[np.int64]
    """(n,) number of the article, 0..A-1, nondecreasing"""
    choices: NDArray[np.int64]
    """(n,) number of choices"""
    solved: NDArray[np.int8]
    """(n, systems) 1: the system is right, 0: wrong, -1: its bound does not count this alternative"""
    ranks: NDArray[np.int8]
    """(n, rankings) place of the answer, from 0, among the choices by each ranking"""
    event: NDArray[np.float64]
    """(n,) event score in [0, 1]; 0 without a scorer"""
    draw: NDArray[np.float64]
    """(A,) a hash of seed and article in [0, 1), the only source of randomness"""
    passage: NDArray[np.int64]
    """(n,) number of the passage's article"""
    question: NDArray[np.int64]
    """(n,) number of the question's article, in the same numbering as ``passage``"""
    person: NDArray[np.int64]
    """(n,) number of the answer"""


@dataclass(frozen=True)
class Terms:
    """Bounds, caps and objective of a selection. Raises ``ValueError`` for terms that do not fit together."""

    bound: str | float
    """``chance``, or the largest accuracy k of a system"""
    by_choices: bool
    """a bound for each number of choices separately, else one for all"""
    uniform_ranks: bool
    """the answer's place by each ranking is uniform for each number of choices"""
    event_weight: float
    """an alternative is worth 1 + event_weight * event score"""
    limits: Limits

    def __post_init__(self) -> None:
        if isinstance(self.bound, str) and self.bound != "chance":
            raise ValueError(f"the bound is 'chance' or a number, not {self.bound!r}")
        if self.uniform_ranks and not (self.two_sided and self.by_choices):
            raise ValueError("uniform_ranks needs the bound 'chance' and by_choices")

    @property
    def two_sided(self) -> bool:
        """Whether a system's accuracy is bounded from below too."""
        return self.bound == "chance" and self.by_choices
