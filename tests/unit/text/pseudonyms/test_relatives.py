"""Given names before surnames: whose they are, and that relatives have codes of their own."""

import pytest

from support import make
from support.pseudonyms import POOL, renamed_problem, rewritten
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.pseudonyms.apply import renamed
from wdw_build.text.pseudonyms.rename import Refused

NAMES = ["Tom Quillby", "Quillby", "Carla Dresch", "Dresch"]
CHOICES = [("Tom Quillby", "Quillby"), ("Carla Dresch", "Dresch")]
START = "Tom Quillby met Carla Dresch . "


def found_in(text, names=NAMES, choices=CHOICES, question="Tom Quillby won .", **more):
    found = renamed_problem(text, question, names, choices, **more)
    assert not isinstance(found, Refused), found
    return found, {person.name: person.code for person in found.persons}


@pytest.mark.parametrize(
    "text", ["He respects Mary Quillby a lot .", "pro-Mary Quillby voters left .", "Mary T. Quillby left ."]
)
def test_another_given_name_before_a_surname_is_that_of_another_person(text):
    found, code = found_in(START + text, ["Tom Quillby", "Carla Dresch"], ["Tom Quillby", "Carla Dresch"])
    changed = rewritten(START + text, found.passage, "code")
    assert "Mary" not in changed
    assert code["Mary Quillby"] in changed
    assert code["Mary Quillby"] != code["Tom Quillby"]
    surrogate = {person.name: person.surrogate.split() for person in found.persons}
    assert surrogate["Mary Quillby"][1] == surrogate["Tom Quillby"][1]


def test_a_mention_of_a_choice_that_is_a_relatives_is_moved_and_left_out_of_the_renamed_choice():
    passage = START + "He respects Mary Quillby ."
    found, code = found_in(passage)
    assert f"He respects {code['Mary Quillby']} ." in rewritten(passage, found.passage, "code")
    problem = make.problem("q", make.question("q", "Tom Quillby won .", "Tom Quillby"), passage, CHOICES, 0)
    choice = renamed(problem, found, "codes").choices[0]
    assert len(problem.choices[0].mentions) == 2
    assert len(choice.mentions) == 1


def test_a_given_name_belongs_to_a_person_who_shows_no_other():
    passage = "Quillby met Carla Dresch . Then Mary Quillby left ."
    found, code = found_in(passage, choices=["Quillby", "Carla Dresch"], question="Quillby won .")
    assert len(found.persons) == 2
    assert rewritten(passage, found.passage, "code").endswith(f"Then {code['Quillby']} left .")


def test_the_last_mention_of_a_choice_stays_with_the_choice():
    passage = "Mary Quillby met Carla Dresch ."
    choices = [("Tom Quillby", "Quillby"), "Carla Dresch"]
    found, code = found_in(passage, ["Quillby", "Carla Dresch"], choices)
    assert rewritten(passage, found.passage, "code") == f"{code['Tom Quillby']} met {code['Carla Dresch']} ."


def test_the_blank_of_the_question_stays_the_answers():
    found, code = found_in(START, question="Mary Tom Quillby won .")
    assert [each.person for each in found.question] == [0]
    assert set(code) == {"Tom Quillby", "Carla Dresch"}


@pytest.mark.parametrize("before", ["Mr.", "Pastor", "South Mary", "He said Best", "Team"])
def test_a_title_a_place_or_a_plain_word_before_a_surname_is_no_given_name(before):
    passage = START + f"Then {before} Quillby left ."
    pool = type(POOL)(POOL.origins, POOL.female, POOL.male | {"pastor", "best"})
    found, _ = found_in(passage, pool=pool)
    assert f"Then {before} " in rewritten(passage, found.passage)


def test_a_word_that_the_corpus_tags_with_the_surname_is_a_given_name():
    passage = START + "Then Zillary Quillby left ."
    evidence = NameEvidence(person={"zillary quillby": 2})
    assert "Zillary Quillby" in found_in(passage, evidence=evidence)[1]
    assert "Zillary Quillby" not in found_in(passage)[1]


def test_in_a_headline_a_given_name_must_be_frequent_or_known_to_the_corpus():
    pool = type(POOL)(POOL.origins, POOL.female | {"zora"}, POOL.male)
    evidence = NameEvidence(person={"zora quillby": 2})
    assert "Robert Quillby" in found_in(START, title="Robert Quillby Resigns", pool=pool)[1]
    assert "Zora Quillby" not in found_in(START, title="Zora Quillby Resigns", pool=pool)[1]
    assert "Zora Quillby" in found_in(START, title="Zora Quillby Resigns", pool=pool, evidence=evidence)[1]
    assert "Zora Quillby" in found_in(START + "Zora Quillby left .", pool=pool)[1]


def test_brothers_are_two_persons_though_the_surname_alone_is_a_form_of_both():
    passage = "Tom Quillby left . Quillby won . John and Robert Quillby waved ."
    names = ["Tom Quillby", "Quillby", "John", "Robert Quillby", "Carla Dresch"]
    found, code = found_in(passage + " Carla Dresch .", names)
    assert code["Robert Quillby"] != code["Tom Quillby"]
    assert f"and {code['Robert Quillby']} waved" in rewritten(passage, found.passage, "code")


def test_a_surname_that_is_written_twice_is_the_same_person():
    _, code = found_in(START + "Quillby Quillby won .", [*NAMES, "Quillby Quillby"], ["Tom Quillby", "Carla Dresch"])
    assert set(code) == {"Tom Quillby", "Carla Dresch"}


def test_two_persons_who_may_be_one_are_listed_as_a_leak():
    names = ["Tom Quillby", "Big Tom"]
    found, _ = found_in("Tom Quillby met Big Tom .", names, names)
    assert found.leaks == ("two-codes: Tom Quillby | Big Tom",)
    names = ["Tom Quillby", "Mary Quillby"]
    found, _ = found_in("Tom Quillby met Mary Quillby .", names, names)
    assert found.leaks == ()
