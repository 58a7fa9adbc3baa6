"""Whom the pronouns of a passage stand for: the person named last before, if the gender fits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wdw_build.reading import ReadingProblem
from wdw_build.systems.semantic.lexicon import Ints
from wdw_build.systems.semantic.word_classes import (
    FEMININE,
    FEMININE_NAMES,
    FEMININE_TITLES,
    MASCULINE_NAMES,
    MASCULINE_TITLES,
    PRONOUNS,
)
from wdw_build.text.function_words import STOP_WORDS


def antecedents(tokens: Sequence[str], problem: ReadingProblem) -> Ints:
    """For each token, the token itself; for "he", "she" and their forms, the first token of the last fitting name.

    Names are the mentions of the choices and other capitalised words that never occur in lower case.
    """
    result = np.arange(len(tokens), dtype=np.int32)
    starts = _name_starts(tokens, problem)
    lowered = [token.lower() for token in tokens]
    genders = _genders(lowered, starts)
    last: dict[bool, int] = {}
    for index, word in enumerate(lowered):
        if index in starts:
            gender = genders.get(word)
            last.update({feminine: index for feminine in (False, True) if gender is None or gender == feminine})
        elif word in PRONOUNS:
            result[index] = last.get(word in FEMININE, index)
    return result


def _name_starts(tokens: Sequence[str], problem: ReadingProblem) -> set[int]:
    mentions = {first for choice in problem.choices for first, _ in choice.mentions if tokens[first][0].isupper()}
    lower = {token for token in tokens if token.islower()} | STOP_WORDS
    inside = {index for choice in problem.choices for first, last in choice.mentions for index in range(first, last)}
    names = {
        index
        for index, token in enumerate(tokens)
        if token[0].isupper() and token[1:].islower() and token.lower() not in lower and index not in inside
    }
    return mentions | {index for index in names if index - 1 not in names}


def _genders(lowered: Sequence[str], starts: set[int]) -> dict[str, bool]:
    """Name's first word in lower case -> whether it is feminine, where a first name or a title tells."""
    genders: dict[str, bool] = {}
    for index in sorted(starts):
        word, before = lowered[index], lowered[max(index - 2, 0) : index]
        if word in FEMININE_NAMES or FEMININE_TITLES.intersection(before):
            genders.setdefault(word, True)
        elif word in MASCULINE_NAMES or MASCULINE_TITLES.intersection(before):
            genders.setdefault(word, False)
    return genders
