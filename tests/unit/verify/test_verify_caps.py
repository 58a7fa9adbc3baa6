"""The caps of dedup, and the problems that they dropped."""

import copy

import pytest

from support.consistent_run import first_sentence, problem, reject, shared_passage
from wdw_build.core.config.settings import DedupConfig


def capped(**limits):
    return DedupConfig(**{"max_per_passage": 0, "max_per_event": 0, "max_per_answer": 0.0} | limits)


def test_more_problems_on_a_passage_than_the_cap_fail_passage_cap(failing):
    twice = shared_passage(3, 4)
    assert "passage-cap" in failing(problems=twice, dedup=capped(max_per_passage=1))
    assert "passage-cap" not in failing(problems=twice, dedup=capped(max_per_passage=2))
    assert "passage-cap" not in failing(problems=twice, dedup=capped())


def test_more_problems_on_an_event_than_the_cap_fail_event_cap(failing):
    alike = problem(4, like=3)
    alike["passage"]["article"] = "p3"
    assert "event-cap" in failing(problems={4: alike}, dedup=capped(max_per_event=1))
    assert "event-cap" not in failing(problems={4: alike}, dedup=capped(max_per_event=2))
    assert "event-cap" not in failing(problems=shared_passage(3, 4), dedup=capped(max_per_event=1))


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
    assert ("answer-cap" not in failing(problems={4: problem(4, like=3)}, dedup=capped(**limits))) == holds


@pytest.mark.parametrize(
    ("reason", "detail", "limits", "holds"),
    [
        ("passage-cap", "", {"max_per_passage": 1}, True),
        ("passage-cap", "", {"max_per_passage": 2}, False),
        ("passage-cap", "", {}, False),
        ("event-cap", "q0", {"max_per_event": 1}, True),
        ("event-cap", "q0", {"max_per_event": 2}, False),
        ("event-cap", "q1", {"max_per_event": 1}, False),
        ("answer-cap", "", {"max_per_answer": 1}, True),
        ("answer-cap", "", {"max_per_answer": 2}, False),
        ("answer-cap", "", {"max_per_answer": 0.5, "min_answer_cap": 1}, True),
        ("answer-cap", "", {"max_per_answer": 0.5, "min_answer_cap": 2}, False),
        ("answer-cap", "", {}, False),
    ],
)
def test_a_problem_dropped_below_the_cap_fails_dropped_by_cap(failing, reason, detail, limits, holds):
    def stages(outputs):
        outputs["dedup"][1][:] = [reject("d0", reason, detail)]

    assert failing(stages=stages, dedup=capped(**limits)) == ([] if holds else ["dropped-by-cap"])


def test_a_duplicate_may_be_one_of_a_problem_that_a_cap_dropped(failing):
    """Problem d0 is a duplicate of c0, which the cap on answers dropped for q0."""

    def stages(outputs):
        for name in ("questions", "retrieve", "choices"):
            earlier = copy.deepcopy(next(one for one in outputs[name][0] if one["id"] == "q0"))
            earlier["id"] = "c0"
            if name == "choices":
                earlier["question"]["id"] = "c0"
            outputs[name][0].append(earlier)
        article = copy.deepcopy(next(one for one in outputs["ingest"][0] if one["id"] == "q0")) | {"id": "c0"}
        outputs["ingest"][0].append(article)
        outputs["index"][0].append({"id": "c0", "day": 12000, "words": 20})
        outputs["sentences"][0].append(first_sentence(article))
        outputs["names"][0].append({"id": "c0", "names": 0})
        outputs["dedup"][1][:] = [reject("d0", "duplicate-question", "c0"), reject("c0", "answer-cap", "dora finch")]

    assert failing(stages=stages, dedup=capped(max_per_answer=1)) == []
    assert failing(stages=stages, dedup=capped(max_per_answer=2)) == ["dropped-by-cap"]
