"""Codes and surrogates of one problem: the forms of a name, shared words, the tests that no name is left, and the draws."""

import pytest

from support.pseudonyms import POOL, renamed_problem, rewritten
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.pseudonyms import rename
from wdw_build.text.pseudonyms.rename import Refused

NAMES = [
    "Tom Quillby",
    "Quillby",
    "Mary Quillby",
    "Carla Dresch",
    "Dresch",
    "J.P. Quillby",
    "Tom van Rooth",
    "Tom P. Quillby",
]
CHOICES = [("Tom Quillby", "Quillby"), ("Carla Dresch", "Dresch")]
START = "Tom Quillby met Carla Dresch . "


def renamed(text, **more):
    passage = START + text
    found = renamed_problem(passage, "Tom Quillby won .", NAMES, CHOICES, **more)
    assert not isinstance(found, Refused), found
    return found, passage


def words_of(found, name):
    surrogate = next(person.surrogate for person in found.persons if person.name == name)
    return surrogate.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Quillby left .", "{Family} left ."),
        ("Quillby's car .", "{Family}'s car ."),
        ("QUILLBY RESIGNS", "{FAMILY} RESIGNS"),
        ("Mr. Quillby and Tom left .", "Mr. {Family} and {Given} left ."),
        ("the pro-Quillby camp and Quillby-era laws .", "the pro-{Family} camp and {Family}-era laws ."),
        ("Quillbyism and the Quillbys .", "{Family}ism and the {Family}s ."),
        ("#Quillby and @realTomQuillby and @tomquillby .", "#{Family} and @real{Given}{Family} and @{given}{family} ."),
        ("Quillbyers felt Quillbyed .", "{Family}ers felt {Family}ed ."),
        ("T. Quillby wrote .", "{G}. {Family} wrote ."),
        ("a quillby is a bird .", "a quillby is a bird ."),
        ("Quillbyshire and Tomlin are far .", "Quillbyshire and Tomlin are far ."),
    ],
)
def test_a_name_is_replaced_in_its_form(text, expected):
    found, passage = renamed(text)
    given, family = words_of(found, "Tom Quillby")
    forms = {"Family": family, "FAMILY": family.upper(), "family": family.lower(), "G": given[0]}
    changed = rewritten(passage, found.passage)
    assert changed.endswith(". " + expected.format(Given=given, given=given.lower(), **forms))


def test_a_bare_possessive_after_s_becomes_a_possessive_of_the_surrogate():
    names = [("Ann Hollis", "Hollis"), "Carla Dresch"]
    passage = "Ann Hollis met Carla Dresch . It was Hollis' car ."
    found = renamed_problem(passage, "Ann Hollis won .", ["Ann Hollis", "Hollis", "Carla Dresch"], names)
    family = words_of(found, "Ann Hollis")[1]
    own = f"{family}'" if family.endswith("s") else f"{family}'s"
    assert f"It was {own} car" in rewritten(passage, found.passage)
    assert "'s car" in rewritten(passage, found.passage, "code")


def test_a_name_with_an_apostrophe_is_replaced():
    passage = "Ann O'Hollis met Carla Dresch . It was O'Hollis's car ."
    names = ["Ann O'Hollis", "Carla Dresch"]
    found = renamed_problem(passage, "Ann O'Hollis won .", names, names)
    assert "Hollis" not in rewritten(passage, found.passage)


@pytest.mark.parametrize(
    ("first", "second"),
    [("Tom B. Quillby", "Tom J.P. Quillby"), ("Tom Quillby", "Tom Quillby Jr."), ("Tom Quillby", "Tom P. Quillby")],
)
def test_persons_whose_names_differ_in_initials_or_suffix_have_different_surrogates(first, second):
    passage = f"{first} met {second} and Carla Dresch ."
    names = [first, second, "Carla Dresch"]
    found = renamed_problem(passage, f"{first} won .", names, names)
    assert [person.name for person in found.persons] == names
    surrogates = [person.surrogate for person in found.persons]
    assert len(set(surrogates)) == 3
    assert len({surrogate.split()[-1 - surrogate.endswith("Jr.")] for surrogate in surrogates[:2]}) == 1
    text = rewritten(passage, found.passage)
    assert all(surrogate in text for surrogate in surrogates)


def test_a_problem_is_refused_if_two_persons_would_have_one_surrogate(monkeypatch):
    monkeypatch.setattr(rename, "surrogate_initial", lambda *_: "X")
    names = ["Tom B. Quillby", "Tom P. Quillby"]
    found = renamed_problem("Tom B. Quillby met Tom P. Quillby .", "Tom B. Quillby won .", names, names)
    assert isinstance(found, Refused)
    assert (found.reason, found.detail) == ("no-surrogate", "one surrogate for Tom B. Quillby and Tom P. Quillby")


