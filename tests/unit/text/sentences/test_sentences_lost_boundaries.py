"""Where a sentence starts although the text before it lost its full stop: ``text.sentences.refusals``."""

import math

import pytest

from wdw_build.text.sentences.boundaries import is_start
from wdw_build.text.sentences.refusals import lost_boundary

JOINED = "Ida Moss wins cup Karl Ames lost .".split()


def starts(number, odds=6.0):
    """The log odds of a model that sees one start, and does not read the last word."""
    return [*(odds if place == number else -5.0 for place in range(len(JOINED) - 1)), -math.inf]


def test_the_words_around_a_lost_boundary_are_shown_if_its_start_is_likely():
    assert lost_boundary(JOINED, starts(4)) == "Ida Moss wins cup Karl Ames"
    assert lost_boundary(JOINED, starts(4, 4.5)) == ""
    assert lost_boundary(JOINED, []) == ""


def test_no_sentence_starts_at_a_word_without_a_capital():
    assert lost_boundary(JOINED, starts(3)) == ""


CANDIDATES = [
    (["Ida", "Moss", "left", "Karl"], 3, True),
    (["Ida", "Moss", "left", "home"], 3, False),
    (["Ida", "left", ",", "Karl"], 3, False),
    (["Ida", "left", ")", "Karl"], 3, True),
    (["Ida", "left", "Karl"], 2, False),
]


@pytest.mark.parametrize(("words", "number", "expected"), CANDIDATES)
def test_a_start_has_a_capital_and_no_punctuation_before_it(words, number, expected):
    assert is_start(words, number) is expected
