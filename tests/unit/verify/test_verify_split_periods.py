"""Splits by date: each problem of a held-out day is in the set of its period, or rejected by a rule that is on."""

import pytest

from support.consistent_run import date, reject
from wdw_build.core.config.settings import SplitConfig

DATES = {"validation_from": date(4), "test_from": date(6)}
BY_DATE = SplitConfig(**DATES)
TRAIN_UNTIL, VALIDATION_UNTIL = date(4).isoformat(), date(6).isoformat()


def by_date(rejected=(), **moved):
    """Put each problem in the set of its period, or in the set that ``moved`` names; reject some: id -> reason."""

    def stages(outputs):
        records, rejections = outputs["split"]
        for one in records:
            day = one["date"]
            period = "train" if day < TRAIN_UNTIL else "validation" if day < VALIDATION_UNTIL else "test"
            one["split"] = moved.get(one["id"], period)
        records[:] = [one for one in records if one["id"] not in rejected]
        rejections += [reject(name, reason) for name, reason in dict(rejected).items()]

    return stages


def names(found):
    return [name for name in found if name.startswith("split-")]


def test_problems_in_the_sets_of_their_days_pass_whatever_the_sizes(failing):
    assert failing(split=BY_DATE, stages=by_date()) == []
    assert failing(split=SplitConfig(test_from=date(7)), stages=by_date(q4="train", q5="train", q6="train")) == []


@pytest.mark.parametrize("moved", [{"q4": "test"}, {"q7": "validation"}, {"q3": "validation"}])
def test_a_problem_in_the_set_of_another_period_fails(failing, moved):
    assert "split-periods" in names(failing(split=BY_DATE, stages=by_date(**moved)))


def test_training_ends_before_the_first_held_out_day_even_if_nothing_is_held_out(failing):
    everything = dict.fromkeys(("q4", "q5", "q6", "q7"), "train")
    assert names(failing(split=BY_DATE, stages=by_date(**everything))) == ["split-dates", "split-periods"]


@pytest.mark.parametrize(
    ("rule", "reason", "fails"),
    [
        ({}, "in-leaking-group", True),
        ({"one_per_group": True}, "in-leaking-group", False),
        ({"by_event": True}, "connected-with-held-out", False),
        ({"one_per_group": True}, "connected-with-held-out", True),
    ],
)
def test_a_strict_problem_of_a_held_out_day_is_rejected_only_by_a_rule_that_is_on(failing, rule, reason, fails):
    found = names(failing(split=SplitConfig(**DATES, **rule), stages=by_date({"q5": reason})))
    assert ("split-periods" in found) == fails
