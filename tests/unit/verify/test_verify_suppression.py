"""Baselines, suppression and splits."""

import pytest

from support.consistent_run import FAMILY, WRONG, cell_of, problem, shared_passage
from support.run_alternatives import predictions_of
from wdw_build.core.config.settings import SplitConfig, SuppressConfig


def swapped_scores(stages):
    for guesses in predictions_of(stages, 2):
        guesses["scores"]["ngram"].reverse()


def first_person_by_hand(stages):
    """Guess, scores and cell agree with each other, and not with the passage."""
    for guesses in predictions_of(stages, 8):
        guesses["scores"]["first-person"].reverse()
        guesses["guesses"]["first-person"] = 1
    stages["suppress"][0][8]["cell"] = cell_of(guesses)


def other_scores_of_mentions(stages):
    """The guess is right."""
    for guesses in predictions_of(stages, 0):
        guesses["scores"]["most-frequent"] = [score + 1 for score in guesses["scores"]["most-frequent"]]


def later_of_a_tie(stages):
    for guesses in predictions_of(stages, 2):
        guesses["scores"]["unigram"] = [1.0, 1.0]
        guesses["guesses"]["unigram"] = 1


def another_answer_date(stages):
    stages["adversary"][0][0]["date"] = "2001-01-01"


@pytest.mark.parametrize(
    "stages",
    [
        swapped_scores,
        first_person_by_hand,
        other_scores_of_mentions,
        later_of_a_tie,
        another_answer_date,
    ],
)
def test_a_prediction_that_does_not_follow_from_the_scores_fails_guesses(failing, stages):
    assert failing(stages=stages) == ["guesses"]


@pytest.mark.parametrize("change", [{"cell": "1111"}, {"choices": 3}, {"draw": 0.5}])
def test_a_cell_that_does_not_follow_from_the_predictions_fails_cells(failing, change):
    assert failing(stages=lambda stages: stages["suppress"][0][0].update(change)) == ["cells"]


@pytest.mark.parametrize("change", [{"alternative": 1}, {"alternative": -1}])
def test_an_alternative_that_does_not_exist_fails_selected(failing, change):
    found = failing(stages=lambda stages: stages["suppress"][0][8].update(change))
    assert found == ["carried", "selected"]


def test_another_number_of_alternatives_fails_selected(failing):
    assert failing(stages=lambda stages: stages["suppress"][0][8].update(alternatives=2)) == ["selected"]


def test_two_alternatives_of_an_article_fail_selected(failing):
    def stages(outputs):
        outputs["suppress"][0].append(outputs["suppress"][0][8])

    assert failing(stages=stages) == ["accounting", "selected"]


def in_passage_of(number, other):
    """Problem ``number`` with the article of the question ``other`` as its passage."""
    made = problem(number)
    made["passage"]["article"] = f"q{other}"
    return {number: made}


# Problems 0 to 3, 8 and 9 are training, 5 and 7 are validation, 4 and 6 are test.
@pytest.mark.parametrize(
    ("shared", "number", "other", "fails"),
    [
        ("within-split", 0, 1, False),
        ("within-split", 8, 1, False),
        ("within-split", 3, 4, True),
        ("within-split", 4, 3, True),
        ("within-split", 4, 6, True),
        ("forbid", 0, 1, True),
        ("allow", 3, 4, False),
    ],
)
def test_shared_articles_finds_a_passage_that_is_another_problem_s_article(failing, shared, number, other, fails):
    found = failing(problems=in_passage_of(number, other), suppress=SuppressConfig(shared_articles=shared))
    assert ("shared-articles" in found) == fails


def test_within_split_a_rejected_problem_may_share_an_article(failing):
    def stages(outputs):
        outputs["split"][0][:] = [one for one in outputs["split"][0] if one["id"] != "q4"]

    assert "shared-articles" not in failing(problems=in_passage_of(3, 4), stages=stages)
    # Two selected problems that share an article, one of them rejected by the split.
    forbid = SuppressConfig(shared_articles="forbid")
    assert "shared-articles" in failing(problems=in_passage_of(3, 4), stages=stages, suppress=forbid)


def place(name, **changes):
    def stages(outputs):
        next(one for one in outputs["split"][0] if one["id"] == name).update(changes)

    return stages


def test_a_placement_at_another_level_fails_placement(failing):
    assert failing(stages=place("q0", level="relaxed")) == ["placement"]


def test_a_relaxed_problem_in_held_out_data_fails_placement(failing):
    def stages(outputs):
        outputs["suppress"][0][7]["strict"] = False

    # One strict problem fewer: a smaller share is held out, too.
    assert failing(stages=stages) == ["placement", "split-sizes"]


def test_training_after_held_out_data_or_within_the_gap_fails_split_dates(failing):
    def stages(outputs):
        place("q7", split="train")(outputs)
        place("q1", split="validation")(outputs)

    assert failing(stages=stages) == ["split-dates"]
    assert failing(split=SplitConfig(max_share=0.5, gap_days=5)) == ["split-dates"]


@pytest.mark.parametrize("change", [{"split": "test"}])
def test_other_sizes_than_configured_fail_split_sizes(failing, change):
    assert failing(stages=place("q7", **change)) == ["split-sizes"]
    assert failing(split=SplitConfig(max_share=0.25)) == ["split-sizes"]


BY_EVENT = SplitConfig(max_share=0.5, by_event=True)


def test_split_events_finds_an_article_in_two_splits_and_only_if_events_are_to_be_whole(failing):
    assert failing(split=BY_EVENT) == []
    assert {check.name: check.checked for check in failing.report.checks}["split-events"] == 10
    assert "split-events" in failing(split=BY_EVENT, problems=shared_passage(3, 4))
    assert "split-events" not in failing(problems=shared_passage(3, 4))
    assert "split-events" not in failing(split=BY_EVENT, problems=shared_passage(3, 2))


def test_split_events_finds_two_persons_in_two_splits_within_the_days(failing):
    # Problems 3 and 4 are two days apart; the wrong choice of 4 gets the answer of 3 as a namesake.
    alike = {4: problem(4, wrong=f"Ivor {FAMILY[3]}", other=f"Carl {WRONG[3]}")}
    assert "split-events" in failing(split=SplitConfig(max_share=0.5, by_event=True, event_days=2), problems=alike)
    assert "split-events" not in failing(split=BY_EVENT, problems=alike)


def test_split_sizes_let_an_event_make_the_difference(failing):
    def stages(outputs):
        place("q6", split="validation")(outputs)

    assert failing(stages=stages) == ["split-sizes"]
    assert "split-sizes" not in failing(stages=stages, split=BY_EVENT, problems=shared_passage(5, 7))
