"""retrieve by event score: every valid candidate is scored, the best comes first, and one below the threshold is refused."""

from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import fakes, make, stage_runs
from support.make import article, day, question
from wdw_build.records import Candidate
from wdw_build.stages import retrieve as retrieve_stage
from wdw_build.stages.retrieve import STAGE, by_event_score
from wdw_build.text.passages.same_event import FREQUENCIES_FILE

LEAD = "Mayor Ann Ames told Bob Beck on Monday that the old bridge must close ."
OWN = f"{LEAD}\n\nThe bridge over the Arn was built by convicts. Trucks will go round by Selm."
SAME = "The old bridge over the Arn must close, Ann Ames has decided, and Bob Beck is angry. Trucks go round by Selm."
# All the question's words, some of them twice: BM25 likes it better.
OTHER = (
    "Singers came to the town hall for cake and song. Nobody spoke of what must come. On Monday the mayor told a joke. "
    "That old one, said Bob Beck. Mayor Ann Ames told Bob to close the door. She had the bridge of her nose broken."
)
ASKED = question("q", LEAD, "Ann Ames", others=["Bob Beck"])
NO_OTHER_PERSON = "Ann Ames sang a song about hills."


def retrieve(tmp_path, articles, scorer=None, one=ASKED, **settings):
    filler = [article(f"f{number}", f"Rain fell on the {number} hills.", date=day(60)) for number in range(30)]
    every = [article("q", OWN), *articles, *filler]
    inputs = {"questions": [one], "ingest": every, "index": stage_runs.indexed(tmp_path / "made", every)}
    scorer = scorer or fakes.FakeEventScorer()
    section = STAGE.config(**{"min_passage_words": 0} | settings)
    ran = stage_runs.run_stage(STAGE, tmp_path, inputs, section=section, index=fakes.ScanIndex(), event_scorer=scorer)
    return (ran.records or ran.rejections)["q"]


BOTH = [article("same", SAME), article("other", OTHER)]


def tried(found):
    return [(one.article, one.rule) for one in found.candidates]


@pytest.mark.parametrize("rank_by", ["bm25", "event"])
def test_a_candidate_below_the_score_is_refused_and_the_detail_has_its_score(tmp_path, rank_by):
    found = retrieve(tmp_path, BOTH, min_event_score=0.5, rank_by=rank_by)
    assert sorted(tried(found)) == [("other", "other-event"), ("same", "")]
    by_id = {one.article: one for one in found.candidates}
    assert 0.0 < float(by_id["other"].detail) == by_id["other"].event < 0.5
    assert by_id["same"].detail == ""
    assert by_id["same"].event >= 0.5


def test_a_score_equal_to_the_threshold_passes(tmp_path):
    found = retrieve(tmp_path, BOTH, fakes.FakeEventScorer({"same": 0.5, "other": 0.499}), min_event_score=0.5)
    assert tried(found) == [("same", ""), ("other", "other-event")]


def test_without_a_threshold_nothing_is_refused(tmp_path):
    assert tried(retrieve(tmp_path, BOTH, min_event_score=0.0)) == [("same", ""), ("other", "")]


def test_the_paper_s_rules_come_first_and_what_they_refuse_has_no_score(tmp_path):
    found = retrieve(tmp_path, [article("other", NO_OTHER_PERSON)], min_event_score=1.0, search_other_person=False)
    assert tried(found) == [("other", "no-other-person")]
    assert found.candidates[0].event is None


def test_a_question_with_only_refused_candidates_is_rejected_with_the_rule(tmp_path):
    found = retrieve(tmp_path, [article("other", OTHER)], min_event_score=0.5)
    assert (found.reason, found.detail) == ("no-valid-candidate", "other-event")


@pytest.mark.parametrize(("rank_by", "first"), [("bm25", "other"), ("event", "same")])
def test_within_a_window_the_order_is_bm25_s_or_the_event_score_s(tmp_path, rank_by, first):
    found = retrieve(tmp_path, BOTH, rank_by=rank_by)
    assert found.candidates[0].article == first
    assert [one.rank for one in found.candidates] == [1, 2]


@pytest.mark.parametrize(("rank_by", "order"), [("bm25", ["near", "far"]), ("event", ["far", "near"])])
def test_a_better_score_in_a_far_window_comes_first_only_by_event_score(tmp_path, rank_by, order):
    scorer = fakes.FakeEventScorer({"far": 0.8, "near": 0.7})
    found = retrieve(tmp_path, [article("far", SAME, date=day(7)), article("near", OTHER)], scorer, rank_by=rank_by)
    windows = {"near": 1, "far": 7}
    assert [(one.article, one.window) for one in found.candidates] == [(name, windows[name]) for name in order]


