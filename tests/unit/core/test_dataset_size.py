"""What the log and the summary say about the size of a dataset."""

from wdw_build.core.dataset_size import (
    FEW_PROBLEMS,
    few_problems,
    interval_of_test,
    no_held_out,
    suppression_note,
    wilson,
)


def test_few_problems_are_a_warning_and_the_log_says_what_cost_them():
    for strict, start in {0: "no strict problem is selected", 1: "only 1 strict problem is", 99: "only 99 "}.items():
        assert few_problems(strict).startswith(f"WARNING: {start}")
        lost = f"suppression left out {300 - strict} of 300 problems"
        assert suppression_note(strict, 300, "KEY").startswith(f"{few_problems(strict)}; {lost}; KEY; ")


def test_of_enough_problems_the_log_says_only_that_many_were_lost():
    assert few_problems(FEW_PROBLEMS) == ""
    assert suppression_note(FEW_PROBLEMS, 2 * FEW_PROBLEMS, "KEY") == ""
    assert suppression_note(FEW_PROBLEMS, 300, "KEY") == "suppression left out 200 of 300 problems; KEY"


def test_the_interval_is_that_of_wilson():
    low, high = wilson(1, 2)
    words = f"from {low:.0%} to {high:.0%} (Wilson), {100 * (high - low):.0f} points wide"
    assert interval_of_test(2) == f"the test set has 2 problems: a measured accuracy of 50% has a 95% interval {words}"
    assert words == "from 9% to 91% (Wilson), 81 points wide"
    assert interval_of_test(0) == ""


def test_a_dataset_without_held_out_problems_says_why():
    start = "WARNING: there is no validation and no test set: of 3 strict problems, "
    assert no_held_out(3) == f"{start}fewer than two can be held out; all are training"
    assert "of 9 strict problems, the latest 4 are one event; all" in no_held_out(9, "the latest 4 are one event")
