"""Calibrated confidence: by hand for two choices, and the same for scores on any scale."""

import pytest

from wdw_build.stages.adversary.judge import confidences


def test_the_confidence_is_the_share_of_right_answers_by_hand():
    # Two choices one point apart: the best probability of the higher one is the share of problems in which it is right.
    assert confidences([(1.0, 0.0)] * 4, [0, 0, 0, 1]) == [pytest.approx(0.75, abs=1e-6)] * 4


@pytest.mark.parametrize("scale", [1e-3, 1.0, 50.0])
def test_the_scale_of_the_scores_makes_no_difference(scale):
    scores = [(0.9, 0.1, 0.0), (0.2, 0.5, 0.1), (0.3, 0.2, 0.6), (0.1, 0.0, 0.4)]
    scaled = [tuple(scale * value for value in values) for values in scores]
    answers = [0, 1, 0, 2]
    assert confidences(scaled, answers) == pytest.approx(confidences(scores, answers), abs=1e-6)


def test_scores_that_are_mostly_wrong_give_the_confidence_of_chance():
    assert confidences([(1.0, 0.0)] * 4, [1, 1, 1, 0]) == [pytest.approx(0.5, abs=1e-3)] * 4


def test_equal_scores_and_no_problems_are_no_error():
    assert confidences([(0.0, 0.0)], [1]) == [0.5]
    assert confidences([], []) == []
