"""Spans are scored as DROP and QUOREF score them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.reading.scoring import exact_match, f1, normalise, score


def test_a_span_is_normalised_word_by_word():
    assert normalise("The Beatles") == "beatles"
    assert normalise("a NOT an ARTICLE the") == "not article"
    assert normalise("theatre") == "theatre"
    assert normalise("S.K. Singh's") == "sk singhs"
    assert normalise("  two \t spaces\n") == "two spaces"
    assert normalise("1,000") == "1000.0"
    assert normalise("1000") == "1000.0"
    assert normalise("1.0") == "1.0"
    assert normalise("1") == "1.0"
    assert normalise(".5") == "0.5"
    assert normalise("1.2e1") == "12.0"
    assert normalise("3.5 million") == "3.5 million"
    assert normalise("$1.5") == "15.0"
    assert normalise("Ban Ki-moon") == "ban ki moon"
    assert normalise("78-yard") == "78.0 yard"
    assert normalise("-5") == "5.0"
    assert normalise("O’Brien") == "o’brien"
    assert normalise("...") == ""
    assert normalise("the") == ""
    assert normalise("") == ""


BY_HAND = [
    # Articles, punctuation, case, white space, hyphens and forms of numbers do not count.
    (["td"], ["the td"], (1, 1)),
    (["jim o'brien!"], ["Jim  OBrien"], (1, 1)),
    (["78"], ["78.0"], (1, 1)),
    (["78-yard"], ["78 yard"], (1, 1)),
    # One span: F1 of the sets of words.
    (["Clinton"], ["Bill Clinton"], (0, 2 / 3)),
    (["Elton John"], ["John Elton"], (0, 1)),
    (["New York New York"], ["New York"], (0, 1)),
    (["Smith"], ["Jones"], (0, 0)),
    ([""], ["army"], (0, 0)),
    (["the"], ["army"], (0, 0)),
    (["army"], ["the"], (0, 0)),
    (["a"], ["the"], (1, 1)),
    # Without a number of the gold span, F1 is 0; with one, numbers are words like others.
    (["yard"], ["36 yard td"], (0, 0)),
    (["23 yards"], ["43 yards"], (0, 0)),
    (["36 yards"], ["yards"], (0, 2 / 3)),
    (["56 yards"], ["56 yd"], (0, 0.5)),
    (["26"], ["26 yard td"], (0, 0.5)),
    # Several spans: the best alignment, over the longer of the two lists.
    (["Ann", "Bo"], ["Bo", "Ann"], (1, 1)),
    (["Ann"], ["Ann", "Bo"], (0, 0.5)),
    (["Ann", "Bo"], ["Ann"], (0, 0.5)),
    (["td", "td"], ["td"], (0, 0.5)),
    (["td", "td"], ["td", "td"], (1, 1)),
    (["23", "23 yard"], ["23-yard", "56 yards"], (0, 0.5)),
    (["John Karman", "Joe Hardy"], ["Joe Karman", "John Hardy"], (0, 0.5)),
    (["ottoman", "Kantakouzenous"], ["ottoman", "army of Kantakouzenous"], (0, 0.75)),
    # Aligning "P Q" with the first span leaves nothing for "R S"; the best alignment has 2/3 twice.
    (["P Q", "R S"], ["P Q R S", "P"], (0, 2 / 3)),
    # No answer.
    ([], [], (1, 1)),
    ([""], [], (1, 1)),
    ([], ["Ann"], (0, 0)),
    (["Ann"], [""], (0, 0)),
]


@pytest.mark.parametrize(("predicted", "gold", "expected"), BY_HAND)
def test_exact_match_and_f1_are_those_computed_by_hand(predicted, gold, expected):
    assert (exact_match(predicted, gold), f1(predicted, gold)) == pytest.approx(expected)


def test_repeated_spans_match_exactly_only_as_often_as_they_are_repeated():
    assert exact_match(["P Q", "P Q", "R"], ["P Q", "R", "R"]) == 0.0


def test_the_best_of_several_gold_answers_counts():
    assert score(["Clinton"], [["Bill Clinton"], ["Clinton"], ["Bush"]]) == (1.0, 1.0)
    assert score(["Hillary Clinton"], [["Bill Clinton"], ["Clinton"]]) == (0.0, pytest.approx(2 / 3))
    assert score(["Clinton"], []) == (0.0, 0.0)


WORDS = st.sampled_from(["Ann", "ann", "Bo", "Smith", "the", "a", "o'x", "x-y", "7", "7.0", "1,000", "...", ""])
SPAN = st.lists(WORDS, max_size=4).map(" ".join)
SPANS = st.lists(SPAN, max_size=4)


@given(SPANS, SPANS)
def test_f1_is_between_0_and_1_and_an_exact_match_has_an_f1_of_1(predicted, gold):
    value = f1(predicted, gold)
    assert 0.0 <= value <= 1.0
    if exact_match(predicted, gold):
        assert value == 1.0


@given(SPANS, SPANS, st.randoms(use_true_random=False))
def test_the_order_of_spans_does_not_matter(predicted: list, gold: list, rng: random.Random):
    shuffled = rng.sample(predicted, len(predicted)), rng.sample(gold, len(gold))
    assert f1(*shuffled) == pytest.approx(f1(predicted, gold))
    assert exact_match(*shuffled) == exact_match(predicted, gold)


@given(SPANS, st.lists(SPANS, min_size=1, max_size=3))
def test_a_score_is_the_best_over_the_gold_answers(predicted, golds):
    best = score(predicted, golds)
    assert best[0] == max(exact_match(predicted, gold) for gold in golds)
    assert best[1] == max(f1(predicted, gold) for gold in golds)
