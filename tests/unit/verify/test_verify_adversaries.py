"""Adversaries: the scope of their bounds, the folds, and the baselines that pass through."""

from types import SimpleNamespace

import pytest

from support.consistent_run import cell_of, shared_passage
from wdw_build.core.config.settings import AdversaryConfig
from wdw_build.records import Rejection
from wdw_build.verify.checks.adversaries import _check_dropped
from wdw_build.verify.report import Recorders

# Problems by date: 8 and 9 are the oldest, 5 to 7 the most recent.
HELD_OUT = (5, 6, 7)
CONFIG = AdversaryConfig(systems=("reader",), min_problems=1, held_out_share=0.3)


def judged(stages, scope="training"):
    """Let an adversary that is always wrong answer every problem."""
    for number, guesses in enumerate(stages["adversary"][0]):
        guesses["guesses"]["reader"] = 1 - guesses["answer"]
        guesses["scores"]["reader"] = [float(at != guesses["answer"]) for at in range(2)]
        is_counted = scope == "all" or number not in HELD_OUT
        guesses["fold"] = number % 3 if is_counted else None
        guesses["unbounded"] = [] if is_counted else ["reader"]
        stages["suppress"][0][number]["cell"] = cell_of(guesses)[:4] + ("0" if is_counted else "-")


def test_adversaries_within_their_scope_pass(failing):
    assert failing(stages=judged, adversary=CONFIG) == []
    assert (
        failing(
            stages=lambda stages: judged(stages, "all"), adversary=AdversaryConfig(systems=("reader",), scope="all")
        )
        == []
    )


@pytest.mark.parametrize("change", [{"unbounded": ["reader"]}, {"fold": None}])
def test_a_problem_that_is_wrongly_left_out_fails_adversary_scope(failing, change):
    def stages(outputs):
        judged(outputs)
        outputs["adversary"][0][0].update(change)
        if "unbounded" in change:
            outputs["suppress"][0][0]["cell"] = outputs["suppress"][0][0]["cell"][:4] + "-"

    assert failing(stages=stages, adversary=CONFIG) == ["adversary-scope"]


def test_another_adversary_than_the_configured_one_fails_adversary_scope(failing):
    assert failing(
        stages=judged, adversary=AdversaryConfig(systems=("other",), min_problems=1, held_out_share=0.3)
    ) == ["adversary-scope"]


@pytest.mark.parametrize(
    ("detail", "mode", "wrong"),
    [
        ("reader 4 of 5 rounds", "filter", False),
        ("reader 3 of 5 rounds", "filter", True),
        ("reader 4 of 5 rounds", "suppress", True),
    ],
)
def test_a_problem_that_no_filter_may_drop_fails_adversary_scope(tmp_path, detail, mode, wrong):
    recorders = Recorders()
    rejection = Rejection(id="q1", reason="solved-by-adversary", detail=detail)
    files = SimpleNamespace(rejections=lambda stage: [rejection])
    _check_dropped(files, AdversaryConfig(mode=mode), {"q1"}, recorders)
    assert bool(recorders["adversary-scope"].result().failures) is wrong


def test_a_passage_in_two_folds_fails_adversary_folds(failing):
    assert "adversary-folds" in failing(shared_passage(0, 1), stages=judged, adversary=CONFIG)


def test_changed_scores_of_a_baseline_fail_carried(failing):
    def stages(outputs):
        judged(outputs)
        outputs["baselines"][0][0]["scores"]["ngram"] = [0.1, 0.2]

    assert failing(stages=stages, adversary=CONFIG) == ["carried"]


def test_an_adversary_above_the_bound_fails_strict_bound(failing):
    def stages(outputs):
        judged(outputs)
        for number, guesses in enumerate(outputs["adversary"][0]):
            guesses["guesses"]["reader"] = guesses["answer"]
            guesses["scores"]["reader"].reverse()
            cell = outputs["suppress"][0][number]["cell"]
            outputs["suppress"][0][number]["cell"] = cell[:4] + cell[4].replace("0", "1")

    assert "strict-bound" in failing(stages=stages, adversary=CONFIG)