def test_relatives_share_the_surrogate_of_the_shared_surname():
    passage = START + "Mary Quillby waved ."
    found = renamed_problem(passage, "Tom Quillby won .", NAMES, ["Tom Quillby", "Carla Dresch"])
    tom, mary = words_of(found, "Tom Quillby"), words_of(found, "Mary Quillby")
    assert tom[1] == mary[1]
    assert tom[0] != mary[0]
    assert {person.gender for person in found.persons if person.name == "Mary Quillby"} == {"female"}
    assert found.persons[0].code != next(person.code for person in found.persons if person.name == "Mary Quillby")


def test_particles_are_dropped_and_middle_initials_replaced():
    text = "Tom P. Quillby met Tom van Rooth . Tom Quillby left ."
    found, passage = renamed(text)
    changed = rewritten(passage, found.passage)
    assert " van " not in changed
    assert " P. " not in changed
    assert "van" not in rewritten(passage, found.passage, "code").split()


def test_every_form_becomes_the_code_and_the_codes_are_permuted():
    found, passage = renamed("Mr. Quillby's pro-Dresch speech . Quillbyism .")
    code = {person.name: person.code for person in found.persons}
    tom, carla = code["Tom Quillby"], code["Carla Dresch"]
    assert rewritten(passage, found.passage, "code") == (
        f"{tom} met {carla} . Mr. {tom}'s pro-{carla} speech . {tom}ism ."
    )
    assert {tom, carla} == {"@entity0", "@entity1"}
    seeds = {renamed("", seed=seed)[0].persons[0].code for seed in range(8)}
    assert seeds == {"@entity0", "@entity1"}


def test_the_person_of_question_and_passage_is_one_and_the_title_is_replaced_too():
    found, _ = renamed("", title="QUILLBY DEFEATS CARLA DRESCH")
    assert [person.choice for person in found.persons] == [0, 1]
    assert [one.person for one in found.question] == [0]
    assert [(one.person, one.kind) for one in found.title] == [(0, "word"), (1, "word")]
    assert "title: QUILLBY" in found.leaks


@pytest.mark.parametrize(
    ("text", "leak"),
    [
        ("Quillbyism spread .", "derived: Quillbyism"),
        ("the Quillby Group .", "thing: Quillby Group"),
        ("said dresch in a mail .", "lower-case: dresch"),
    ],
)
def test_places_that_may_tell_the_person_are_listed(text, leak):
    names = ["Tom Quillby", "Carla Dresch"]
    found = renamed_problem(START + text, "Tom Quillby won .", names, names)
    assert leak in found.leaks


def evidence(**other):
    return NameEvidence(other={name.replace("_", " "): count for name, count in other.items()})


@pytest.mark.parametrize(
    ("name", "text", "counts"),
    [
        ("Ann Selmont", "She flew to Selmont .", {"selmont": 9}),
        ("Ann White", "the White House said so .", {"white_house": 9}),
        ("Will Harrow", "It rained . Will he come .", {}),
        ("Ann Bream", "Bream is cheap , said the man with a bream .", {}),
    ],
)
def test_a_capitalised_word_with_another_meaning_refuses_the_problem(name, text, counts):
    passage = f"{name} met Carla Dresch . {text}"
    found = renamed_problem(
        passage, f"{name} won .", [name, "Carla Dresch"], [name, "Carla Dresch"], evidence=evidence(**counts)
    )
    assert isinstance(found, Refused)
    assert found.reason == "ambiguous-name"


@pytest.mark.parametrize("answer", ["Selmont", "Selmont Motors"])
def test_a_place_or_a_firm_that_is_the_whole_name_of_a_choice_is_replaced(answer):
    passage = f"{answer} met Carla Dresch . Then {answer} left ."
    counts = {answer.lower().replace(" ", "_"): 9}
    found = renamed_problem(
        passage, f"{answer} won .", ["Carla Dresch"], [answer, "Carla Dresch"], evidence=evidence(**counts)
    )
    assert "Selmont" not in rewritten(passage, found.passage)


@pytest.mark.parametrize("names", [("Dresch-Quillby", "Quillby"), ("Tom Quillby", "DailyMoor.com")])
def test_a_choice_whose_mention_no_own_name_replaces_refuses_the_problem(names):
    passage = f"{names[0]} met {names[1] if '.' in names[1] else 'the board'} ."
    found = renamed_problem(passage, f"{names[0]} won .", [], names)
    assert isinstance(found, Refused)
    assert (found.reason, found.detail) == ("name-left", names[1])


def test_a_problem_is_refused_if_the_pool_is_too_small():
    names = [
        f"{first} {last}" for first in ("Ann", "Ben") for last in ("Upsall", "Wicken", "Yarrow", "Ostler", "Plumley")
    ]
    tiny = type(POOL)(POOL.origins[:1])
    found = renamed_problem(" met ".join(names) + " .", f"{names[0]} won .", names, names[:5], pool=tiny)
    assert isinstance(found, Refused)
    assert found.reason == "no-surrogate"


def test_a_surrogate_is_no_word_of_the_problem():
    text = " ".join(word for origin in POOL.origins for word in origin.family[:-1])
    found, _ = renamed(text.lower() + " .")
    drawn = {words[-1] for words in (person.surrogate.split() for person in found.persons)}
    assert drawn <= {origin.family[-1] for origin in POOL.origins} | set(POOL.blends)
