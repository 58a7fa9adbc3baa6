"""Bounds on the selected problems, and the places of the answers."""

from types import SimpleNamespace

import msgspec
import pytest

from support.consistent_run import config, reject
from support.run_alternatives import solved_by_unigram
from wdw_build.core.config.settings import SuppressConfig
from wdw_build.verify.checked_run import Recorder, Selected, name_of
from wdw_build.verify.suppression_checks import answer_places, relaxed_bound, strict_bound

FREE = SuppressConfig(relaxed=1.0)


def test_a_baseline_above_the_strict_bound_fails_strict_bound(failing):
    # Six of eight are solved where four are allowed, and half a problem.
    assert failing(stages=solved_by_unigram(1, 2), suppress=FREE) == ["strict-bound"]
    assert failing(stages=solved_by_unigram(1), suppress=FREE) == ["strict-bound"]


def test_a_baseline_below_the_strict_bound_fails_strict_bound_only_by_choices(failing):
    stages = solved_by_unigram(0, right=False)
    assert failing(stages=stages) == ["strict-bound"]
    assert failing(stages=stages, suppress=SuppressConfig(bounds="pooled")) == []
    # A number is a bound from above.
    assert failing(stages=stages, suppress=SuppressConfig(strict=0.5)) == []


def test_a_baseline_above_the_relaxed_bound_fails_relaxed_bound(failing):
    # Problems 8 and 9 are relaxed only: six of ten are solved where five are allowed, and half a problem.
    assert failing(stages=solved_by_unigram(9)) == ["relaxed-bound"]
    assert failing(stages=solved_by_unigram(9), suppress=SuppressConfig(relaxed=0.55)) == []
    pooled = SuppressConfig(bounds="pooled", relaxed=0.55)
    assert failing(stages=solved_by_unigram(9), suppress=pooled) == []
    assert failing(stages=solved_by_unigram(9), suppress=SuppressConfig(bounds="pooled")) == ["relaxed-bound"]


def test_a_numeric_bound_is_not_below_chance_for_each_number_of_choices(failing):
    low = SuppressConfig(strict=0.3, relaxed=0.4)
    assert failing(suppress=low) == []
    assert failing(stages=solved_by_unigram(1), suppress=low) == ["strict-bound"]
    pooled = SuppressConfig(strict=0.3, relaxed=0.5, bounds="pooled")
    assert failing(suppress=pooled) == ["strict-bound"]


def test_the_relaxed_bound_may_be_exceeded_as_far_as_on_the_strict_problems(failing):
    # Chance allows four of eight; 0.2 of all ten allows two, and the strict problems alone exceed their two by two.
    low = SuppressConfig(bounds="pooled", relaxed=0.2)

    def stages(outputs):
        for name in ("suppress", "split"):
            outputs[name][0][:] = [one for one in outputs[name][0] if one["id"] not in ("q8", "q9")]
        outputs["suppress"][1].extend([reject("q8", "suppressed"), reject("q9", "suppressed")])

    assert failing(stages=stages, suppress=low) == []
    assert failing(suppress=low) == ["relaxed-bound"]


def solved(cell, choices, *places):
    return Selected("q", True, cell, choices, places, "p", "answer")


def checked(problems, further=(), **settings):
    """The checks of bounds that fail for these strict problems and further relaxed ones."""
    every = [*problems, *(one._replace(strict=False) for one in further)]
    given = msgspec.structs.replace(config(), suppress=SuppressConfig(**settings))
    run = SimpleNamespace(predictors=("reader",), selected=dict(enumerate(every)), config=given)
    recorders = {check: Recorder() for check in (strict_bound, relaxed_bound, answer_places)}
    for check, recorder in recorders.items():
        check(run, recorder)
    return [name_of(check) for check, recorder in recorders.items() if recorder.result(check).failures]


def test_each_number_of_choices_has_a_bound_of_its_own():
    """With two choices the system is always right, with three never: at chance over both."""
    two = [solved("1", 2, place, place) for place in (0, 1)]
    three = [solved("0", 3, place, place) for place in (0, 1, 2)]
    assert checked(two + three, relaxed=1.0) == ["strict-bound"]
    assert checked(two + three, relaxed=1.0, bounds="pooled") == []


def test_a_problem_that_a_bound_does_not_count_is_left_out():
    one = [solved("1", 2, 0, 0), solved("0", 2, 1, 1)]
    assert checked([*one, *([solved("-", 2, 0, 1), solved("-", 2, 1, 0)] * 3)]) == []
    assert checked([*one, *([solved("0", 2, 0, 1), solved("0", 2, 1, 0)] * 3)]) == ["strict-bound"]


@pytest.mark.parametrize("ranking", [0, 1])
def test_a_place_with_too_many_answers_fails_answer_places(ranking):
    def of(places):
        """Problems with these places by one ranking, and both places in turn by the other; every second one is solved."""
        pairs = [(place, number % 2) for number, place in enumerate(places)]
        return [solved("01"[pair[1]], 2, *(pair if ranking == 0 else reversed(pair))) for pair in pairs]

    assert checked(of([0, 1, 0, 1])) == []
    # Three of four are one more than two.
    assert checked(of([0, 0, 0, 1])) == []
    assert checked(of([0, 0, 0, 0])) == ["answer-places"]
    assert checked(of([1, 1, 1, 1])) == ["answer-places"]
    assert checked(of([0, 0, 0, 0]), bounds="pooled") == []
    assert checked(of([0, 0, 0, 0]), strict=0.5) == []


def test_places_are_uniform_on_relaxed_problems_if_their_bound_is_chance():
    strict = [solved("1", 2, 0, 1), solved("0", 2, 1, 0)]
    relaxed = [solved("1", 2, 0, 1), solved("0", 2, 0, 0), solved("1", 2, 0, 1), solved("0", 2, 0, 0)]
    assert checked(strict, relaxed, relaxed="chance") == ["answer-places"]
    assert checked(strict, relaxed, relaxed=0.5) == []
