"""The log-linear ranker of the probes against cases counted by hand."""

import math

import numpy as np
import pytest

from wdw_build.reading.probes import log_linear


def examples(*problems):
    """Examples from (features of each choice, answer)."""
    encoded = ((log_linear.encode([choice.split() for choice in choices]), answer) for choices, answer in problems)
    return log_linear.collected(encoded)


def scores(weights, *choices):
    return log_linear.choice_scores(examples((choices, 0)), weights)


def test_one_weight_has_the_analytic_optimum():
    # With x = f(answer) - f(other) = 1 in three problems and -1 in one: 3 σ(-w) - σ(w) = penalty · w / 2, because the two
    # features have opposite weights w/2.
    data = examples(*[(("right", "wrong"), 0)] * 3, (("right", "wrong"), 1))
    weights, _ = log_linear.fit(data, [1.0], data)
    right, wrong = scores(weights, "right", "wrong")
    difference = right - wrong
    sigmoid = 1 / (1 + math.exp(difference))
    assert right == pytest.approx(-wrong, abs=1e-6)
    assert 3 * sigmoid - (1 - sigmoid) == pytest.approx(difference / 2, abs=1e-3)


def test_scores_are_the_sums_of_the_weights_of_a_choice():
    weights = np.zeros(1 << log_linear.HASH_BITS)
    first, second = log_linear.feature_ids(["a", "b"])
    weights[first], weights[second] = 2.0, -0.5
    assert scores(weights, "a", "a b", "c").tolist() == [2.0, 1.5, 0.0]


def test_a_number_counts_as_often_as_its_value():
    data = log_linear.collected([(log_linear.encode([["a"], ["a"]], [{"n": 1.5}, {"n": -2.0}]), 0)])
    weights = np.zeros(1 << log_linear.HASH_BITS)
    first, second = log_linear.feature_ids(["a", "n"])
    weights[first], weights[second] = 1.0, 0.5
    assert log_linear.choice_scores(data, weights).tolist() == [1.75, 0.0]


def test_the_weight_of_a_number_has_the_analytic_optimum():
    # In each problem the number of the answer is greater by 2: the loss falls by 2 (1 - σ(2w)), the penalty rises by w.
    data = log_linear.collected([(log_linear.encode([["a"], ["a"]], [{"n": 1.0}, {"n": -1.0}]), 0)] * 2)
    weights, _ = log_linear.fit(data, [2.0], data)
    (weight,) = weights[log_linear.feature_ids(["n"])]
    assert 2 * (1 - 1 / (1 + math.exp(-2 * weight))) == pytest.approx(weight, abs=1e-3)


def test_the_penalty_with_the_least_held_out_loss_is_taken():
    training = examples(*[(("right noise", "wrong"), 0)] * 20)
    agreeing = examples((("right", "wrong"), 0))
    opposed = examples((("right", "wrong"), 1))
    assert log_linear.fit(training, [100.0, 1.0], agreeing)[1] == 1.0
    assert log_linear.fit(training, [100.0, 1.0], opposed)[1] == 100.0


def test_the_ids_of_features_are_those_of_saved_models():
    assert log_linear.feature_ids(["name=ann fox", "choice"]) == [478107, 744082]
