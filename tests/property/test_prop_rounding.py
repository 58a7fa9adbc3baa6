"""Rounding that errors of computation do not change: ``core.rounding``."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wdw_build.core.rounding import correctly_rounded, is_uncertain

VALUES = st.floats(-1.0, 1.0) | st.integers(-1999, 1999).map(lambda thousandths: thousandths / 2000)
ERRORS = st.floats(1e-8, 1e-4)


@given(st.lists(st.tuples(VALUES, st.floats(-0.99, 0.99)), max_size=5), ERRORS)
@example([(0.1235, -0.5)], 1e-6)
@example([(0.0, 0.5)], 1e-6)
def test_any_error_below_the_bound_leaves_the_rounded_values_as_they_are(pairs, error):
    exact = [value for value, _ in pairs]
    computed = [value + share * error for value, share in pairs]
    found = correctly_rounded(computed, error, lambda positions: [exact[position] for position in positions])
    assert found == np.array(exact).round(3).tolist()


@given(VALUES, ERRORS)
def test_a_value_is_uncertain_only_near_the_middle_between_two_rounded_values(value, error):
    middle = (np.floor(value * 1000) + 0.5) / 1000
    if abs(value - middle) > error + 1e-11:
        assert not is_uncertain(value, error)
    if abs(value - middle) < error:
        assert is_uncertain(value, error)


def test_only_uncertain_values_are_computed_exactly():
    asked = []

    def exact(positions):
        asked.extend(positions)
        return [0.1235001] * len(positions)

    assert correctly_rounded([0.1234, 0.1234999, 0.7], 1e-6, exact) == [0.123, 0.124, 0.7]
    assert asked == [1]


@pytest.mark.parametrize("decimals", [1, 2, 3])
def test_errors_may_differ_between_values(decimals):
    middle = 0.5 * 10**-decimals
    assert is_uncertain([middle + 1e-5] * 2, [1e-4, 1e-6], decimals).tolist() == [True, False]
