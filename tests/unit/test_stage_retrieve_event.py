"""retrieve: the event score as a rule and as an order; without a key that asks for it, it is never computed."""

import pytest

import fakes
from fakes import article, day, question
from wdw_build.core.frequencies import FILE
from wdw_build.stages.retrieve import STAGE

LEAD = "Mayor Ann Ames told Bob Beck on Monday that the old bridge must close ."
OWN = f"{LEAD}\n\nThe bridge over the Arn was built by convicts. Trucks will go round by Selm."
SAME = "The old bridge over the Arn must close, Ann Ames has decided, and Bob Beck is angry. Trucks go round by Selm."
# All the question's words, some of them twice: BM25 likes it better.
OTHER = (
    "Singers came to the town hall for cake and song. Nobody spoke of what must come. On Monday the mayor told a joke. "
    "That old one, said Bob Beck. Mayor Ann Ames told Bob to close the door. She had the bridge of her nose broken."
)


def retrieve(tmp_path, articles, **settings):
    one = question("q", LEAD, "Ann Ames", others=["Bob Beck"])
    filler = [article(f"f{number}", f"Rain fell on the {number} hills.", date=day(60)) for number in range(30)]
    every = [article("q", OWN), *articles, *filler]
    inputs = {"questions": [one], "ingest": every, "index": fakes.indexed(tmp_path / "made", every)}
    ran = fakes.run_stage(STAGE, tmp_path, inputs, section=STAGE.config(**settings), index=fakes.ScanIndex())
    return (ran.records or ran.rejections)["q"]


def tried(found):
    return [(one.article, one.rule) for one in found.candidates]


def test_a_candidate_below_the_score_is_refused_and_the_detail_has_its_score(tmp_path):
    found = retrieve(tmp_path, [article("same", SAME), article("other", OTHER)], min_event_score=0.5)
    assert sorted(tried(found)) == [("other", "other-event"), ("same", "")]
    by_id = {one.article: one for one in found.candidates}
    assert 0.0 < float(by_id["other"].detail) < 0.5
    assert by_id["same"].detail == ""


def test_without_the_key_nothing_is_refused(tmp_path):
    found = retrieve(tmp_path, [article("same", SAME), article("other", OTHER)])
    assert tried(found) == [("other", ""), ("same", "")]


def test_the_paper_s_rules_come_first(tmp_path):
    found = retrieve(tmp_path, [article("other", "Ann Ames sang a song about hills.")], min_event_score=1.0)
    assert tried(found) == [("other", "no-other-person")]


def test_a_far_day_is_refused_that_a_near_one_is_not(tmp_path):
    near, far = article("near", SAME), article("far", SAME, date=day(14))
    found = retrieve(tmp_path, [near, far], min_event_score=0.5)
    assert tried(found) == [("near", ""), ("far", "other-event")]


def test_nothing_left_is_no_valid_candidate_with_the_rule(tmp_path):
    found = retrieve(tmp_path, [article("other", OTHER)], min_event_score=0.5)
    assert (found.reason, found.detail) == ("no-valid-candidate", "other-event")


@pytest.mark.parametrize(("order", "first"), [("bm25", "other"), ("event", "same")])
def test_within_a_window_the_order_is_bm25_s_or_the_event_score_s(tmp_path, order, first):
    found = retrieve(tmp_path, [article("same", SAME), article("other", OTHER)], order=order)
    assert found.candidates[0].article == first
    assert [one.rank for one in found.candidates] == [1, 2]


def test_windows_come_before_the_event_score(tmp_path):
    found = retrieve(tmp_path, [article("far", SAME, date=day(7)), article("near", OTHER)], order="event")
    assert [(one.article, one.window) for one in found.candidates] == [("near", 1), ("far", 7)]


def test_equal_event_scores_are_ordered_by_id(tmp_path):
    found = retrieve(tmp_path, [article(name, SAME) for name in ("c", "a", "b")], order="event")
    assert [one.article for one in found.candidates] == ["a", "b", "c"]


def test_the_frequencies_are_read_only_if_a_key_asks_for_the_score(tmp_path):
    one = question("q", LEAD, "Ann Ames", others=["Bob Beck"])
    every = [article("q", OWN), article("same", SAME)]
    index = fakes.indexed(tmp_path / "made", every)
    (index.folder / FILE).unlink()
    inputs = {"questions": [one], "ingest": every, "index": index}
    assert fakes.run_stage(STAGE, tmp_path / "off", inputs, index=fakes.ScanIndex()).records
    with pytest.raises(Exception, match=FILE):
        fakes.run_stage(STAGE, tmp_path / "on", inputs, section=STAGE.config(order="event"), index=fakes.ScanIndex())
