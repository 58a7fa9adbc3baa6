"""The names of the choices, and their ranks by first mention and by frequency."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from wdw_build.reading import ReadingChoice, ReadingProblem
from wdw_build.reading.words import normalised

_KEPT_NAMES = 1 << 14


def name_key(choice: ReadingChoice) -> str:
    """The normalised words of the choice's name with a space between."""
    return _joined(choice.tokens)


@functools.lru_cache(maxsize=_KEPT_NAMES)
def _joined(tokens: tuple[str, ...]) -> str:
    return " ".join(normalised(tokens))


def first_mention_ranks(problem: ReadingProblem) -> Sequence[int]:
    """0 for the choice that the passage mentions first, and so on; choices without mentions come last."""
    end = len(problem.token_layout)
    return _ranks([choice.mentions[0][0] if choice.mentions else end for choice in problem.choices])


def frequency_ranks(problem: ReadingProblem) -> Sequence[int]:
    """0 for the choice with most mentions in the passage, and so on; equal ones in the order of the choices."""
    return _ranks([-len(choice.mentions) for choice in problem.choices])


def _ranks(keys: Sequence[int]) -> list[int]:
    """The place of each key among the sorted keys; equal keys keep their order."""
    ordered = sorted(range(len(keys)), key=keys.__getitem__)
    return [place for _, place in sorted(zip(ordered, range(len(keys)), strict=True))]
