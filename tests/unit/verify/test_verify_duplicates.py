"""Near-duplicate questions, kept and dropped."""

import random

import pytest

from support.consistent_run import problem
from wdw_build.verify.checks import duplicates


def test_two_kept_duplicates_fail_duplicates(failing):
    assert failing(problems={1: problem(1, like=0)}) == ["duplicates"]


@pytest.mark.parametrize("original", ["q3", "d0", ""])
def test_a_duplicate_dropped_for_another_question_fails_dropped_duplicates(failing, original):
    def stages(outputs):
        outputs["dedup"][1][0]["detail"] = original

    assert failing(stages=stages) == ["dropped-duplicates"]


def test_a_duplicate_dropped_for_a_later_question_fails_dropped_duplicates(failing):
    def stages(outputs):
        for records in (outputs["choices"][0], outputs["questions"][0]):
            for one in records:
                if one["id"] == "d0":
                    one.get("question", one)["date"] = "2003-01-01"

    assert failing(stages=stages) == ["dropped-duplicates"]


def test_the_index_finds_the_pairs_that_comparing_all_finds():
    rng = random.Random(7)
    for threshold in (0.5, 0.8, 1.0):
        measure, numbers, bags = duplicates.Measure(threshold), duplicates.Bags(), {}
        for number in range(150):
            text = " ".join(rng.choices("abcdefghijkl", k=rng.randint(0, 9)))
            bags[f"p{number}"] = numbers.bag(text)
        every = {frozenset(pair) for pair in duplicates._every_pair(bags, measure)}
        assert {frozenset(pair) for pair in duplicates._indexed_pairs(bags, measure)} == every
        assert every
