"""The caps of suppression."""

import pytest

from support.consistent_run import problem, shared_passage
from wdw_build.core.config.settings import SuppressConfig


def capped(**limits):
    return SuppressConfig(**{"max_per_passage": 0, "max_per_event": 0, "max_per_answer": 0.0} | limits)


def test_more_problems_on_a_passage_than_the_cap_fail_passage_cap(failing):
    twice = shared_passage(3, 4)
    assert "passage-cap" in failing(problems=twice, suppress=capped(max_per_passage=1))
    assert "passage-cap" not in failing(problems=twice, suppress=capped(max_per_passage=2))
    assert "passage-cap" not in failing(problems=twice, suppress=capped())


def test_more_problems_on_an_event_than_the_cap_fail_event_cap(failing):
    alike = problem(4, like=3)
    alike["passage"]["article"] = "p3"
    assert "event-cap" in failing(problems={4: alike}, suppress=capped(max_per_event=1))
    assert "event-cap" not in failing(problems={4: alike}, suppress=capped(max_per_event=2))
    assert "event-cap" not in failing(problems=shared_passage(3, 4), suppress=capped(max_per_event=1))


def test_the_question_of_a_problem_is_of_the_event_of_a_passage(failing):
    alike = problem(4, like=3)
    alike["passage"]["article"] = "q3"
    assert "event-cap" in failing(problems={4: alike}, suppress=capped(max_per_event=1))


@pytest.mark.parametrize(
    ("limits", "holds"),
    [
        ({"max_per_answer": 1}, False),
        ({"max_per_answer": 2}, True),
        ({"max_per_answer": 0.19, "min_answer_cap": 1}, False),
        ({"max_per_answer": 0.2, "min_answer_cap": 1}, True),
        ({"max_per_answer": 0.1, "min_answer_cap": 2}, True),
        ({}, True),
    ],
)
def test_more_problems_with_an_answer_than_the_cap_fail_answer_cap(failing, limits, holds):
    assert ("answer-cap" not in failing(problems={4: problem(4, like=3)}, suppress=capped(**limits))) == holds