def test_equal_event_scores_are_ordered_by_window_then_bm25_then_id(tmp_path):
    equal = fakes.FakeEventScorer(dict.fromkeys(["c", "a", "b", "far", "rich"], 0.5))
    articles = [article(name, SAME) for name in ("c", "a", "b")]
    found = retrieve(tmp_path, [article("far", SAME, date=day(3)), article("rich", OTHER), *articles], equal)
    assert [one.article for one in found.candidates] == ["rich", "a", "b", "c", "far"]


def test_an_article_that_is_a_candidate_for_several_blanks_is_scored_once(tmp_path):
    scorer = fakes.FakeEventScorer({"both": 0.9, "ann": 0.8, "bob": 0.4})
    one = make.with_blanks(question("q", LEAD, "Bob Beck", others=["Ann Ames"]), ASKED)
    texts = {"both": SAME, "ann": SAME.replace("Bob Beck", "Beck"), "bob": SAME.replace("Ann Ames", "Ames")}
    found = retrieve(tmp_path, [article(*each) for each in texts.items()], scorer, one, min_event_score=0.5)
    assert [sorted(call) for call in scorer.asked] == [["ann", "bob", "both"]]
    assert [(c.article, c.blank, c.rank, c.event, c.rule) for c in found.candidates] == [
        ("both", 0, 1, 0.9, ""),
        ("bob", 0, 2, 0.4, "other-event"),
        ("both", 1, 1, 0.9, ""),
        ("ann", 1, 2, 0.8, ""),
    ]


def test_the_bound_on_valid_candidates_cuts_after_the_ranking_and_refused_ones_stay_as_evidence(tmp_path, monkeypatch):
    monkeypatch.setattr("wdw_build.stages.retrieve.MAX_VALID", 2)
    scores = {f"p{number}": number / 10 for number in range(6)}
    articles = [article(name, SAME, date=day(number % 4)) for number, name in enumerate(scores)]
    articles.append(article("bad", NO_OTHER_PERSON))
    settings = {"min_event_score": 0.1, "search_other_person": False}
    found = retrieve(tmp_path, articles, fakes.FakeEventScorer(scores), **settings)
    assert tried(found) == [("p5", ""), ("p4", ""), ("p0", "other-event"), ("bad", "no-other-person")]
    assert [one.rank for one in found.candidates] == [1, 2, 3, 4]


def test_the_scorer_and_the_frequencies_are_used_only_if_the_settings_need_event_scores(tmp_path):
    every = [article("q", OWN), article("same", SAME)]
    index = stage_runs.indexed(tmp_path / "made", every)
    (index.folder / FREQUENCIES_FILE).unlink()
    inputs = {"questions": [ASKED], "ingest": every, "index": index}
    models = {"index": fakes.ScanIndex(), "event_scorer": fakes.FakeEventScorer()}
    off = STAGE.config(rank_by="bm25", min_event_score=0.0, min_passage_words=0)
    assert STAGE.ports_for(off) == ("index", "sentence_splitter")
    assert stage_runs.run_stage(STAGE, tmp_path / "off", inputs, section=off, index=fakes.ScanIndex()).records
    for needing in ({"min_event_score": 0.0}, {"rank_by": "bm25", "min_event_score": 0.1}):
        on = STAGE.config(min_passage_words=0, **needing)
        assert STAGE.ports_for(on) == ("index", "sentence_splitter", "event_scorer")
        with pytest.raises(Exception, match=FREQUENCIES_FILE):
            stage_runs.run_stage(STAGE, tmp_path / "on", inputs, section=on, **models)


NAMED = {"article": st.text("abc", min_size=1, max_size=3), "rule": st.sampled_from(["", "", "reprint"])}
PLACED = {"date": st.just(make.DAY), "window": st.sampled_from([1, 3, 7]), "rank": st.just(0)}
SCORED = {"score": st.sampled_from([1.0, 2.0]), "event": st.sampled_from([0.1, 0.2, 0.9])}
CANDIDATES = st.lists(st.builds(Candidate, **NAMED, **PLACED, **SCORED), unique_by=lambda one: one.article)


@given(CANDIDATES, st.integers(1, 5), st.randoms())
def test_the_order_does_not_depend_on_the_order_of_the_hits(candidates, max_valid, random):
    with mock.patch.object(retrieve_stage, "MAX_VALID", max_valid):
        assert by_event_score(random.sample(candidates, len(candidates))) == by_event_score(candidates)


@given(CANDIDATES, st.integers(1, 5))
def test_no_valid_candidate_that_is_left_out_has_a_higher_score_than_one_that_is_kept(candidates, max_valid):
    with mock.patch.object(retrieve_stage, "MAX_VALID", max_valid):
        kept = by_event_score(candidates)
    valid = [one for one in kept if not one.rule]
    left_out = [one for one in candidates if not one.rule and one not in valid]
    assert len(valid) == min(max_valid, len(valid) + len(left_out))
    assert [one.event for one in valid] == sorted((one.event for one in valid), reverse=True)
    assert not left_out or max(one.event for one in left_out) <= valid[-1].event
    assert sorted(one.article for one in kept if one.rule) == sorted(one.article for one in candidates if one.rule)
