"""Each rule refuses what it is for, and nothing next to it."""

import pytest

from support.collected import CHOIR, HARBOUR, PASSAGES, passage, span
from wdw_build.annotation.questions.rules import RULES, Draft, Limits, broken, similar
from wdw_build.annotation.questions.spans import from_utf16, places, to_utf16

HARBOUR_PASSAGE, CHOIR_PASSAGE = PASSAGES
GOOD = "Who said how old the steel was?"


def draft(question=GOOD, *answers):
    return Draft(question, tuple(span(HARBOUR, answer) for answer in answers or ["Tomas Reik"]))


def rules_of(given, earlier=(), adversary=None, **limits):
    return broken(given, HARBOUR_PASSAGE, earlier, Limits(**limits), adversary)


def test_a_question_across_two_sentences_breaks_no_rule():
    assert rules_of(draft(), adversary=("Ines Dahl",)) == []


@pytest.mark.parametrize(
    ("question", "rules"),
    [
        ("", ["empty"]),
        (" ?! ", ["empty"]),
        ("Who closed it", ["not-a-question"]),
        ("Name the person who closed it.", ["not-a-question"]),
        ("The harbour master closed the pier?", ["not-a-question"]),
        ("Did the deputy warn of rust?", ["yes-no"]),
        ("Didn't the deputy warn of rust?", ["yes-no"]),
        ("Is it known who warned of corrosion?", []),
        ("By whose brother was it put up?", []),
        ("“Who put it up?”", []),
        ("Who " + "really " * 60 + "did it?", ["too-long"]),
    ],
)
def test_the_form_of_a_question(question, rules):
    assert rules_of(draft(question)) == rules


@pytest.mark.parametrize(
    ("spans", "rules"),
    [
        ((), ["no-answer"]),
        (((0, 0),), ["not-in-passage"]),
        (((5, 3),), ["not-in-passage"]),
        (((-3, 4),), ["not-in-passage"]),
        (((0, len(HARBOUR) + 1),), ["not-in-passage"]),
        (((HARBOUR.index("."), HARBOUR.index(".") + 1),), ["not-in-passage"]),
        (((1, 9),), ["cuts-a-word"]),
        (((0, 7),), ["cuts-a-word"]),
        (((0, 9), (0, 9)), ["overlap"]),
        (((0, 9), (5, 9)), ["overlap"]),
        (((0, HARBOUR.index(" years")),), ["long-answer"]),
    ],
)
def test_the_form_of_an_answer(spans, rules):
    assert rules_of(Draft(GOOD, spans)) == rules


def test_an_answer_of_exactly_the_most_words_is_allowed():
    answer = (0, HARBOUR.index(" for nine"))
    assert len(HARBOUR[slice(*answer)].split()) == 8
    assert "long-answer" not in rules_of(Draft(GOOD, (answer,)))


def test_the_answer_must_not_stand_in_the_question():
    assert rules_of(draft("What did TOMAS REIK say of corrosion?")) == ["answer-in-question"]
    assert rules_of(draft("What did Tomas say of corrosion?")) == []


def test_a_near_copy_of_an_earlier_question_is_refused_and_named():
    earlier = [draft(), draft("Whose brother made something?", "Tomas Reik")]
    again = draft("Who said to them how old the steel was?")
    assert rules_of(again, earlier) == ["near-duplicate"]
    assert similar(again, HARBOUR_PASSAGE, earlier, Limits()) == earlier[0]


def test_half_a_copy_is_refused_only_with_the_same_answer():
    # Five of the seven words of the earlier question: 0.71 lies between the two thresholds.
    question = "Who said how old the boats seemed?"
    assert rules_of(draft(question), [draft()]) == ["near-duplicate"]
    assert rules_of(draft(question, "Jonas"), [draft()]) == []


def test_a_question_about_the_sentence_that_names_the_answer_needs_no_coreference():
    named = "Who has run the port of Vessing for years?"
    assert rules_of(draft(named, "Ines Dahl")) == ["no-coreference"]
    assert rules_of(draft(named, "Ines Dahl"), sentence=1.01) == []
    assert rules_of(draft("Who closed the northern pier on Monday?", "Ines Dahl")) == []


def test_a_sentence_names_a_person_by_the_last_name():
    text = "Dr. Ng, who spoke by video link, was heard first. Mei Ng had found it."
    told = passage("lab", text)
    full = Draft("Who spoke by video link?", (span(text, "Mei Ng"),))
    assert broken(full, told, [], Limits()) == ["no-coreference"]


def test_titles_do_not_hide_the_right_person():
    assert broken(draft(), HARBOUR_PASSAGE, [], Limits(), ("Dr. Reik",)) == ["adversary"]  # F1 is 2/3, not 0.5


def test_several_answers_must_all_stand_in_the_sentence_for_it_to_be_too_easy():
    question = "Which people worked around the crane that a brother built?"
    assert rules_of(draft(question, "Jonas")) == ["no-coreference"]
    assert rules_of(draft(question, "Jonas", "Tomas Reik")) == []


def test_the_adversary_refuses_over_the_threshold_and_not_at_it():
    two = draft("Which two persons are brothers?", "Tomas Reik", "Jonas")
    assert rules_of(two, adversary=("Jonas",)) == []  # F1 is 0.5
    assert rules_of(draft(), adversary=("Reik",)) == ["adversary"]  # F1 is 2/3
    assert rules_of(draft(), adversary=()) == []
    assert rules_of(two, adversary=("Jonas", "Tomas Reik")) == ["adversary"]


def test_every_rule_has_a_sentence():
    assert all(sentence.endswith(".") for sentence in RULES.values())


def test_offsets_of_browsers_count_astral_characters_twice():
    at = CHOIR.index("leads")
    assert to_utf16(CHOIR, at) == at + 1
    assert from_utf16(CHOIR, at + 1) == at
    with pytest.raises(ValueError, match="UTF-16"):
        from_utf16(CHOIR, CHOIR.index("🎵") + 1)
    with pytest.raises(ValueError, match="UTF-16"):
        from_utf16("ab", 3)
    with pytest.raises(ValueError, match="UTF-16"):
        from_utf16("ab", -1)
    assert from_utf16("ab", 2) == 2


def test_a_typed_answer_is_found_as_whole_words():
    assert places(HARBOUR, " tomas   REIK ") == [(HARBOUR.index("Tomas"), HARBOUR.index(" had warned"))]
    assert places(HARBOUR, "Jon") == []
    assert len(places(HARBOUR, "the")) == 5
    assert places(HARBOUR, "  ") == []
