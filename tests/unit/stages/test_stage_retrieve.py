"""retrieve in the paper's order: windows from near to far, every rule of ``is_valid`` with its switch, the bounds, blanks.

No event scorer is given to the stage here: in the paper's order, without a threshold, it asks for none.
"""

from collections import Counter

import msgspec
import pytest

from support import fakes, make, stage_runs
from support.make import article, day, question
from wdw_build.errors import ConfigError
from wdw_build.stages import retrieve as stage
from wdw_build.stages.retrieve import STAGE

LEAD = "Mayor Ann Ames told Bob Beck on Monday that the old bridge must close ."
ASKED = question("q", LEAD, "Ann Ames", others=["Bob Beck"])
VALID = "Ann Ames stood up. Bob Beck listened to her speech about money."
BODY = (
    "The bridge was built by convicts ninety years ago and has been closed four times since, once by a ferry, once by "
    "a flood, and twice by strikers who camped on it with goats and a brass band until the frost drove them home."
)


def retrieve(tmp_path, articles, one=ASKED, **settings):
    every = [article("q", f"{one.sentence}\n\n{BODY}", date=one.date), *articles]
    inputs = {"questions": [one], "ingest": every, "index": stage_runs.indexed(tmp_path / "made", every)}
    section = STAGE.config(**{"rank_by": "bm25", "min_event_score": 0.0, "min_passage_words": 0} | settings)
    ran = stage_runs.run_stage(STAGE, tmp_path, inputs, section=section, index=fakes.ScanIndex())
    return (ran.records or ran.rejections)["q"]


def tried(found):
    return [(one.article, one.rule) for one in found.candidates]


