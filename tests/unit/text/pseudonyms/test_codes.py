"""Codes of one problem: the forms of a name, and the checks that no name is left and no other word is replaced."""

import pytest

from support.pseudonyms import renamed_problem, rewritten
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.pseudonyms.codes import Refused
from wdw_build.text.pseudonyms.persons import Person

NAMES = "Tom Quillby/Quillby/Mary Quillby/Carla Dresch/Dresch/J.P. Quillby/Tom van Rooth/Tom P. Quillby".split("/")
CHOICES = [("Tom Quillby", "Quillby"), ("Carla Dresch", "Dresch")]
START = "Tom Quillby met Carla Dresch . "


def found_in(text, question="Tom Quillby won .", names=NAMES, choices=CHOICES, **more):
    """The pseudonyms of a problem, and its passage with the codes, in which T and C stand for the first two."""
    found = renamed_problem(text, question, names, choices, **more)
    assert not isinstance(found, Refused), found
    changed = rewritten(text, found.passage)
    for letter, person in zip("TC", found.persons, strict=False):
        changed = changed.replace(person.code, letter)
    return found, changed


def refusal(text, question="Tom Quillby won .", names=NAMES, choices=CHOICES, **more):
    found = renamed_problem(text, question, names, choices, **more)
    assert isinstance(found, Refused)
    return found


FORMS = [
    ("Quillby left .", "T left ."),
    ("Quillby's car .", "T's car ."),
    ("QUILLBY RESIGNS", "T RESIGNS"),
    ("Mr. Quillby and Tom left .", "Mr. T and T left ."),
    ("the pro-Quillby camp and Quillby-era laws .", "the pro-T camp and T-era laws ."),
    ("Quillbyism and the Quillbys .", "Tism and the Ts ."),
    ("#Quillby , @realTomQuillby and @tomquillby .", "T , T and T ."),
    ("see www.quillby2016.com .", "see T ."),
    ("Quillbyers felt Quillbyed .", "Ters felt Ted ."),
    ("T. Quillby wrote .", "T wrote ."),
    ("Tom P. Quillby left .", "T left ."),
    ("a quillby is a bird .", "a quillby is a bird ."),
    ("Quillbyshire and Tomlin are far .", "Quillbyshire and Tomlin are far ."),
]


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_a_code_replaces_the_name_in_all_its_forms(text, expected):
    assert found_in(START + text)[1] == f"T met C . {expected}"


def test_the_codes_are_permuted_by_the_seed():
    assert {found_in(START, seed=seed)[0].persons[0].code for seed in range(8)} == {"@entity0", "@entity1"}


def test_particles_go_with_the_name():
    found, changed = found_in(START + "Then Tom van Rooth left .")
    assert changed.endswith(f"Then {found.persons[2].code} left .")


def test_a_bare_possessive_after_s_becomes_a_possessive_of_the_code():
    choices = [("Ann Hollis", "Hollis"), "Carla Dresch"]
    text = "Ann Hollis met Carla Dresch . It was Hollis' car ."
    _, changed = found_in(text, "Ann Hollis won .", ["Ann Hollis", "Hollis", "Carla Dresch"], choices)
    assert changed.endswith("It was T's car .")


def test_a_name_with_an_apostrophe_is_replaced():
    names = ["Ann O'Hollis", "Carla Dresch"]
    text = "Ann O'Hollis met Carla Dresch . It was O'Hollis's car ."
    assert found_in(text, "Ann O'Hollis won .", names, names)[1] == "T met C . It was T's car ."


NAMESAKES = [
    ("Tom B. Quillby", "Tom J.P. Quillby"),
    ("Tom Quillby", "Tom Quillby Jr."),
    ("Tom Quillby", "Tom P. Quillby"),
    ("Tom Quillby", "Mary Quillby"),
]


@pytest.mark.parametrize(("first", "second"), NAMESAKES)
def test_persons_with_one_surname_have_codes_of_their_own(first, second):
    names = [first, second, "Carla Dresch"]
    found, _ = found_in(f"{first} met {second} and Carla Dresch .", f"{first} won .", names, names)
    assert [person.name for person in found.persons] == names
    assert len({person.code for person in found.persons}) == 3


def test_initials_tell_a_person_from_one_with_another_given_name():
    assert not Person(["Mary Quillby"]).is_also("J.P. Quillby")
    assert Person(["John Quillby"]).is_also("J.P. Quillby")


