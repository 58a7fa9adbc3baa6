"""Codes in a problem, by hand-made examples."""

from msgspec.structs import replace

from support import make
from wdw_build.records import NameReplacement, Pseudonyms, RenamedPerson, Span, pack_spans
from wdw_build.text.pseudonyms.apply import renamed

PASSAGE = "Ann Ames and Bob Beck spoke.\n\nAmes's car was red."
SENTENCE = "Then President Ann Ames met the pro-Beck crowd of Bob Beck ."


# What is replaced, the number of the person, and the code.
ANN, BOB, BECK = ("Ann Ames", 0, "@entity1"), ("Bob Beck", 1, "@entity0"), ("Beck", 1, "@entity0")


def replacements(text, *pairs):
    """Replacements (text, person, code), found in order."""
    found, position = [], 0
    for old, person, code in pairs:
        start = text.index(old, position)
        position = start + len(old)
        found.append(NameReplacement(start=start, end=position, person=person, kind="mention", code=code))
    return tuple(found)


ASKED = make.question("p", SENTENCE, "President Ann Ames", person="Ann Ames", others=["Bob Beck"])
MADE = make.problem("p", ASKED, PASSAGE, [("Ann Ames", "Ames"), "Bob Beck"], 0)
PROBLEM = replace(MADE, passage=replace(MADE.passage, title="Beck speaks"))
PSEUDONYMS = Pseudonyms(
    id="p",
    persons=tuple(RenamedPerson(name=name, choice=number, code=code) for name, number, code in (ANN, BOB)),
    passage=replacements(PASSAGE, ANN, BOB, ("Ames's", 0, "@entity1's")),
    question=replacements(SENTENCE, ANN, BECK, BOB),
    title=replacements("Beck speaks", BECK),
)
CHANGED = renamed(PROBLEM, PSEUDONYMS)


def test_codes_stand_in_passage_title_question_and_choices():
    assert CHANGED.passage.text == "@entity1 and @entity0 spoke.\n\n@entity1's car was red."
    assert CHANGED.passage.title == "@entity0 speaks"
    assert CHANGED.question.sentence == "Then President @entity1 met the pro-@entity0 crowd of @entity0 ."
    assert [choice.name for choice in CHANGED.choices] == ["@entity1", "@entity0"]


def test_a_mention_does_not_take_in_the_possessive_that_was_replaced_with_it():
    mentions = [CHANGED.passage.text[one.start : one.end] for one in CHANGED.choices[0].mentions]
    assert mentions == ["@entity1", "@entity1"]


def test_the_blank_keeps_the_title_before_the_name():
    question = CHANGED.question
    assert (question.blank.text, question.name.text) == ("President @entity1", "@entity1")
    assert question.tokens[slice(*question.blank_tokens)] == ("President", "@entity1")


def test_a_token_that_overlaps_a_name_in_part_is_cut_anew():
    assert CHANGED.question.tokens[5:8] == ("pro", "-", "@entity0")


def test_what_tells_the_names_is_emptied():
    changed = renamed(replace(PROBLEM, persons=PROBLEM.choices), PSEUDONYMS)
    assert (changed.persons, changed.refused, changed.question.tree) == ((), (), "")


def test_ids_dates_sources_and_scores_stay():
    for field in ("id", "date", "answer", "window", "score", "event_score"):
        assert getattr(CHANGED, field) == getattr(PROBLEM, field)
    for field in ("article", "date", "source"):
        assert getattr(CHANGED.passage, field) == getattr(PROBLEM.passage, field)


def test_the_number_of_tokens_follows_the_layout():
    spans = [(0, 3), (4, 8), (9, 12), (13, 16), (17, 21), (22, 27), (27, 28), (30, 34), (34, 36), (37, 40)]
    marked = replace(PROBLEM.passage, tokens=len(spans), token_layout=pack_spans(spans))
    passage = renamed(replace(PROBLEM, passage=marked), PSEUDONYMS).passage
    assert passage.tokens == 8
    tokens = [passage.text[start:end] for start, end in passage.token_spans]
    assert tokens == ["@entity1", "and", "@entity0", "spoke", ".", "@entity1", "'s", "car"]


def test_a_question_of_an_earlier_version_is_cut_into_tokens():
    old = replace(PROBLEM, question=replace(PROBLEM.question, token_layout=()))
    question = renamed(old, PSEUDONYMS).question
    assert question.tokens[slice(*question.blank_tokens)] == ("President", "@entity1")
    assert len(question.token_spans) == len(question.tokens)


def test_a_problem_without_names_in_the_title_keeps_it():
    assert renamed(PROBLEM, replace(PSEUDONYMS, title=())).passage.title == "Beck speaks"
    assert CHANGED.choices[1].mentions == (Span(start=13, end=21),)


def test_a_choice_whose_name_is_nowhere_replaced_has_the_code_of_its_person():
    changed = renamed(PROBLEM, replace(PSEUDONYMS, passage=()))
    assert [choice.name for choice in changed.choices] == ["@entity1", "@entity0"]
