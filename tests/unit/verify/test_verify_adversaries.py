"""Adversaries: the scope of their bounds, the folds, and the baselines that pass through."""

import msgspec
import pytest

from support.consistent_run import cell_of, date, shared_passage
from wdw_build.core.config.settings import AdversaryConfig, SplitConfig, SuppressConfig

# Problems by date: 8 and 9 are the oldest, 4 to 7 the most recent.
HELD_OUT = (4, 5, 6, 7)
CONFIG = AdversaryConfig(systems=("reader",), min_problems=1, scope="training")
# Only problem 7 is in the held-out period; by the default number, 5 and 6 would be held out, too.
BY_DATE = SplitConfig(test_from=date(7))


def judged(stages, held_out=HELD_OUT, columns=("reader",)):
    """Let an adversary that is right in every other problem answer all problems, in one column for each round."""
    for number, guesses in enumerate(stages["adversary"][0]):
        is_counted = number not in held_out
        is_right = number in (0, 2) if held_out == HELD_OUT else number % 2 == 0
        for column in columns:
            guesses["guesses"][column] = guesses["answer"] if is_right else 1 - guesses["answer"]
            guesses["scores"][column] = [float(at == guesses["guesses"][column]) for at in range(2)]
        guesses["fold"] = number % 3 if is_counted else None
        guesses["unbounded"] = [] if is_counted else list(columns)
        digit = str(int(is_right)) if is_counted else "-"
        stages["suppress"][0][number]["cell"] = cell_of(guesses)[:4] + digit * len(columns)


def test_adversaries_within_their_scope_pass(failing):
    assert failing(stages=judged, adversary=CONFIG) == []
    every = AdversaryConfig(systems=("reader",), scope="all")
    assert failing(stages=lambda stages: judged(stages, ()), adversary=every) == []


@pytest.mark.parametrize(
    ("change", "failed"),
    [({"unbounded": ["reader"]}, ["adversary-scope", "bounded-training"]), ({"fold": None}, ["adversary-scope"])],
)
def test_a_problem_that_is_wrongly_left_out_fails_adversary_scope(failing, change, failed):
    def stages(outputs):
        judged(outputs)
        outputs["adversary"][0][8].update(change)
        if "unbounded" in change:
            outputs["suppress"][0][8]["cell"] = outputs["suppress"][0][8]["cell"][:4] + "-"

    assert failing(stages=stages, adversary=CONFIG) == failed


def divided_by_date(stages):
    for number, assignment in enumerate(stages["split"][0]):
        assignment["split"] = "test" if number == 7 else "train"


def test_with_scope_training_only_problems_of_the_held_out_period_are_out_of_scope(failing):
    def stages(outputs):
        judged(outputs, held_out=(7,))
        divided_by_date(outputs)

    assert failing(stages=stages, adversary=CONFIG, split=BY_DATE) == []


def test_another_adversary_than_the_configured_one_fails_adversary_scope(failing):
    other = AdversaryConfig(systems=("other",), min_problems=1, scope="training")
    assert failing(stages=judged, adversary=other) == ["adversary-scope"]


@pytest.mark.parametrize(
    ("columns", "holds"),
    [
        (("reader", "reader-2"), True),
        (("reader", "reader-2", "reader-3"), False),
        (("reader", "reader-3"), False),
        (("reader-2",), False),
    ],
)
def test_rounds_that_are_not_the_first_ones_fail_adversary_scope(failing, columns, holds):
    two = msgspec.structs.replace(CONFIG, rounds=2)
    failed = failing(stages=lambda stages: judged(stages, columns=columns), adversary=two)
    assert failed == ([] if holds else ["adversary-scope"])


def test_a_training_problem_that_no_adversary_bounds_fails_bounded_training(failing):
    def stages(outputs):
        judged(outputs)
        outputs["split"][0][4]["split"] = "train"

    assert "bounded-training" in failing(stages=stages, adversary=CONFIG)


def test_a_second_round_with_pooled_bounds_fails_adversary_scope(failing):
    def stages(outputs):
        judged(outputs, columns=("reader", "reader-2"))

    pooled = SuppressConfig(bounds="pooled")
    assert failing(stages=stages, adversary=CONFIG, suppress=pooled) == ["adversary-scope"]


