"""Exact similarity joins: the bounds by hand."""

import numpy as np
import pytest

from support.joins import bags_of, duplicates
from wdw_build.similarity.joins import SentenceFinder
from wdw_build.similarity.overlaps import Sorted
from wdw_build.text.tokens import elements

A = "a b c d e".split()


def found(threshold, *every):
    return duplicates(bags_of(every), threshold, range(len(every)))


def matches(share, fixed, sentence):
    finder = SentenceFinder(share, bags_of(fixed))
    asked = finder.sentences()
    asked.add(sentence)
    return finder.matches(asked).tolist()


def test_repeated_words_are_numbered_so_that_a_bag_is_a_set():
    assert elements("a b a".split()) == ["a", "b", ("a", 2)]


@pytest.mark.parametrize(
    ("new", "threshold", "is_one"),
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
def test_a_bag_is_a_duplicate_at_the_threshold_and_not_below(new, threshold, is_one):
    assert found(threshold, A, new.split()) == ({1: 0} if is_one else {})


def test_a_pair_that_is_found_in_many_batches_counts_once(monkeypatch):
    """The batches are bounded; here so tightly that each batch is one look-up."""
    monkeypatch.setattr("wdw_build.similarity.overlaps._BATCH", 64)
    every = [[*A, str(number), *[f"{number // 2} {word}" for word in A]] for number in range(40)]
    assert found(0.8, *every) == {number: number - 1 for number in range(1, 40, 2)}


@pytest.mark.parametrize(
    ("sentence", "share", "expected"),
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
def test_a_sentence_matches_above_the_share_of_its_own_words(sentence, share, expected):
    assert matches(share, [["q", "r"], A], sentence.split()) == [expected]


def test_sorted_bags_are_read_and_not_mapped_because_the_store_may_be_on_nfs(tmp_path):
    numbers = np.arange(3, dtype=np.int32)
    Sorted(numbers, np.array([0, 3], dtype=np.int64)).write(tmp_path)
    bags = Sorted.read(tmp_path)
    for name in ("ranks", "starts"):
        array = getattr(bags, name)
        assert not isinstance(array, np.memmap), name
        assert not isinstance(array.base, np.memmap), name
