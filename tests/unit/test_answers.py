"""Generated answers name a choice by its name, its surname or its letter, within any text."""

import pytest

from wdw_build.reading.answers import lettered_choice, letters, named_choice

NAMES = ["Ann Fox", "Bo Lee Jr.", "Zoë Ødegård-Müller", "Ann Lee", "O'Neil"]


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ("Ann Fox", 0),
        ("ann fox.", 0),
        ("**Fox**", 0),
        ("The name is Fox's.", 0),
        ("It was Dr. Ann Fox, I think", 0),
        ("Bo Lee", None),
        ("Bo Lee Jr", 1),
        ("Zoe Odegard-Muller", 2),
        ("MÜLLER", 2),
        ('{"answer": "M\\u00dcller"}', 2),
        ("Lee", None),
        ("Ann", None),
        ("Ann Lee", 3),
        ("o’neil", 4),
        ("Ann Fox and Ann Lee", None),
        ("Foxes", None),
        ("<think>Ann Lee? No.</think> Ann Fox", 0),
        ("<think>Ann Lee? No.", None),
        ("", None),
        ("none of them", None),
    ],
)
def test_an_answer_names_one_choice_or_none(answer, choice):
    assert named_choice(answer, NAMES) == choice


def test_a_name_within_a_longer_name_is_not_named_by_the_longer_one():
    assert named_choice("It was Ann Fox Lee.", ["Ann Fox", "Ann Fox Lee"]) == 1


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ("B", 1),
        ("b.", 1),
        ("(C)", 2),
        ("B. Bo Lee", 1),
        ("**D** - Ann Lee", 3),
        ("The answer is C.", 2),
        ("A person who won is B", 1),
        ("Ann Fox", 0),
        ("A or B", None),
        ("F", None),
        ("", None),
    ],
)
def test_an_answer_gives_one_letter_or_a_name(answer, choice):
    assert lettered_choice(answer, NAMES) == choice


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ("Kim Jong Ha", 0),
        ("Kim Jong\u2011ha", 0),
        ("J R Toller", 1),
        ("J.R. Toller", 1),
        ("JR Toller", 1),
        ("Pike Jr.", 2),
        ("Harlan Pike Sr.", 3),
        ("Pike", None),
        ("Conan O\u02bcNeil", 4),
    ],
)
def test_hyphens_apostrophes_and_the_stops_of_initials_do_not_count(answer, choice):
    names = ["Kim Jong-ha", "J. R. Toller", "Harlan Pike Jr.", "Harlan Pike Sr.", "Conan O'Neil", "K. Toller"]
    assert named_choice(answer, names) == choice


def test_letters_go_on_after_z():
    assert letters(28)[25:] == ["Z", "AA", "BB"]
