"""The caps of suppression, and the articles that they dropped."""

import copy

import pytest

from support.consistent_run import problem, reject, shared_passage
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


def unselected(name, reason):
    """A change after which suppression rejects a relaxed problem."""

    def stages(outputs):
        for stage in ("suppress", "split"):
            outputs[stage][0][:] = [one for one in outputs[stage][0] if one["id"] != name]
        outputs["suppress"][1].append(reject(name, reason))

    return stages


def like_the_first():
    """Problem 8 has the passage of problem 0 and its answer, and other words in its question."""
    alike = problem(8, like=0)
    asked = alike["question"]
    for letter in "abcdef":
        asked["sentence"] = asked["sentence"].replace(f"t0{letter}", f"t8{letter}")
        asked["tokens"] = [token.replace(f"t0{letter}", f"t8{letter}") for token in asked["tokens"]]
    alike["passage"] = problem(0)["passage"]
    alike["choices"] = problem(0)["choices"]
    return {8: alike}


# The window of problem 8's passage is not that of its date.
FAR = ["window"]


@pytest.mark.parametrize(
    ("reason", "limits", "holds"),
    [
        ("passage-cap", {"max_per_passage": 1}, True),
        ("passage-cap", {"max_per_passage": 2}, False),
        ("passage-cap", {}, False),
        ("event-cap", {"max_per_event": 1}, True),
        ("event-cap", {"max_per_event": 2}, False),
        ("answer-cap", {"max_per_answer": 1}, True),
        ("answer-cap", {"max_per_answer": 2}, False),
        ("answer-cap", {"max_per_answer": 0.2, "min_answer_cap": 1}, True),
        ("answer-cap", {"max_per_answer": 0.2, "min_answer_cap": 2}, False),
        ("answer-cap", {"max_per_answer": 0.3, "min_answer_cap": 1}, False),
        ("answer-cap", {}, False),
        # Another cap is full than the one that is named.
        ("answer-cap", {"max_per_passage": 1}, False),
    ],
)
def test_an_article_dropped_below_the_cap_fails_dropped_by_cap(failing, reason, limits, holds):
    found = failing(problems=like_the_first(), stages=unselected("q8", reason), suppress=capped(**limits))
    assert found == FAR + ([] if holds else ["dropped-by-cap"])


@pytest.mark.parametrize(("excluded", "holds"), [((), False), ((1,), True)])
def test_an_article_with_an_alternative_under_all_caps_fails_dropped_by_cap(failing, excluded, holds):
    """Problem 8 has another person's problem as its second alternative, whose answer has no selected problem."""

    def stages(outputs):
        unselected("q8", "answer-cap")(outputs)
        for name in ("choices", "dedup"):
            record = next(one for one in outputs[name][0] if one["id"] == "q8")
            record["alternatives"].append(record["alternatives"][0] | {"answer": 1})
        for name in ("baselines", "adversary"):
            record = outputs[name][0][8]
            again = {key: copy.deepcopy(record[key]) for key in ("choices", "answer", "guesses", "scores")}
            record["others"] = [again | {"answer": 1}]
        outputs["adversary"][0][8]["excluded"] = list(excluded)

    found = failing(problems=like_the_first(), stages=stages, suppress=capped(max_per_answer=1))
    assert ("dropped-by-cap" not in found) == holds


def test_an_article_may_be_dropped_for_another_reason_below_all_caps(failing):
    assert failing(stages=unselected("q8", "suppressed"), suppress=capped(max_per_answer=1)) == []
