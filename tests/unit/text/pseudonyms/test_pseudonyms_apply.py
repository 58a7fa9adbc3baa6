"""Codes in a problem, by hand-made examples."""

import msgspec
import pytest

from support import make
from wdw_build.records import NameReplacement, Pseudonyms, RenamedPerson, Span, pack_spans
from wdw_build.text.pseudonyms.apply import renamed

PASSAGE = "Ann Ames and Bob Beck spoke.\n\nAmes's car was red."
SENTENCE = "Then President Ann Ames met the pro-Beck crowd of Bob Beck ."


def replacements(text, *pairs):
    """Replacements (text, person, code), found in order."""
    found, position = [], 0
    for old, person, code in pairs:
        start = text.index(old, position)
        position = start + len(old)
        found.append(NameReplacement(start=start, end=position, person=person, kind="mention", code=code))
    return tuple(found)


@pytest.fixture
def problem():
    asked = make.question("p", SENTENCE, "President Ann Ames", person="Ann Ames", others=["Bob Beck"])
    made = make.problem("p", asked, PASSAGE, [("Ann Ames", "Ames"), "Bob Beck"], 0)
    return msgspec.structs.replace(made, passage=msgspec.structs.replace(made.passage, title="Beck speaks"))


@pytest.fixture
def pseudonyms():
    return Pseudonyms(
        id="p",
        persons=(
            RenamedPerson(name="Ann Ames", choice=0, code="@entity1"),
            RenamedPerson(name="Bob Beck", choice=1, code="@entity0"),
        ),
        passage=replacements(
            PASSAGE,
            ("Ann Ames", 0, "@entity1"),
            ("Bob Beck", 1, "@entity0"),
            ("Ames's", 0, "@entity1's"),
        ),
        question=replacements(
            SENTENCE,
            ("Ann Ames", 0, "@entity1"),
            ("Beck", 1, "@entity0"),
            ("Bob Beck", 1, "@entity0"),
        ),
        title=replacements("Beck speaks", ("Beck", 1, "@entity0")),
    )


def test_codes_stand_in_passage_title_question_and_choices(problem, pseudonyms):
    changed = renamed(problem, pseudonyms)
    assert changed.passage.text == "@entity1 and @entity0 spoke.\n\n@entity1's car was red."
    assert changed.passage.title == "@entity0 speaks"
    assert changed.question.sentence == "Then President @entity1 met the pro-@entity0 crowd of @entity0 ."
    assert [choice.name for choice in changed.choices] == ["@entity1", "@entity0"]


def test_a_mention_does_not_take_in_the_possessive_that_was_replaced_with_it(problem, pseudonyms):
    changed = renamed(problem, pseudonyms)
    mentions = [changed.passage.text[one.start : one.end] for one in changed.choices[0].mentions]
    assert mentions == ["@entity1", "@entity1"]


def test_the_blank_keeps_the_title_before_the_name(problem, pseudonyms):
    question = renamed(problem, pseudonyms).question
    assert (question.blank.text, question.name.text) == ("President @entity1", "@entity1")
    assert question.tokens[slice(*question.blank_tokens)] == ("President", "@entity1")


def test_a_token_that_overlaps_a_name_in_part_is_cut_anew(problem, pseudonyms):
    assert renamed(problem, pseudonyms).question.tokens[5:8] == ("pro", "-", "@entity0")


def test_what_tells_the_names_is_emptied(problem, pseudonyms):
    told = msgspec.structs.replace(problem, persons=problem.choices)
    changed = renamed(told, pseudonyms)
    assert (changed.persons, changed.refused, changed.question.tree) == ((), (), "")


def test_ids_dates_sources_and_scores_stay(problem, pseudonyms):
    changed = renamed(problem, pseudonyms)
    for field in ("id", "date", "answer", "window", "score", "event_score"):
        assert getattr(changed, field) == getattr(problem, field)
    for field in ("article", "date", "source"):
        assert getattr(changed.passage, field) == getattr(problem.passage, field)


def test_the_number_of_tokens_follows_the_layout(problem, pseudonyms):
    spans = [(0, 3), (4, 8), (9, 12), (13, 16), (17, 21), (22, 27), (27, 28), (30, 34), (34, 36), (37, 40)]
    layout = pack_spans(spans)
    marked = msgspec.structs.replace(
        problem, passage=msgspec.structs.replace(problem.passage, tokens=len(spans), token_layout=layout)
    )
    passage = renamed(marked, pseudonyms).passage
    assert passage.tokens == 8
    assert [passage.text[start:end] for start, end in passage.token_spans] == [
        *("@entity1", "and", "@entity0", "spoke", ".", "@entity1", "'s", "car"),
    ]


def test_a_question_of_an_earlier_version_is_cut_into_tokens(problem, pseudonyms):
    old = msgspec.structs.replace(problem, question=msgspec.structs.replace(problem.question, token_layout=()))
    question = renamed(old, pseudonyms).question
    assert question.tokens[slice(*question.blank_tokens)] == ("President", "@entity1")
    assert len(question.token_spans) == len(question.tokens)


def test_a_problem_without_names_in_the_title_keeps_it(problem, pseudonyms):
    bare = msgspec.structs.replace(pseudonyms, title=())
    assert renamed(problem, bare).passage.title == "Beck speaks"
    assert renamed(problem, pseudonyms).choices[1].mentions == (Span(start=13, end=21),)


def test_a_choice_whose_name_is_nowhere_replaced_has_the_code_of_its_person(problem, pseudonyms):
    changed = renamed(problem, msgspec.structs.replace(pseudonyms, passage=()))
    assert [choice.name for choice in changed.choices] == ["@entity1", "@entity0"]
