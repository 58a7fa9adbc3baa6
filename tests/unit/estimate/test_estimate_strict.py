"""How many strict problems to expect."""

import pytest

from support import toy_pipeline as toy
from wdw_build.cli.render import estimate as estimate_text
from wdw_build.estimate import estimate
from wdw_build.estimate.strict import expected_strict, strict_share
from wdw_build.pipeline import BY_NAME


def test_more_alternatives_and_less_repetition_give_more_problems():
    shares = [strict_share(alternatives, 0.5) for alternatives in (1, 4.3, 6.3, 7.9)]
    # BuzzFeed-Webis with choices.max_alternatives 1, 6, 12 and 24.
    assert shares == pytest.approx([39 / 234, 93 / 234, 106 / 234, 108 / 234], abs=0.02)
    assert strict_share(5, 0.1) > strict_share(5, 0.3)


def test_a_range_surrounds_the_number_and_ends_at_the_articles():
    expected = expected_strict(100, [30] * 20, [str(number) for number in range(20)])
    assert expected.low < expected.strict <= expected.high == 100
    assert (expected.basis, expected.alternatives) == ("extrapolated", 30.0)
    assert expected_strict(100, [], []).basis == "assumed"


def told(folder, running, names=None):
    return estimate(toy.pipeline(folder), names, running, toy.ports())


def test_the_dry_run_says_it(tmp_path):
    found = told(tmp_path, list(BY_NAME))
    assert found.problems.basis == "extrapolated"
    assert f"strict problems in the end: about {found.problems.strict}, between" in estimate_text(found)


def test_a_plan_that_ends_before_suppression_says_nothing(tmp_path):
    assert told(tmp_path, ["ingest"], ["ingest"]).problems is None


def test_a_finished_selection_is_counted(tmp_path):
    pipeline = toy.pipeline(tmp_path)
    pipeline.run()
    strict = sum(decision.strict for decision in pipeline.output("suppress").records())
    found = told(tmp_path, ["split", "export"])
    assert (found.problems.strict, found.problems.basis) == (strict, "counted")
    assert f"strict problems in the end: {strict} (counted)" in estimate_text(found)
