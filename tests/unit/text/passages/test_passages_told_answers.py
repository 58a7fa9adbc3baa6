"""Told answers: another question names the deleted person, within the days and about the same event."""

import pytest

from support import make
from wdw_build.text.passages.connections import ToldAnswers, content_words

# The answer of the question that may be told is Rosalind Peake.
TOLD = "Rosalind Peake will sell the ferry Island Pearl to Joseph Banda ."


def problem(name, sentence, blank, others, *, number=0, full=None):
    asked = make.question(name, sentence, blank, others=others, date=make.day(number))
    return make.problem(name, asked, f"{full or blank} came. Tom Tarr left.", [full or blank, "Tom Tarr"], 0)


def told(sentence, blank, others, *, days=1, number=0):
    """The evidence, if the teller's question tells the answer of the first question; else None."""
    index = ToldAnswers(days)
    index.add(problem("told", TOLD, "Rosalind Peake", ["Joseph Banda"]))
    return dict(index.find(problem("teller", sentence, blank, others, number=number))).get("told")


def test_a_question_of_the_same_event_that_names_the_answer_tells_it():
    evidence = told("Joseph Banda bought the ferry Pearl from Ms. Peake .", "Joseph Banda", ["Peake"])
    assert evidence == "Peake, with banda: ferry, pearl"


def test_the_further_person_may_be_a_mention_or_the_blank():
    assert told("Peake sold the ferry Pearl to Mr. Banda , said Ann Ames .", "Ann Ames", ["Peake", "Banda"])


NO_TELLERS = [
    ("Joseph Banda bought the ferry Pearl .", "Joseph Banda", [], "the answer is not named"),
    ("Rosalind Peake sold the ferry Pearl .", "Rosalind Peake", [], "the answer is named in the blank alone"),
    ("Ann Ames bought the ferry Pearl from Peake .", "Ann Ames", ["Peake"], "no further person is in common"),
    ("Joseph Banda had dinner with Rosalind Peake .", "Joseph Banda", ["Rosalind Peake"], "another event"),
    ("Joseph Banda bought the ferry Pearl from Ida Peake .", "Joseph Banda", ["Ida Peake"], "a namesake"),
    ("Joseph Banda said the ferry would peake .", "Joseph Banda", [], "no capital"),
]


@pytest.mark.parametrize(("sentence", "blank", "others", "why"), NO_TELLERS)
def test_other_questions_do_not_tell_the_answer(sentence, blank, others, why):
    assert told(sentence, blank, others) is None, why


def test_the_last_word_of_the_name_tells_the_answer_outside_of_mentions_too():
    sentence = "Joseph Banda bought the ferry Pearl after the anti-Peake vote ."
    assert told(sentence, "Joseph Banda", []) == "peake, with banda: ferry, pearl"


def test_the_fullest_form_of_the_answer_decides():
    index = ToldAnswers(1)
    index.add(problem("told", TOLD.removeprefix("Rosalind "), "Peake", ["Joseph Banda"], full="Rosalind Peake"))
    teller = problem("teller", "Joseph Banda bought the ferry Pearl from Ida Peake .", "Joseph Banda", ["Ida Peake"])
    assert dict(index.find(teller)) == {}


@pytest.mark.parametrize(("number", "days", "is_told"), [(1, 1, True), (2, 1, False), (2, 2, True), (-1, 1, True)])
def test_the_questions_are_at_most_the_days_apart(number, days, is_told):
    sentence = "Joseph Banda bought the ferry Pearl from Rosalind Peake ."
    found = told(sentence, "Joseph Banda", ["Rosalind Peake"], days=days, number=number)
    assert (found is not None) == is_told


def test_a_problem_does_not_tell_its_own_answer():
    index = ToldAnswers(1)
    sentence = "Peake 's ferry Pearl : Rosalind Peake met Joseph Banda ."
    own = problem("told", sentence, "Rosalind Peake", ["Joseph Banda"])
    index.add(own)
    assert dict(index.find(own)) == {}


def test_content_words_are_neither_names_nor_titles_nor_words_of_all_news():
    sentence = "On Monday President Rosalind Peake said that their oil ferry would still sail with Joe Banda aboard ."
    asked = make.question("q", sentence, "President Rosalind Peake", person="Rosalind Peake", others=["Joe Banda"])
    assert content_words(asked) == {"ferry", "sail", "aboard"}
