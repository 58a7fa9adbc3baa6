"""Each rule refuses what it is for, and nothing next to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.collected import CHOIR, HARBOUR, PASSAGES, passage, span
from wdw_study.collecting.passages import from_utf16, places, to_utf16, trimmed
from wdw_study.collecting.rules import Draft, Limits, broken, f1

HARBOUR_PASSAGE, CHOIR_PASSAGE = PASSAGES
GOOD = "Who said how old the steel was?"


def draft(question=GOOD, *answers):
    return Draft(question, tuple(span(HARBOUR, answer) for answer in answers or ["Tomas Reik"]))


def rules_of(given, earlier=(), adversary=None, **limits):
    return broken(given, HARBOUR_PASSAGE, earlier, Limits(**limits), adversary)


def rules_of_answer(question, text, *answers):
    """The rules that a question about another text breaks."""
    spans = tuple(answer if isinstance(answer, tuple) else span(text, answer) for answer in answers)
    return broken(Draft(question, spans), passage("other", text), [], Limits())


def test_a_question_across_two_sentences_breaks_no_rule():
    assert rules_of(draft(), adversary=("Ines Dahl",)) == []


QUESTIONS = {
    "empty": ("", " ?! "),
    "not-a-question": ("Who closed it", "Name the person who closed it.", "The harbour master closed the pier?"),
    "yes-no": ("Did the deputy warn of rust?", "Didn't the deputy warn of rust?"),
    "too-short": ("Who?", "Who left?", "Who is she?"),
    "too-long": ("Who " + "really " * 60 + "broke it?",),
}


@pytest.mark.parametrize(("rule", "question"), [(rule, one) for rule, given in QUESTIONS.items() for one in given])
def test_a_question_of_another_form_is_refused(rule, question):
    assert rules_of(draft(question)) == [rule]


def test_a_question_may_begin_with_another_word():
    for question in ("Is it known who warned of corrosion?", "By whose brother was it put up?", "“Who put it up?”"):
        assert rules_of(draft(question)) == []


def test_the_form_of_an_answer():
    assert rules_of(Draft(GOOD, ())) == ["no-answer"]
    stop = HARBOUR.index(".")
    for outside in ((0, 0), (5, 3), (-3, 4), (0, len(HARBOUR) + 1), (stop, stop + 1)):
        assert rules_of(Draft(GOOD, (outside,))) == ["not-in-passage"]
    assert rules_of(Draft(GOOD, ((1, 9),))) == ["cuts-a-word"]
    assert rules_of(Draft(GOOD, ((0, 7),))) == ["cuts-a-word"]
    assert rules_of(Draft(GOOD, ((0, 9), (0, 9)))) == ["overlap"]
    assert rules_of(Draft(GOOD, ((0, 9), (5, 9)))) == ["overlap"]
    assert rules_of(Draft(GOOD, ((0, HARBOUR.index(" years")),))) == ["long-answer"]


def test_an_answer_of_exactly_the_most_words_is_allowed():
    answer = (0, HARBOUR.index(" for nine"))
    assert len(HARBOUR[slice(*answer)].split()) == 8
    assert "long-answer" not in rules_of(Draft(GOOD, (answer,)), answer_words=8)
    assert "long-answer" in rules_of(Draft(GOOD, (answer,)), answer_words=7)


def test_titles_before_a_name_do_not_make_an_answer_long():
    titled = "Former Deputy Prime Minister Juan de la Torre Ruiz"
    assert rules_of_answer("Whose aides were sad?", f"{titled} left. His aides wept.", titled) == []


@pytest.mark.parametrize("answer", ["He", "his", "her", "the", "Mr", "the minister"])
def test_a_pronoun_or_a_title_alone_is_no_answer(answer):
    text = "Mr Malmberg resigned. He said that the minister had known of his and her plan."
    assert rules_of_answer("Who gave up a post?", text, answer) == ["no-name"]


# "Malmberg" is the same person as "Lennart Malmberg"; the two siblings are two persons.
RACE = "Lennart Malmberg won. The skipper thanked Ana Ruiz. Malmberg then met Luis Ruiz, and he wept."


def test_a_person_is_marked_once_and_different_persons_may_share_a_name():
    later = (RACE.index("Malmberg then"), RACE.index(" then"))
    assert rules_of_answer("Who was moved to tears?", RACE, "Lennart Malmberg", later) == ["same-person"]
    assert rules_of_answer("Who was moved to tears?", RACE, "Ana Ruiz", "Luis Ruiz") == []


def test_no_way_of_marking_hides_that_the_adversary_is_right():
    def found(marked, *answer):
        asked = Draft("Who was moved to tears?", tuple(span(RACE, name) for name in marked))
        return f1(asked, passage("race", RACE), answer)

    assert found(["Lennart Malmberg"], "Malmberg") == found(["Lennart Malmberg"], "Mr Lennart Malmberg") == 1.0
    assert found(["Lennart Malmberg"], "Luis Ruiz", "Malmberg") == 1.0  # one span is asked for: the best one counts
    assert found(["Lennart Malmberg", "The skipper"], "Malmberg") == 1.0  # a description beside a name does not count
    assert found(["Ana Ruiz", "Luis Ruiz"], "Ana Ruiz") == found(["Ana Ruiz"], "Luis Ruiz") == 0.5
    assert found(["The skipper"], "skipper") == 1.0
    assert found(["Lennart Malmberg"]) == 0.0


def test_a_span_is_trimmed_at_its_ends():
    def bare(marked):
        text = f"It was {marked} who won."
        return text[slice(*trimmed(text, (7, 7 + len(marked))))]

    assert bare("Luis Ruiz, ") == bare("“Luis Ruiz”") == "Luis Ruiz"
    assert bare("(Ana Ruiz)") == "Ana Ruiz"
    assert bare("“Magic” Ruiz.") == "“Magic” Ruiz"
    assert bare("Ruiz’s") == "Ruiz"
    for whole in ("Sammy Ruiz Jr.", "J. R. Ruiz", " …"):
        assert bare(whole) == whole


@given(st.text(alphabet="aA .,’s“”()-", max_size=12), st.integers(-1, 13), st.integers(-1, 13))
def test_a_trimmed_span_stays_in_the_span_and_is_trimmed_once(text, start, end):
    span = trimmed(text, (start, end))
    assert trimmed(text, span) == span
    assert span == (start, end) or start <= span[0] < span[1] <= end


def test_an_earlier_question_of_two_words_does_not_make_others_near_copies():
    assert rules_of(draft(), [draft("Who said?")]) == []
    assert rules_of(draft("Who broke it?", "Jonas"), [draft("Who broke it?")]) == ["near-duplicate"]


def test_the_answer_must_not_stand_in_the_question():
    assert rules_of(draft("What did TOMAS REIK say of corrosion?")) == ["answer-in-question"]
    assert rules_of(draft("What did Tomas say of corrosion?")) == []


def test_a_near_copy_of_an_earlier_question_is_refused():
    earlier = [draft(), draft("Whose brother made something?", "Tomas Reik")]
    assert rules_of(draft("Who said to them how old the steel was?"), earlier) == ["near-duplicate"]


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
    assert rules_of_answer("Who spoke by video link?", text, "Mei Ng") == ["no-coreference"]


def test_several_answers_must_all_stand_in_the_sentence_for_it_to_be_too_easy():
    question = "Which people worked around the crane that a brother built?"
    assert rules_of(draft(question, "Jonas")) == ["no-coreference"]
    assert rules_of(draft(question, "Jonas", "Tomas Reik")) == []


def test_the_adversary_refuses_over_the_threshold_and_not_at_it():
    two = draft("Which two persons are brothers?", "Tomas Reik", "Jonas")
    assert rules_of(two, adversary=("Jonas",)) == []  # F1 is 0.5
    assert rules_of(draft(), adversary=("Reik",)) == ["adversary"]
    assert rules_of(draft(), adversary=("Dr. Reik",)) == ["adversary"]  # a title does not hide the right person
    assert rules_of(draft(), adversary=()) == []
    assert rules_of(two, adversary=("Jonas", "Tomas Reik")) == ["adversary"]


def test_offsets_of_browsers_count_astral_characters_twice():
    at = CHOIR.index("leads")
    assert to_utf16(CHOIR, at) == at + 1
    assert from_utf16(CHOIR, at + 1) == at
    assert from_utf16("ab", 2) == 2
    for text, offset in ((CHOIR, CHOIR.index("🎵") + 1), ("ab", 3), ("ab", -1)):
        with pytest.raises(ValueError, match=r"(?i)utf-16"):
            from_utf16(text, offset)


def test_a_typed_answer_is_found_as_whole_words_and_needs_no_accents():
    assert places(HARBOUR, " tomas   REIK ") == [(HARBOUR.index("Tomas"), HARBOUR.index(" had warned"))]
    assert places(HARBOUR, "Jon") == []
    assert len(places(HARBOUR, "the")) == 5
    assert places(HARBOUR, "  ") == []
    assert places("Then Arvid Eklöf spoke.", "arvid eklof") == [(5, 16)]
    assert places("Then Arvid Eklof spoke.", "Eklöf") == [(11, 16)]
