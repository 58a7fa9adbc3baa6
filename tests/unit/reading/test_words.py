"""Normalised words, bags and the stop list."""

import math

import pytest

from support.reading import reading_problem
from wdw_build.reading.words import bag, cosine, normalise, normalised, problem_words
from wdw_build.text.lexicon import STOP_WORDS


def test_tokens_are_casefolded_and_punctuation_is_dropped():
    words = ["The", "“", "Straße", "--", "U.S.", "won’t", "42", "_"]
    assert normalised(words) == ["the", "strasse", "u.s.", "won't", "42"]


def test_every_stop_word_is_in_normal_form():
    assert {normalise(word) for word in STOP_WORDS} == STOP_WORDS


def test_cosine_of_hand_counted_bags():
    # a·b = 2·1 + 1·3 = 5; |a| = √5, |b| = √10.
    assert cosine(bag("x x y".split()), bag("x y y y".split())) == pytest.approx(5 / math.sqrt(50))


def test_cosine_with_an_empty_bag_is_zero():
    assert cosine(bag([]), bag(["x"])) == 0.0


def test_words_of_a_problem_leave_out_the_blank():
    words = problem_words(reading_problem("XXX met Bo .", "Ann Fox left. Bo stayed.", ["Ann Fox", "Bo"]))
    assert words.question == ["met", "bo"]
    assert words.passage.sentences == [["ann", "fox", "left"], ["bo", "stayed"]]
    assert words.choices == [["ann", "fox"], ["bo"]]
