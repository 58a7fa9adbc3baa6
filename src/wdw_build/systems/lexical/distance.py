"""Distance: algorithm 2 of Richardson, Burges & Renshaw (2013)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from wdw_build.systems.words import ProblemWords
from wdw_build.text.function_words import STOP_WORDS

Combination = Literal["least", "mean"]
NO_MATCH = 1.0


def distances(words: ProblemWords, combination: Combination = "least") -> list[float]:
    r"""For each choice A, the distance d in the passage P between its words and those of the question Q, 0 to 1.

    With the stop words U, S_Q = (Q ∩ P) \ U and S_A = ((A ∩ P) \ Q) \ U; d = 1 if either is empty, otherwise the least
    number of words from a word of S_Q to a word of S_A (1 for neighbours), divided by |P| - 1. ``mean`` takes, in place of
    the least word of S_Q, the mean over the words of S_Q: the authors' correction on the results page of MCTest.
    """
    passage = words.passage
    positions = _positions(passage)
    question = (set(words.question) & positions.keys()) - STOP_WORDS
    return [
        _distance(
            positions, question, (set(choice) & positions.keys()) - STOP_WORDS - question, len(passage), combination
        )
        for choice in words.choices
    ]


def _positions(passage: Sequence[str]) -> dict[str, list[int]]:
    """The positions of each word, ascending."""
    positions: dict[str, list[int]] = {}
    for position, word in enumerate(passage):
        positions.setdefault(word, []).append(position)
    return positions


def _distance(
    positions: Mapping[str, Sequence[int]], question: set[str], choice: set[str], length: int, combination: Combination
) -> float:
    if not question or not choice:
        return NO_MATCH
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
