"""How well the words of question and choices match those of the passage: word overlap, sliding window, distance.

Sliding window and distance are algorithms 1 and 2 of Richardson, Burges & Renshaw (2013).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import Literal

import numpy as np

from wdw_build.reading.words import Floats, Ints, PassageWords, ProblemWords, dot, partial_sums
from wdw_build.text.lexicon import STOP_WORDS

Combination = Literal["least", "mean"]
_NO_MATCH = 1.0


def best_sentence_overlaps(words: ProblemWords) -> list[float]:
    """For each choice, max over sentences s of CosSim(bag(choice + question), bag(s)); 0 for a passage without words."""
    passage, question = words.passage, Counter(words.question)
    named = [Counter(choice) for choice in words.choices]
    # The question's part is the same for all choices. Counts are integers, so all sums are exact.
    asked_dots, asked_square = passage.dots(question), dot(question, question)
    dots = np.array([asked_dots + passage.dots(own) for own in named])
    norms = np.sqrt([asked_square + 2 * dot(question, own) + dot(own, own) for own in named])
    products = norms[:, np.newaxis] * passage.norms
    cosines = np.divide(dots, products, out=np.zeros(dots.shape), where=products > 0)
    overlaps: list[float] = cosines.max(axis=1, initial=0.0).tolist()
    return overlaps


def best_windows(words: ProblemWords) -> list[float]:
    """For each choice A, the greatest sum of IC(w) over the words w of a window of the passage that are in S.

    S = A ∪ Q for the words Q of the question; the window has |S| words, or all of a shorter passage.
    """
    question = set(words.question)
    question_weights, windows = _spread_weights(words.passage, question), []
    for choice in words.choices:
        own = set(choice) - question
        windows.append(_best_window(question_weights + _spread_weights(words.passage, own), len(question) + len(own)))
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
    places = [of_target for target in targets if len(of_target := passage.places(target))]
    choices = (passage.places(set(choice) - STOP_WORDS - question) for choice in words.choices)
    return [
        sum(_least_distance(of_target, choice) for of_target in places) / len(places) / (len(passage.all) - 1)
        if places and len(choice)
        else _NO_MATCH
        for choice in choices
    ]


def _least_distance(ascending: Ints, others: Ints) -> int:
    """The least difference between a number of one array and a number of the other."""
    after = np.searchsorted(ascending, others)
    above, below = ascending[np.minimum(after, len(ascending) - 1)], ascending[np.maximum(after - 1, 0)]
    return int(min(np.abs(above - others).min(), np.abs(others - below).min()))
