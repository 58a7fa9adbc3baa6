"""adversary: which problems are bounded, who judges whom, what a filter drops, and what happens without adversaries."""

import pytest

from support import fakes, make, stage_runs
from wdw_build.errors import ConfigError
from wdw_build.records import BaselinePredictions
from wdw_build.stages.adversary import STAGE

COUNT = 20


def problem(number, passage=None):
    """The problem of one day about three persons of its own; the answer of every third one is the last choice."""
    names = [f"{given} Lee{number:02}" for given in ("Ann", "Bo", "Cy")]
    answer = 2 if number % 3 == 0 else 0
    asked = make.question(
        f"q{number:02}", f"{names[answer]} met Dee Orr{number:02} today.", names[answer], date=make.day(number)
    )
    text = f"{names[0]} spoke. {names[1]} slept. {names[2]} left."
    return make.problem(asked.id, asked, text, names, answer, article_id=passage)


def problems():
    return [problem(number) for number in range(COUNT)]


def predictions(one):
    guesses = {"first-person": 0, "ngram": 1}
    scores = {name: tuple(float(at == guess) for at in range(3)) for name, guess in guesses.items()}
    return BaselinePredictions(id=one.id, date=one.date, choices=3, answer=one.answer, guesses=guesses, scores=scores)


def run(folder, *names, given=None, **settings):
    given = given or problems()
    adversaries = fakes.FakeAdversaries(*names)
    section = STAGE.config(**{"systems": names, "min_problems": 1, "folds": 4, "held_out_share": 0.3, **settings})
    inputs = {"baselines": [predictions(one) for one in given], "dedup": given, "pseudonyms": []}
    ran = stage_runs.run_stage(STAGE, folder, inputs, section=section, adversaries=adversaries)
    return ran, adversaries


def test_the_guesses_of_the_baselines_come_first_and_stay(tmp_path):
    ran, _ = run(tmp_path, "last")
    assert {tuple(one.guesses.items()) for one in ran.records.values()} == {
        (("first-person", 0), ("ngram", 1), ("last", 2))
    }
    assert ran.records["q00"].scores["last"] == (0.0, 1.0, 2.0)


def test_by_default_the_most_recent_problems_are_not_bounded_and_have_no_fold(tmp_path):
    ran, _ = run(tmp_path, "last", held_out_share=0.25)
    unbounded = {one.id for one in ran.records.values() if one.unbounded == ("last",)}
    assert unbounded == {f"q{number:02}" for number in range(15, 20)}
    assert unbounded == {one.id for one in ran.records.values() if one.fold is None}


def test_with_scope_all_every_problem_is_bounded(tmp_path):
    ran, _ = run(tmp_path, "last", scope="all")
    assert all(one.unbounded == () and one.fold is not None for one in ran.records.values())


def test_problems_with_one_passage_are_in_one_fold(tmp_path):
    given = [problem(number, passage=f"p{number // 2}") for number in range(COUNT)]
    ran, _ = run(tmp_path, "last", given=given, scope="all")
    folds = [ran.records[f"q{number:02}"].fold for number in range(COUNT)]
    assert folds[::2] == folds[1::2]
    assert sorted(set(folds)) == [0, 1, 2, 3]


def test_a_filter_drops_what_is_solved_with_confidence_in_most_rounds_and_bounds_nothing(tmp_path):
    ran, adversaries = run(
        tmp_path, "last", mode="filter", rounds=3, least_rounds=2, confidence=0.3, held_out_share=0.25
    )
    assert ran.reasons == {f"q{number:02}": "solved-by-adversary" for number in range(0, 15, 3)}
    assert ran.rejections["q00"].detail == "last 3 of 3 rounds"
    assert all(one.unbounded == ("last",) for one in ran.records.values())
    assert len(adversaries.folds) == 3
    assert adversaries.folds[0] != adversaries.folds[1]


def test_a_filter_keeps_what_is_solved_without_confidence(tmp_path):
    # The adversary solves one problem in three by the last choice, so no calibration makes it sure of that choice.
    ran, _ = run(tmp_path, "last", mode="filter", rounds=3, least_rounds=1, confidence=0.75)
    assert not ran.rejections


def test_problems_about_fewer_events_than_folds_pass_unchanged(tmp_path):
    given = [problem(number, passage=f"p{number % 3}") for number in range(COUNT)]
    ran, adversaries = run(tmp_path, "last", given=given, scope="all")
    assert not adversaries.folds
    assert all(tuple(one.guesses) == ("first-person", "ngram") for one in ran.records.values())


@pytest.mark.parametrize("settings", [{"systems": ()}, {"min_problems": COUNT}])
def test_without_adversaries_or_with_too_few_problems_the_predictions_pass_unchanged(tmp_path, settings):
    ran, adversaries = run(tmp_path, "last", **settings)
    assert not adversaries.folds
    assert all(tuple(one.guesses) == ("first-person", "ngram") for one in ran.records.values())
    assert len(ran.records) == COUNT


@pytest.mark.parametrize(
    ("names", "settings", "message"),
    [
        (("last", "last"), {}, "adversary.systems has 'last' 2 times"),
        (("last",), {"rounds": 3, "least_rounds": 4}, r"least_rounds \(4\) is above adversary.rounds \(3\)"),
    ],
)
def test_settings_that_contradict_each_other_are_refused_before_any_stage_runs(names, settings, message):
    with pytest.raises(ConfigError, match=message):
        STAGE.config(systems=names, **settings)


def test_an_adversary_named_like_a_baseline_is_refused_before_any_is_trained(tmp_path, monkeypatch):
    monkeypatch.setattr(fakes.FakeAdversaries, "scores", None)
    with pytest.raises(ConfigError, match="'ngram' is a baseline already"):
        run(tmp_path, "last", "ngram")


def test_the_problems_that_systems_read_are_no_part_of_the_output(tmp_path):
    run(tmp_path, "last")
    assert not (tmp_path / "adversary/problems.jsonl").exists()
