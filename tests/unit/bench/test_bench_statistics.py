"""Intervals and tests against values computed by hand or from published tables."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_bench.table import mcnemar, over_seeds
from wdw_build.core.dataset_size import wilson
from wdw_build.reading import Prediction


def test_wilsons_interval_is_that_of_the_formula_and_that_of_nothing_is_everything():
    # 8 of 10, z = 1.959964: centre (8 + z²/2) / (10 + z²), half z / (10 + z²) * sqrt(8 * 2 / 10 + z² / 4).
    z = 1.959964
    centre, half = (8 + z * z / 2) / (10 + z * z), z / (10 + z * z) * math.sqrt(1.6 + z * z / 4)
    assert wilson(8, 10) == pytest.approx((centre - half, centre + half), abs=1e-6)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500), st.data())
def test_wilsons_interval_holds_the_accuracy_and_stays_within_0_and_1(problems, data):
    correct = data.draw(st.integers(0, problems))
    low, high = wilson(correct, problems)
    assert 0 <= low <= correct / problems <= high <= 1


def test_the_interval_over_three_seeds_is_students():
    # Mean .5, standard deviation .1, t(2, .975) = 4.302653: half the width is 4.302653 * .1 / sqrt(3).
    half = 4.302653 * 0.1 / math.sqrt(3)
    assert over_seeds([0.4, 0.5, 0.6]) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_mcnemars_test_is_the_exact_binomial_test_of_the_problems_that_one_system_solves():
    # 2 * (1 + 10 + 45) / 1024, and 2 / 2 ** 6.
    expected = {(0, 0): 1.0, (5, 5): 1.0, (1, 0): 1.0, (2, 8): 0.109375, (6, 0): 0.03125}
    for (one, other), p in expected.items():
        assert mcnemar(one, other) == mcnemar(other, one) == pytest.approx(p)


SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=6)


@given(SCORES, st.floats(0, 1, exclude_max=True), st.randoms())
def test_the_credit_of_a_prediction_does_not_depend_on_the_order_of_the_choices(scores, draw, random):
    answer, order = random.randrange(len(scores)), random.sample(range(len(scores)), len(scores))
    given_credit = Prediction(tuple(scores)).credit(answer, draw)
    shuffled = Prediction(tuple(scores[at] for at in order)).credit(order.index(answer), draw)
    assert (given_credit.share, given_credit.is_tied) == (shuffled.share, shuffled.is_tied)
    assert given_credit.is_tied or given_credit.is_right == (given_credit.share == 1.0)


@given(SCORES)
def test_the_credits_of_all_choices_are_one_and_every_draw_solves_one_of_them(scores):
    prediction = Prediction(tuple(scores))
    credits = [prediction.credit(answer, 0.7) for answer in range(len(scores))]
    assert sum(credit.share for credit in credits) == pytest.approx(1.0)
    assert sum(credit.is_right for credit in credits) == 1
