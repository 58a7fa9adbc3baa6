"""Generated answers name a choice by its name, its surname or its letter, within any text."""

import pytest

from wdw_build.reading.answers import lettered_choice, letters, named_choice

NAMES = ["Ann Fox", "Bo Lee Jr.", "Zoë Ødegård-Müller", "Ann Lee", "O'Neil"]
THOUGHT = "<think>Ann Lee? No."
AFTER_THOUGHT = f"{THOUGHT}</think> Ann Fox"


def by_choice(answers):
    """A case for each answer in a table of choices and the answers that name them."""
    cases = [(answer, choice) for choice, given in answers.items() for answer in given]
    return pytest.mark.parametrize(("answer", "choice"), cases)


@by_choice(
    {
        0: ["Ann Fox", "ann fox.", "**Fox**", "The name is Fox's.", "It was Dr. Ann Fox, I think", AFTER_THOUGHT],
        1: ["Bo Lee Jr"],
        2: ["Zoe Odegard-Muller", "MÜLLER", '{"answer": "M\\u00dcller"}'],
        3: ["Ann Lee"],
        4: ["o’neil"],
        None: ["Bo Lee", "Lee", "Ann", "Ann Fox and Ann Lee", "Foxes", THOUGHT, "", "none of them"],
    }
)
def test_an_answer_names_one_choice_or_none(answer, choice):
    assert named_choice(answer, NAMES) == choice


def test_a_name_within_a_longer_name_is_not_named_by_the_longer_one():
    assert named_choice("It was Ann Fox Lee.", ["Ann Fox", "Ann Fox Lee"]) == 1


@by_choice(
    {
        0: ["Ann Fox"],
        1: ["B", "b.", "B. Bo Lee", "A person who won is B"],
        2: ["(C)", "The answer is C."],
        3: ["**D** - Ann Lee"],
        None: ["A or B", "F", ""],
    }
)
def test_an_answer_gives_one_letter_or_a_name(answer, choice):
    assert lettered_choice(answer, NAMES) == choice


@by_choice(
    {
        0: ["Kim Jong Ha", "Kim Jong\u2011ha"],
        1: ["J R Toller", "J.R. Toller", "JR Toller"],
        2: ["Pike Jr."],
        3: ["Harlan Pike Sr."],
        4: ["Conan O\u02bcNeil"],
        None: ["Pike"],
    }
)
def test_hyphens_apostrophes_and_the_stops_of_initials_do_not_count(answer, choice):
    names = ["Kim Jong-ha", "J. R. Toller", "Harlan Pike Jr.", "Harlan Pike Sr.", "Conan O'Neil", "K. Toller"]
    assert named_choice(answer, names) == choice


def test_letters_go_on_after_z():
    assert letters(28)[25:] == ["Z", "AA", "BB"]