DATED = (
    "LONDON (HP) -- Ann Ames smiled for an hour at the queen.\n\nPARIS (HP) -- Bob Beck was told of a fire in the kitchen.\n\n"
    "OSLO (HP) -- Nobody at all came to look at the new ferry."
)
OVERLAP = "That the bridge must close, Mayor Ann Ames on Monday told Bob Beck."
ALONE = "Ann Ames stood up. The bob and beck of the boats went on."
RULES = {
    "round-up": (DATED, {"refuse_round_ups": False}),
    "schedule": (f"Here are the top stories at this hour.\n\n{VALID}", {"refuse_schedules": False}),
    "correction": (f"EDITORS: please disregard what was sent.\n\n{VALID}", {"refuse_corrections": False}),
    "market-report": (f"The dollar closed lower, dealers said.\n\n{VALID}", {"refuse_market_reports": False}),
    "table": ("Ann Ames 12 14 3 -- Bob Beck 9 22 1 --", {"refuse_tables": False}),
    "sentence-overlap": (OVERLAP, {"max_sentence_overlap": 1.0}),
    "no-other-person": (ALONE, {"require_other_person": False}),
    "reprint": (f"Much later Bob Beck heard Ann Ames sing. {BODY}", {"refuse_reprints": False}),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_refuses_a_candidate_and_lets_it_pass_when_it_is_off(tmp_path, rule):
    text, off = RULES[rule]
    found = retrieve(tmp_path / "on", [article("p", text)], search_other_person=rule != "no-other-person")
    assert tried(found) == [("p", rule)]
    assert (found.reason, found.detail) == ("no-valid-candidate", rule)
    assert found.candidates[0].detail
    assert tried(retrieve(tmp_path / "off", [article("p", text)], **off)) == [("p", "")]


def test_article_filters_come_before_the_tests_against_the_question(tmp_path):
    both = [article("p", f"{DATED}\n\n{LEAD}")]
    assert tried(retrieve(tmp_path / "on", both)) == [("p", "round-up")]
    assert tried(retrieve(tmp_path / "off", both, refuse_round_ups=False)) == [("p", "sentence-overlap")]


def test_an_article_can_be_refused_for_its_title_alone(tmp_path):
    titled = msgspec.structs.replace(article("p", VALID), title="People in the News")
    assert tried(retrieve(tmp_path, [titled])) == [("p", "round-up")]


BOUNDS = [
    ({"min_passage_words": 12}, "", ""),
    ({"min_passage_words": 13}, "short-passage", "12 words"),
    ({"max_passage_words": 12}, "", ""),
    ({"max_passage_words": 11}, "long-passage", "12 words"),
    ({"max_passage_words": 0}, "", ""),
]


@pytest.mark.parametrize(("settings", "rule", "detail"), BOUNDS)
def test_a_passage_outside_the_bounds_of_words_is_refused_before_the_other_filters(tmp_path, settings, rule, detail):
    (found,) = retrieve(tmp_path, [article("p", VALID)], **settings).candidates
    assert (found.rule, found.detail) == (rule, detail)
    assert tried(retrieve(tmp_path / "both", [article("p", DATED)], min_passage_words=100)) == [("p", "short-passage")]


def test_an_empty_range_of_words_is_a_config_error():
    with pytest.raises(ConfigError, match=r"min_passage_words \(60\) is above retrieve.max_passage_words \(50\)"):
        STAGE.config(max_passage_words=50)


def test_a_short_sentence_is_left_out_of_the_overlap_test(tmp_path):
    text = f"Bob Beck Ann Ames. {VALID}"
    assert tried(retrieve(tmp_path / "on", [article("p", text)])) == [("p", "")]
    off = retrieve(tmp_path / "off", [article("p", text)], ignore_short_sentences=False)
    assert tried(off) == [("p", "sentence-overlap")]


def test_no_article_within_the_windows_has_a_reason_of_its_own(tmp_path):
    far = [article("p", VALID, date=day(15)), article("o", "Bob Beck alone.")]
    found = retrieve(tmp_path / "on", far)
    assert (found.reason, found.candidates, found.detail) == ("no-candidate-in-window", (), "Ann Ames")
    assert tried(retrieve(tmp_path / "off", far, windows=(15,))) == [("p", "")]


def test_near_windows_come_first_whatever_the_scores(tmp_path):
    rich = f"{VALID} The mayor told us the old bridge will close."
    rich_days, poor_days = {"far": -12, "week": 7, "near-b": -1}, {"three": -3, "near-a": 1}
    articles = [article(name, rich, date=day(at)) for name, at in rich_days.items()]
    articles += [article(name, VALID, date=day(at)) for name, at in poor_days.items()]
    found = retrieve(tmp_path, articles)
    assert [one.article for one in found.candidates] == ["near-b", "near-a", "three", "week", "far"]
    assert [one.window for one in found.candidates] == [1, 1, 3, 7, 14]
    assert [one.rank for one in found.candidates] == [1, 2, 3, 4, 5]
    assert found.candidates[0].score > found.candidates[1].score


def test_an_article_seen_in_an_earlier_window_is_not_repeated_refused_or_not(tmp_path):
    articles = [article("bad", ALONE), article("good", VALID), article("late", VALID, date=day(9))]
    found = retrieve(tmp_path, articles, search_other_person=False)
    assert sorted(tried(found)[:2]) == [("bad", "no-other-person"), ("good", "")]
    assert [one.article for one in found.candidates][2:] == ["late"]


def test_a_refused_candidate_does_not_count_as_valid(tmp_path, monkeypatch):
    monkeypatch.setattr(stage, "MAX_VALID", 1)
    articles = [article(f"a{number}", ALONE) for number in range(3)] + [article("z", VALID)]
    found = retrieve(tmp_path, articles, search_other_person=False)
    assert tried(found) == [*((one.id, "no-other-person") for one in articles[:3]), ("z", "")]


def test_an_article_without_another_person_of_the_question_does_not_use_up_a_candidate(tmp_path):
    # The first three share more words with the question, so a search for the deleted name alone finds them first.
    wordy = "Mayor Ann Ames told us on Monday that the old bridge must close."
    articles = [article(f"a{number}", wordy) for number in range(3)] + [article("z", VALID)]
    assert tried(retrieve(tmp_path / "on", articles, max_candidates=1)) == [("z", "")]
    off = retrieve(tmp_path / "off", articles, max_candidates=1, search_other_person=False)
    assert tried(off) == [("a0", "no-other-person")]


def test_a_passage_need_not_name_another_person_of_a_question_that_names_none(tmp_path):
    lonely = question("q", "Mayor Ann Ames closed the old bridge on Monday .", "Ann Ames", others=[])
    assert tried(retrieve(tmp_path, [article("p", ALONE)], one=lonely)) == [("p", "")]


# --- several blanks ---------------------------------------------------------------------------------------------------

TWO_BLANKS = make.with_blanks(question("q", LEAD, "Bob Beck", others=["Ann Ames"]), ASKED)


def by_blank(found):
    """For each blank, the articles with their ranks and rules."""
    return {
        blank: [(one.article, one.rank, one.rule) for one in found.candidates if one.blank == blank]
        for blank in sorted({one.blank for one in found.candidates})
    }


def test_each_blank_has_the_candidates_that_contain_its_name(tmp_path):
    articles = [
        article("both", VALID),
        article("ann", "Ann Ames stood up. Beck listened to her speech about money."),
        article("bob", "Bob Beck stood up. Ames listened to his speech about money.", date=day(3)),
    ]
    found = retrieve(tmp_path, articles, TWO_BLANKS)
    assert by_blank(found) == {0: [("both", 1, ""), ("bob", 2, "")], 1: [("both", 1, ""), ("ann", 2, "")]}
    assert [one.blank for one in found.candidates] == [0, 0, 1, 1]


def test_the_words_beside_a_blank_are_tested_for_it_alone_and_one_blank_with_a_valid_candidate_is_enough(tmp_path):
    # "on Monday that the old" stands to the right of "Bob Beck", and is no run of words beside "Ann Ames".
    text = "He said on Monday that the old man, a friend of Ann Ames, had never met Bob Beck in all of his long life."
    found = retrieve(tmp_path, [article("p", text)], TWO_BLANKS)
    assert by_blank(found) == {0: [("p", 1, "right-context")], 1: [("p", 1, "")]}
    assert not hasattr(found, "reason")


def test_the_bounds_on_candidates_are_those_of_each_blank(tmp_path, monkeypatch):
    articles = [article(f"p{number}", VALID) for number in range(6)]
    tested = retrieve(tmp_path / "tested", articles, TWO_BLANKS, max_candidates=3)
    monkeypatch.setattr(stage, "MAX_VALID", 2)
    valid = retrieve(tmp_path / "valid", articles, TWO_BLANKS)
    assert [Counter(one.blank for one in found.candidates) for found in (tested, valid)] == [{0: 3, 1: 3}, {0: 2, 1: 2}]


def test_the_question_s_own_article_is_no_candidate_and_without_one_the_detail_names_each_blank_s_person(tmp_path):
    none = retrieve(tmp_path, [], TWO_BLANKS)
    assert (none.reason, none.detail) == ("no-candidate-in-window", "Bob Beck; Ann Ames")


def test_the_first_blank_has_the_candidates_that_it_has_alone(tmp_path):
    articles = [article(f"p{number}", VALID, date=day(number)) for number in range(4)]
    both = retrieve(tmp_path / "both", articles, TWO_BLANKS).candidates
    alone = retrieve(tmp_path / "alone", articles, TWO_BLANKS.with_blank(0)).candidates
    assert tuple(one for one in both if one.blank == 0) == alone


def test_the_whole_name_is_needed_or_a_part_by_configuration(tmp_path):
    surname = [article("p", "Ames stood up. Bob Beck listened to her speech about money.")]
    assert retrieve(tmp_path / "phrase", surname).reason == "no-candidate-in-window"
    assert tried(retrieve(tmp_path / "part", surname, name_match="part")) == [("p", "")]


def test_a_title_is_not_part_of_the_name_that_is_searched(tmp_path):
    one = question("q", LEAD, "Mayor Ann Ames", others=["Bob Beck"])
    assert tried(retrieve(tmp_path, [article("p", VALID)], one)) == [("p", "")]
