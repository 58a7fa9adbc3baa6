"""Training alternatives: each kind of contact with a held-out problem is left out and counted; the others keep their order."""

import datetime as dt

import msgspec
import pytest

from support import training
from support.make import day
from support.training import CASES, HELD, LEFT_OUT, TRAINING, outputs
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.core.progress import Progress
from wdw_build.selection.settings import SplitConfig
from wdw_build.selection.training_alternatives import REASONS, Sources, TrainingAlternatives, account, alternative_of

SENTENCES = PunktSplitter().sentences


def found(folder, cases=CASES, held_out=(HELD,), others=(), **settings):
    stored = outputs(folder, cases, held_out)
    sources = Sources(*(stored[name] for name in ("dedup", "suppress", "split", "problems", "ingest")))
    split = SplitConfig(**({"test_from": day(10)} | settings))
    return TrainingAlternatives(sources, split, lambda: (*sources.held_out(), *others), SENTENCES, Progress("quiet"))


def test_every_contact_with_a_held_out_problem_is_left_out_and_counted(tmp_path):
    alternatives = found(tmp_path)
    assert [problem.id for problem in alternatives] == TRAINING
    # The held-out problem's own alternative is of its time.
    assert alternatives.left_out == LEFT_OUT | {"time": LEFT_OUT["time"] + 1}
    assert min(LEFT_OUT.values()) > 0


@pytest.mark.parametrize("name", CASES)
def test_a_contact_is_found_without_the_other_articles(tmp_path, name):
    cases = {name: CASES[name]}
    assert [one.id for one in found(tmp_path, cases)] == [one for one in TRAINING if alternative_of(one)[0] == name]


def test_an_alternative_is_the_stored_problem_with_an_id_of_its_own(tmp_path):
    first, second, *_ = found(tmp_path)
    assert [first.id, second.id] == ["clean~0", "clean~1"]
    assert [alternative_of(one.id) for one in (first, second)] == [("clean", 0), ("clean", 1)]
    assert second.passage.article == "clean-other"
    assert second.passage.text == training.CLEAN[1].passage.text
    assert msgspec.structs.replace(first, id="clean").question == training.CLEAN[0].question


def test_every_pass_gives_the_same_problems_and_the_length_is_their_number(tmp_path):
    alternatives = found(tmp_path)
    assert list(alternatives) == list(alternatives)
    assert len(alternatives) == len(TRAINING)


def test_the_held_out_problems_of_another_run_count_too(tmp_path):
    other = training.problem("x", article="clean-passage", date=5)
    assert [one.id for one in found(tmp_path, others=[other])] == [one for one in TRAINING if one != "clean~0"]


def test_the_gap_before_the_held_out_period_is_left_out(tmp_path):
    alternatives = found(tmp_path, gap_days=6)
    assert len(alternatives) == 0
    assert alternatives.left_out["omitted"] == 0


def test_without_dates_the_held_out_period_begins_with_the_first_of_the_latest_strict_problems(tmp_path):
    # Of the strict problems ``clean``, ``event`` and ``h``, the two latest ones are held out.
    assert [one.id for one in found(tmp_path, test_from=None, max_share=0.7)] == ["clean~0", "clean~1"]


def test_without_a_held_out_problem_all_alternatives_but_omitted_ones_are_for_training(tmp_path):
    alternatives = found(tmp_path, held_out=(), test_from=None)
    assert len(alternatives) == sum(map(len, CASES.values())) - 1
    assert alternatives.left_out == dict.fromkeys(REASONS, 0) | {"omitted": 1}


def test_a_held_out_period_without_problems_still_ends_training(tmp_path):
    alternatives = found(tmp_path, held_out=(), test_from=dt.date(2014, 3, 15))
    assert all(one.date < dt.date(2014, 3, 15) for one in alternatives)
    assert alternatives.left_out["time"] > 0


def test_the_account_names_every_test_that_left_something_out():
    text = account(1234, dict.fromkeys(REASONS, 0) | {"event": 2000})
    assert text == "1,234 training alternatives; left out: 2,000 about the event of a held-out problem"
    assert account(1, dict.fromkeys(REASONS, 0)) == "1 training alternatives; left out: none"


def test_an_id_without_a_number_is_not_that_of_an_alternative():
    with pytest.raises(LookupError, match="clean"):
        alternative_of("clean")
