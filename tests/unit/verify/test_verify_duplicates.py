"""Near-duplicate questions."""

import itertools
import random
from fractions import Fraction

import pytest

from support.consistent_run import problem
from wdw_build.verify import dataset_checks


def test_two_kept_duplicates_fail_duplicates(failing):
    assert failing(problems={1: problem(1, like=0)}) == ["duplicates"]


@pytest.mark.parametrize("threshold", [0.5, 0.8, 1.0])
def test_the_index_finds_the_pairs_that_comparing_all_finds(threshold):
    rng = random.Random(7)
    bags = dataset_checks.bags_of(
        (f"p{number}", " ".join(rng.choices("abcdefghijkl", k=rng.randint(0, 9)))) for number in range(150)
    )
    every = {
        frozenset((one, other))
        for one, other in itertools.combinations(bags, 2)
        if bags[one] and bags[other]
        if len(bags[one] & bags[other]) >= Fraction(str(threshold)) * min(len(bags[one]), len(bags[other]))
    }
    assert {frozenset(pair) for pair in dataset_checks.pairs(bags, threshold)} == every
    assert every
