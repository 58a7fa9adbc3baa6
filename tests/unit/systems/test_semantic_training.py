"""The latent max-margin model: the supporting sentence, the objective's gradient, the prior, and the choice of C."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from wdw_bench.systems.semantic.system import PENALTIES, Objective, best_rows, choose_penalty, fit, pack, right


def problem_of(*choices):
    """Features (C, S, F) of one problem, written as choices of sentences of features."""
    return np.array(choices, np.float32)


def packed(problems):
    return pack([values for values, _ in problems], [answer for _, answer in problems])


def random_problems(count, noise, seed):
    """The answer has one sentence in which feature 0 is high; feature 1 means nothing."""
    generator = np.random.default_rng(seed)
    problems = []
    for _ in range(count):
        values, answer = generator.normal(0, noise, (3, 4, 2)), int(generator.integers(3))
        values[answer, generator.integers(4), 0] += 2
        problems.append((values.astype(np.float32), answer))
    return problems


def test_each_choice_is_scored_by_its_best_sentence_and_ties_go_to_the_first():
    examples = pack([problem_of([[0, 1], [2, 0]], [[1, 1], [1, 1]]), problem_of([[5, 5]], [[5, 5]])], [0, 0])
    rows, scores = best_rows(examples, np.array([1.0, 0.5]))
    assert rows.tolist() == [1, 2, 4, 5]
    assert scores.tolist() == [2, 1.5, 7.5, 7.5]
    assert right(examples, np.array([1.0, 0.5])).tolist() == [True, True]
    # Of equal choices, the first is chosen.
    assert right(pack([problem_of([[1.0]], [[1.0]])], [1]), np.array([1.0])).tolist() == [False]


def test_the_gradient_is_that_of_the_objective():
    examples = packed(random_problems(12, 1.0, seed=1))
    weights, prior = np.array([0.3, -0.2]), np.array([0.1, 0.1])
    rows, _ = best_rows(examples, weights)
    objective = Objective(examples, examples.rows[rows[examples.answers]].astype(np.float64), prior, 0.3)
    numeric = approx_fprime(weights, lambda changed: objective(changed)[0], 1e-3)
    assert objective(weights)[1] == pytest.approx(numeric, rel=0.02, abs=0.02)


def test_one_problem_gives_the_weights_of_the_closed_form_and_without_a_penalty_those_of_the_prior():
    # One feature, 1 for the answer and 0 for the other choice: (w - p)^2 / 2 + C (1 - w)^2 is least at (p + 2 C) / (1 + 2 C).
    examples = pack([problem_of([[1.0]], [[0.0]])], [0])
    assert fit(examples, np.array([0.2]), 0.5)[0] == pytest.approx((0.2 + 1) / 2, abs=1e-3)
    assert fit(examples, np.array([0.7]), 0.0).tolist() == [0.7]


def test_the_weight_of_the_telling_feature_is_learnt_from_a_weak_prior():
    examples = packed(random_problems(200, 0.3, seed=2))
    prior = np.array([0.1, 0.5])
    assert right(examples, prior).mean() < 0.7
    assert right(examples, fit(examples, prior, 0.1)).mean() > 0.95


def test_a_good_prior_is_kept_where_training_adds_nothing():
    assert choose_penalty(random_problems(30, 0.3, 3), random_problems(30, 0.3, 4), np.array([1.0, 0.0])) == 0


def test_a_bad_prior_is_given_up():
    for validation in (random_problems(30, 0.3, 4), random_problems(250, 0.3, 5)):
        assert choose_penalty(random_problems(30, 0.3, 3), validation, np.array([0.1, 0.5])) > 0


def test_without_problems_the_prior_is_kept():
    assert choose_penalty([], [], np.array([1.0])) == PENALTIES[0] == 0
