"""Persons of a dataset: spellings of one name go together, and namesakes do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.selection import properties
from wdw_build.selection.properties import persons
from wdw_build.text.names.compare import compare


def test_titles_initials_and_a_surname_alone_are_the_person_who_has_the_full_name():
    counts = {"Reagan": 30, "President Reagan": 3, "Ronald Reagan": 5, "Ronald W. Reagan": 1}
    found = persons({**counts, "Nancy Reagan": 2})
    assert found == {**dict.fromkeys(counts, "ronald reagan"), "Nancy Reagan": "nancy reagan"}


PEOPLE = [
    (["James Baker", "Howard Baker", "Baker"], 2),
    (["Hillary Clinton", "Hillary Rodham Clinton", "Bill Clinton"], 2),
    (["Chen Shui-bian", "Chen"], 1),
    (["Zoë Zane", "Zoe Zane"], 1),
    (["Reagan", "Thatcher"], 2),
    (["J. J.", "al"], 2),
    (["Bob Dole", "Robert Dole"], 1),
    (["Owen Pike Jr.", "Owen Pike Sr."], 2),
    (["Kim Jong-ha", "Kim Jong Ha"], 1),
    (["Dmitry Kovtun", "Dmitri Kovtun"], 1),
    (["Donald Trump", "Donald J. Trump"], 1),
    (["Carl Ames", "Carol Ames"], 2),
]


@pytest.mark.parametrize(("names", "groups"), PEOPLE)
def test_so_many_people_are_meant(names, groups):
    assert len(set(persons(dict.fromkeys(names, 1)).values())) == groups


def test_a_surname_alone_is_the_commonest_person_who_has_it():
    assert persons({"Baker": 9, "James Baker": 3, "Howard Baker": 4})["Baker"] == "howard baker"
    assert persons({"Baker": 9, "James Baker": 5, "Howard Baker": 4})["Baker"] == "james baker"
    assert persons({"Clark": 1, "Clark Kent": 9, "Ann Clark": 2})["Clark"] == "ann clark"


WORDS = st.sampled_from(["Ann", "Bob", "Cole", "Dorn", "Ames", "J.", "Dr."])
NAMES = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), max_size=8)


@given(NAMES, st.randoms(use_true_random=False))
def test_the_order_of_the_names_changes_nothing_and_a_person_is_one_of_them(names, draw):
    counts = {name: 1 + len(name) % 3 for name in names}
    shuffled = list(counts.items())
    draw.shuffle(shuffled)
    found = persons(counts)
    assert persons(dict(shuffled)) == found
    assert found.keys() == counts.keys()
    assert persons({**counts, "Eve East": 1})["Eve East"] == "eve east"


def test_a_surname_that_thousands_have_takes_no_longer_for_it(monkeypatch):
    compared = []
    monkeypatch.setattr(properties, "compare", lambda name, other: compared.append(name) or compare(name, other))
    names = {f"Given{number} Wang": 1 for number in range(2000)}
    assert len(set(properties.persons(names).values())) == len(names)
    # Of 1,999,000 pairs, those whose given names are written alike.
    assert len(compared) < 50 * len(names)
