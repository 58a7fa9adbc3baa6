"""Overlap of texts: every measure by hand."""

from collections import Counter

import pytest

from wdw_build.text.passages.passage_text import holds_run, ngrams, share_of, side_runs, similarity

SIMILARITIES = [
    ("a b c d e", "a b c d x y z", 4 / 5),  # four shared, the smaller bag has five
    ("a a a a", "a b c d", 1 / 4),
    ("a", "a b c", 1.0),
    ("a b", "c d", 0.0),
    ("", "a", 0.0),
    ("", "", 0.0),
]


@pytest.mark.parametrize(("one", "other", "expected"), SIMILARITIES)
def test_similarity_is_the_intersection_over_the_smaller_bag(one, other, expected):
    assert similarity(one.split(), other.split()) == similarity(other.split(), one.split()) == expected


SHARES = [
    ("the cat sat", "the cat sat on the mat", 1.0),
    ("the cat sat on the mat", "the cat sat", 3 / 6),
    ("the the the", "the cat", 1 / 3),
    ("a b c d e f g h i", "a b c d e f g", 7 / 9),  # .777…, just under 78%
    ("", "the cat", 0.0),
]


@pytest.mark.parametrize(("sentence", "question", "expected"), SHARES)
def test_the_share_is_of_the_sentence_and_not_of_the_question(sentence, question, expected):
    assert share_of(sentence.split(), Counter(question.split())) == expected


RUNS = [
    ("a b c d e f", "b c d", True),
    ("a b c d e f", "a b c d e f", True),
    ("a b c", "b d", False),
    ("a b x c", "b c", False),
    ("a a b", "a b", True),
    ("c b", "b c", False),
    ("a b", "a b c", False),
    ("", "a", False),
    ("x a b c", "a b c", True),
]


@pytest.mark.parametrize(("words", "run", "expected"), RUNS)
def test_a_run_stands_in_order_and_without_a_gap(words, run, expected):
    assert holds_run(words.split(), run.split()) is expected


LEFT, RIGHT = "l1 l2 l3 l4 l5 l6".split(), "r1 r2 r3 r4 r5 r6".split()


SIDES = [
    (LEFT, RIGHT, ("l2 l3 l4 l5 l6", "r1 r2 r3 r4 r5")),
    (LEFT[:3], RIGHT[:3], ("l1 l2 l3", "r1 r2 r3")),
    (LEFT[:2], RIGHT[:2], ("", "")),
    ([], RIGHT, ("", "r1 r2 r3 r4 r5")),
]


@pytest.mark.parametrize(("left", "right", "expected"), SIDES)
def test_the_words_beside_the_blank_are_the_nearest_and_none_under_the_least(left, right, expected):
    assert side_runs(left, right) == tuple(tuple(side.split()) for side in expected)


def test_n_grams_are_a_set_of_runs():
    assert ngrams("a b a b".split(), 2) == {("a", "b"), ("b", "a")}
    assert ngrams("a b".split(), 3) == set()