def test_an_adversary_that_is_bounded_in_one_round_only_fails_cells(failing):
    def stages(outputs):
        judged(outputs, columns=("reader", "reader-2"))
        kept = outputs["suppress"][0][0]
        kept["cell"] = kept["cell"][:5] + "-"

    assert failing(stages=stages, adversary=CONFIG) == ["cells"]


def test_a_passage_in_two_folds_fails_adversary_folds(failing):
    assert "adversary-folds" in failing(shared_passage(0, 1), stages=judged, adversary=CONFIG)


def test_changed_scores_of_a_baseline_fail_carried(failing):
    def stages(outputs):
        judged(outputs)
        outputs["baselines"][0][0]["scores"]["ngram"] = [0.1, 0.2]

    assert failing(stages=stages, adversary=CONFIG) == ["carried"]


@pytest.mark.parametrize("is_right", [True, False])
def test_an_adversary_off_chance_fails_strict_bound(failing, is_right):
    def stages(outputs):
        judged(outputs)
        for number, guesses in enumerate(outputs["adversary"][0]):
            guess = guesses["answer"] if is_right else 1 - guesses["answer"]
            guesses["guesses"]["reader"] = guess
            guesses["scores"]["reader"] = [float(at == guess) for at in range(2)]
            cell = outputs["suppress"][0][number]["cell"]
            outputs["suppress"][0][number]["cell"] = cell[:4] + ("-" if cell[4] == "-" else str(int(is_right)))

    free = SuppressConfig(relaxed=1.0)
    assert failing(stages=stages, adversary=CONFIG, suppress=free) == ["strict-bound"]


def filtered(stages, number, excluded, held_out=HELD_OUT):
    """A filter that excludes these alternatives of a problem that has two; the second alternative repeats the first."""
    judged(stages, held_out)
    for guesses in stages["adversary"][0]:
        guesses["unbounded"] = ["reader"]
    for kept in stages["suppress"][0]:
        kept["cell"] = kept["cell"][:4] + "-"
    again = {key: stages["adversary"][0][number][key] for key in ("choices", "answer", "guesses", "scores")}
    stages["adversary"][0][number] |= {"excluded": excluded, "others": [again]}
    before = stages["baselines"][0][number]
    before["others"] = [{key: before[key] for key in ("choices", "answer", "guesses", "scores")}]
    for name in ("choices", "dedup"):
        stages[name][0][number]["alternatives"] *= 2
    stages["suppress"][0][number]["alternatives"] = 2


@pytest.mark.parametrize(
    ("number", "excluded", "mode", "failed"),
    [
        (8, [1], "filter", []),
        (8, [0], "filter", ["selected"]),
        (8, [0, 1], "filter", ["adversary-scope", "selected"]),
        (8, [2], "filter", ["adversary-scope"]),
        (5, [1], "filter", ["adversary-scope"]),
        (8, [1], "suppress", ["adversary-scope"]),
    ],
)
def test_alternatives_that_no_filter_may_exclude_fail(failing, number, excluded, mode, failed):
    config = msgspec.structs.replace(CONFIG, mode=mode)
    assert failing(stages=lambda stages: filtered(stages, number, excluded), adversary=config) == failed


@pytest.mark.parametrize(("number", "failed"), [(6, []), (7, ["adversary-scope"])])
def test_a_filter_may_exclude_alternatives_until_the_held_out_period(failing, number, failed):
    def stages(outputs):
        filtered(outputs, number, [1], held_out=(7,))
        divided_by_date(outputs)

    config = msgspec.structs.replace(CONFIG, mode="filter")
    assert failing(stages=stages, adversary=config, split=BY_DATE) == failed


def test_changed_scores_of_another_alternative_fail_carried(failing):
    def stages(outputs):
        filtered(outputs, 8, [1])
        outputs["baselines"][0][8]["others"] = []

    assert failing(stages=stages, adversary=msgspec.structs.replace(CONFIG, mode="filter")) == ["carried"]
