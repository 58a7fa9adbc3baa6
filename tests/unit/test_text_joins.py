"""Exact similarity joins: the bounds by hand."""

import pytest

from wdw_build.text.joins import DuplicateFinder, SentenceFinder, elements, frequencies

A = "a b c d e".split()


def finder(threshold, *bags):
    made = DuplicateFinder(threshold, frequencies(bags))
    for number, bag in enumerate(bags):
        made.keep(f"k{number}", bag)
    return made


def test_repeated_words_are_numbered_so_that_a_bag_is_a_set():
    assert elements("a b a".split()) == [("a", 1), ("b", 1), ("a", 2)]


def test_frequencies_count_bags_and_not_words():
    assert frequencies([["a", "a"], ["a"]]) == {("a", 1): 2, ("a", 2): 1}


@pytest.mark.parametrize(
    ("new", "threshold", "found"),
    [
        ("a b c d x", 0.8, True),  # 4 of 5: the threshold itself is a duplicate
        ("a b c x y", 0.8, False),
        ("a b c x y", 0.6, True),
        ("a b c d e f g h i j k l", 1.0, True),  # the kept one is the smaller, and whole in it
        ("a", 1.0, True),
        ("a a", 1.0, False),
        ("e d c b a", 1.0, True),
        ("x y", 0.1, False),
        ("", 0.1, False),
    ],
)
def test_a_bag_is_a_duplicate_at_the_threshold_and_not_below(new, threshold, found):
    assert finder(threshold, A).find(new.split()) == ("k0" if found else None)


def test_the_first_kept_of_several_originals_is_named():
    assert finder(0.5, ["x", "y"], ["a", "b"], ["a", "b", "c"]).find(["b", "a"]) == "k1"


def test_words_that_were_not_counted_beforehand_are_found_too():
    made = DuplicateFinder(0.8, frequencies([]))
    made.keep("only", A)
    assert made.find(A) == "only"


def test_a_threshold_that_is_not_exact_in_binary_is_met_exactly():
    ten = [str(number) for number in range(10)]
    assert finder(0.7, ten).find([*ten[:7], "x", "y", "z"]) == "k0"  # 0.7 * 10 is 7, whatever the float says
    assert finder(0.7, ten).find([*ten[:6], "x", "y", "z", "w"]) is None


def test_an_empty_bag_is_kept_and_never_found():
    made = finder(0.5, [], A)
    assert made.find(A) == "k1"
    assert made.find([]) is None


@pytest.mark.parametrize(
    ("sentence", "share", "matches"),
    [
        ("a b c d x", 0.8, False),  # exactly the share is not more than it
        ("a b c d x", 0.79, True),
        ("a b c d e", 0.99, True),
        ("a b c d e", 1.0, False),
        ("a x y z w", 0.0, True),
        ("v x y z w", 0.0, False),
        ("a a a", 0.3, True),  # one of three: repetitions are matched once
        ("a a a", 0.34, False),
        ("", 0.0, False),
    ],
)
def test_a_sentence_matches_above_the_share_of_its_own_words(sentence, share, matches):
    assert SentenceFinder(share, [["q", "r"], A]).matches(sentence.split()) is matches


def test_words_of_two_bags_are_not_added_up():
    assert not SentenceFinder(0.5, [["a", "b"], ["c", "d"]]).matches("a b c d".split())


def test_without_bags_nothing_matches():
    assert not SentenceFinder(0.0, []).matches(["a"])
