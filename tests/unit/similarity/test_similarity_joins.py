"""Exact similarity joins: many batches, and how bags are read; what they find is held to brute force in ``test_joins_exact``."""

import numpy as np

from support.joins import bags_of, duplicates
from wdw_build.similarity.overlaps import Sorted
from wdw_build.text.tokens import elements

A = "a b c d e".split()


def test_repeated_words_are_numbered_so_that_a_bag_is_a_set():
    assert elements("a b a".split()) == ["a", "b", ("a", 2)]


def test_a_pair_that_is_found_in_many_batches_counts_once(monkeypatch):
    """The batches are bounded; here so tightly that each batch is one look-up."""
    monkeypatch.setattr("wdw_build.similarity.overlaps._BATCH", 64)
    every = [[*A, str(number), *[f"{number // 2} {word}" for word in A]] for number in range(40)]
    assert duplicates(bags_of(every), 0.8, range(40)) == {number: number - 1 for number in range(1, 40, 2)}


def test_sorted_bags_are_read_and_not_mapped_because_the_store_may_be_on_nfs(tmp_path):
    Sorted(np.arange(3, dtype=np.int32), np.array([0, 3], dtype=np.int64)).write(tmp_path)
    bags = Sorted.read(tmp_path)
    for name in ("ranks", "starts"):
        array = getattr(bags, name)
        assert not isinstance(array, np.memmap), name
        assert not isinstance(array.base, np.memmap), name
