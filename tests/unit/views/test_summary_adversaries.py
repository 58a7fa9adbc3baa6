"""Table 2 with adversaries: their accuracies by hand, on bounded and other problems, with chance beside them."""

import re

import msgspec
import pytest

from support import toy_pipeline as toy
from support.fakes import FakeAdversaries
from wdw_build.cli import render
from wdw_build.core.config.settings import AdversaryConfig
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES
from wdw_build.views.summary import summarise
from wdw_build.views.summary_tables import table2

SETTINGS = AdversaryConfig(systems=("last",), min_problems=1, folds=3, scope="training", rounds=1)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    root = tmp_path_factory.mktemp("toy")
    toy.begun(root, toy.ports(adversaries=FakeAdversaries("last")), adversary=SETTINGS).run()
    return open_run(root / "runs/toy", STAGES)


def by_hand(run, is_bounded):
    """The problems, and the shares of the last choice and of chance among them."""
    first = [
        predictions.of(0) for predictions in run.predictions if ("last" not in predictions.unbounded) == is_bounded
    ]
    solved = sum(one.answer == one.choices - 1 for one in first) / len(first)
    return len(first), round(solved, 4), round(sum(1 / one.choices for one in first) / len(first), 4)


def test_an_adversary_has_its_accuracy_on_bounded_and_on_other_problems(run):
    row = summarise(run).table2.adversaries["last"]
    for part, is_bounded in ((row.bounded, True), (row.others, False)):
        assert (part.problems, part.accuracy.before, part.chance.before) == by_hand(run, is_bounded)
    assert row.bounded.problems == row.others.problems


def test_the_rows_of_a_filter_do_not_speak_of_the_held_out_time(tmp_path):
    settings = msgspec.structs.replace(SETTINGS, mode="filter", rounds=1, least_rounds=1, confidence=1.0)
    toy.begun(tmp_path, toy.ports(adversaries=FakeAdversaries("last")), adversary=settings).run()
    table = summarise(open_run(tmp_path / "runs/toy", STAGES)).table2
    assert [name for name, *_ in table2((), table).rows][-2:] == ["last, not bounded", "  chance, not bounded"]


def test_the_four_baselines_stay_rows_of_their_own(run):
    table = summarise(run).table2
    assert list(table.baselines) == ["first-person", "most-frequent", "ngram", "unigram"]
    assert [name for name, *_ in table2((), table).rows][-4:] == [
        "last, bounded",
        "  chance, bounded",
        "last, held-out time",
        "  chance, held-out time",
    ]


def test_each_round_of_an_adversary_is_a_row_of_its_own(tmp_path):
    settings = msgspec.structs.replace(SETTINGS, scope="all", rounds=2)
    toy.begun(tmp_path, toy.ports(adversaries=FakeAdversaries("last")), adversary=settings).run()
    run = open_run(tmp_path / "runs/toy", STAGES)
    rounds = [name for name in next(iter(run.predictions)).guesses if name.startswith("last")]
    assert rounds == ["last", "last-2"]
    table = summarise(run).table2
    assert list(table.adversaries) == rounds
    assert list(table.baselines) == ["first-person", "most-frequent", "ngram", "unigram"]


def test_the_summary_shows_event_scores_before_and_after_suppression(run):
    totals = summarise(run)
    assert sum(band.before for band in totals.event_bands) == len(run.alternatives)
    assert sum(band.after for band in totals.event_bands) == sum(one.strict for one in run.decisions)
    shown = render.summary(totals)
    assert re.search(r"^Event score +best passage +share +strict +share$", shown, re.MULTILINE)
    assert re.search(r"^0.75 and over ", shown, re.MULTILINE)
