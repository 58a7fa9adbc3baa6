"""Sliding window: algorithm 1 of Richardson, Burges & Renshaw (2013)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import sub

from wdw_build.systems.words import ProblemWords


def best_windows(words: ProblemWords) -> list[float]:
    """For each choice A, the greatest sum of IC(w) over the words w of a window of the passage that are in S.

    S = A ∪ Q for the words Q of the question; the window has |S| words, or all of a shorter passage.
    """
    passage = words.passage
    weights = inverse_counts(passage)
    searched = (set(words.question).union(choice) for choice in words.choices)
    return [
        _best_window([weights[word] if word in found else 0.0 for word in passage], len(found)) for found in searched
    ]


def inverse_counts(passage: Sequence[str]) -> Mapping[str, float]:
    """IC(w) = log(1 + 1/C(w)) for the count C(w) of each word in the passage."""
    return {word: math.log1p(1 / count) for word, count in Counter(passage).items()}


def _best_window(weights: Sequence[float], size: int) -> float:
    """The greatest sum of ``size`` neighbours, or the sum of all if there are fewer. Weights are not negative."""
    sums = list(accumulate(weights, initial=0.0))
    return max(map(sub, sums[size:], sums), default=sums[-1])
