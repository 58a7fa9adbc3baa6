"""What the log and the summary say about the size of a dataset."""

import pytest

from wdw_build.core.dataset_size import FEW_PROBLEMS, few_problems, interval_of_test, no_held_out
from wdw_build.core.intervals import wilson


@pytest.mark.parametrize(
    ("strict", "start"),
    [
        (0, "WARNING: no strict problem is selected"),
        (1, "WARNING: only 1 strict problem is"),
        (99, "WARNING: only 99 "),
    ],
)
def test_few_problems_are_a_warning(strict, start):
    warning = few_problems(strict, 300, "KEY")
    assert warning.startswith(start)
    assert f"suppression left out {300 - strict} of 300 problems; KEY" in warning
    assert few_problems(FEW_PROBLEMS, 2 * FEW_PROBLEMS) == ""
    assert few_problems(FEW_PROBLEMS, 300, "KEY") == "suppression left out 200 of 300 problems; KEY"


def test_the_interval_is_that_of_wilson():
    low, high = wilson(9, 18)
    assert f"from {low:.0%} to {high:.0%} (Wilson), {100 * (high - low):.0f} points wide" in interval_of_test(18)
    assert "18 problems: a measured accuracy of 50% has a 95% interval from 29% to 71%" in interval_of_test(18)
    assert interval_of_test(0) == ""


def test_a_dataset_without_held_out_problems_says_why():
    assert no_held_out(3).endswith("of 3 strict problems, fewer than two can be held out; all are training")
    assert "of 9 strict problems, the latest 4 are one event; all" in no_held_out(9, "the latest 4 are one event")