def test_father_and_son_have_codes_of_their_own_also_where_only_the_family_name_is_written():
    passage = "Tom Quillby Jr. met Carla Dresch . Tom Quillby Sr. slept . Quillby Jr. won ."
    names = ["Tom Quillby Jr.", "Carla Dresch", "Tom Quillby Sr."]
    found = renamed_problem(passage, "Tom Quillby Jr. sued Ann Ames .", names, names, others=["Ann Ames"])
    son, _, father = (person.code for person in found.persons[:3])
    assert rewritten(passage, found.passage).startswith(f"{son} Jr. met ")
    assert rewritten(passage, found.passage).endswith(f" {father} Sr. slept . {son} Jr. won .")


def test_a_hyphen_or_a_space_in_a_name_makes_no_second_person():
    passage = "Kim Jong-ha met Carla Dresch . Kim Jong Ha slept ."
    choices = ["Kim Jong Ha", "Carla Dresch"]
    names = ["Kim Jong-ha", *choices]
    found = renamed_problem(passage, "Kim Jong Ha sued Ann Ames .", names, choices, others=["Ann Ames"])
    assert [person.name for person in found.persons] == ["Kim Jong Ha", "Carla Dresch", "Ann Ames"]


def test_a_surname_that_is_written_twice_is_the_same_person():
    found, _ = found_in(START + "Quillby Quillby won .", names=[*NAMES, "Quillby Quillby"])
    assert [person.name for person in found.persons] == ["Tom Quillby", "Carla Dresch"]


def test_the_person_of_question_and_passage_is_one_and_the_title_is_replaced_too():
    found, _ = found_in(START, title="QUILLBY DEFEATS CARLA DRESCH")
    assert [person.choice for person in found.persons] == [0, 1]
    assert [one.person for one in found.question] == [0]
    assert [(one.person, one.kind) for one in found.title] == [(0, "word"), (1, "word")]


MARY = ["He respects Mary Quillby a lot .", "pro-Mary Quillby voters left .", "Mary T. Quillby left ."]


@pytest.mark.parametrize("text", MARY)
def test_another_given_name_before_a_surname_refuses_the_problem(text):
    names = ["Tom Quillby", "Quillby", "Carla Dresch"]
    assert refusal(START + text, names=names).reason == "ambiguous-name"


@pytest.mark.parametrize("before", ["Mr.", "South Mary", "He said Best", "Team", "Zillary"])
def test_a_title_a_place_or_a_plain_word_before_a_surname_is_no_given_name(before):
    assert found_in(f"{START}Then {before} Quillby left .")[1] == f"T met C . Then {before} T left ."


def test_a_word_that_the_corpus_tags_with_the_surname_is_a_given_name():
    evidence = NameEvidence(person={"zillary quillby": 2})
    assert refusal(START + "Then Zillary Quillby left .", evidence=evidence).reason == "ambiguous-name"


OTHER_MEANINGS = [
    ("Ann Selmont", "She flew to Selmont .", {"selmont": 9}),
    ("Ann White", "the White House said so .", {"white house": 9}),
    ("Will Harrow", "It rained . Will he come .", {}),
]


@pytest.mark.parametrize(("name", "text", "counts"), OTHER_MEANINGS)
def test_a_capitalised_word_with_another_meaning_refuses_the_problem(name, text, counts):
    names = [name, "Carla Dresch"]
    passage = f"{name} met Carla Dresch . {text}"
    evidence = NameEvidence(other=counts)
    assert refusal(passage, f"{name} won .", names, names, evidence=evidence).reason == "ambiguous-name"


@pytest.mark.parametrize("answer", ["Selmont", "Selmont Motors"])
def test_a_place_or_a_firm_that_is_the_whole_name_of_a_choice_is_replaced(answer):
    evidence = NameEvidence(other={answer.lower(): 9})
    text, choices = f"{answer} met Carla Dresch . Then {answer} left .", [answer, "Carla Dresch"]
    assert "Selmont" not in found_in(text, f"{answer} won .", ["Carla Dresch"], choices, evidence=evidence)[1]


def test_a_choice_whose_mention_no_own_name_replaces_refuses_the_problem():
    names = ("Dresch-Quillby", "Quillby")
    assert refusal("Dresch-Quillby met the board .", "Dresch-Quillby won .", [], names) == ("name-left", "Quillby")


def test_a_name_within_a_word_refuses_the_problem():
    assert refusal(f"{START}A TomQuillby fan .").reason == "name-left"
