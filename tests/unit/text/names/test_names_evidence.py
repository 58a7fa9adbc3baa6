"""Counts of names over a corpus, and what they say."""

import pytest

from wdw_build.records import TaggedName
from wdw_build.text.names.evidence import NO_EVIDENCE, NameCounter, NameEvidence, most_frequent
from wdw_build.text.names.name import parse


def counted(*sentences):
    """The evidence of sentences of (tokens, [(start, end, kind)])."""
    counter = NameCounter()
    for sentence, names in sentences:
        counter.add(sentence.split(), [TaggedName(*name) for name in names])
    return NameEvidence(**counter.tables)


def test_names_are_counted_by_kind_and_by_the_title_before_them():
    evidence = counted(
        ("President Ronald Reagan met Reagan in Bretton Woods", [(1, 3, "PERSON"), (4, 5, "PERSON"), (6, 8, "LOC")]),
        ("Mr. Reagan left Woods", [(1, 2, "PERSON"), (3, 4, "ORG")]),
    )
    assert evidence.person == {"ronald reagan": 1, "reagan": 2}
    assert evidence.other == {"bretton woods": 1, "woods": 1}
    assert evidence.titled == {"ronald reagan": 1, "reagan": 1}


KEYS = [
    ("Chen Shui-bian", ("chen", "shui", "bian")),
    ("Chen Shui - bian", ("chen", "shui", "bian")),
    ("President Reagan's", ("reagan",)),
    ("George Bush Jr.", ("george", "bush")),
    ("Zoë", ("zoe",)),
    ("--", ()),
]


@pytest.mark.parametrize(("name", "key"), KEYS)
def test_a_name_has_one_key_however_it_is_written(name, key):
    assert parse(name).counted == key


def test_a_word_that_opens_names_of_several_families_is_a_given_name():
    persons = {"anthony lake": 1, "anthony quinn": 1, "bretton woods": 2}
    evidence = NameEvidence(person=persons, other={"anthony corp": 1})
    assert evidence.is_given("Anthony")
    assert not evidence.is_given("Bretton")
    assert not evidence.is_given("Lake")
    assert not NO_EVIDENCE.is_given("Anthony")


def test_a_word_that_opens_more_names_of_other_kinds_is_no_given_name():
    others = {"judicial house": 1, "judicial act": 1, "judicial board": 1}
    assert not NameEvidence(person={"judicial yuan": 1, "judicial watch": 1}, other=others).is_given("Judicial")


def test_over_the_limit_the_most_frequent_names_stay_and_of_equally_frequent_ones_the_first_in_the_alphabet():
    assert most_frequent([("al", 1), ("bo", 2), ("cy", 1), ("di", 3)], 3) == {"di": 3, "bo": 2, "al": 1}


def test_a_row_of_another_table_is_an_error():
    with pytest.raises(ValueError, match="no table of names: 'x'"):
        NameEvidence.from_rows([("x", "ann", "1")])


def test_the_evidence_of_a_name_is_its_count_as_a_person_less_its_count_as_anything_else():
    evidence = NameEvidence(person={"ann ames": 3, "bo": 1}, other={"ann ames": 1, "cork": 2})
    assert [evidence.leaning(name) for name in ("Ann Ames", "Mrs. Ann Ames", "Bo", "Cork", "Dee")] == [2, 2, 1, -2, 0]


def test_a_title_counts_where_it_opens_the_name_or_stands_directly_before_it():
    evidence = counted(
        ("President Reagan left", [(0, 2, "PERSON")]),
        ("Reagan left President there", [(0, 1, "PERSON")]),
        ("Ann Reagan left", [(0, 2, "PERSON")]),
        ("President left", [(0, 1, "PERSON")]),
    )
    assert evidence.titled == {"reagan": 1}


@pytest.mark.parametrize(("bearers", "is_title"), [("owen ida paul", True), ("owen ida", False)])
def test_a_word_before_the_full_names_of_three_persons_within_their_mentions_or_not_is_a_title(bearers, is_title):
    given, *others = bearers.split()
    names = {f"{name} moss": 1 for name in others}
    evidence = NameEvidence(person=names | {f"taoiseach {name}": 1 for name in names}, before={f"taoiseach {given}": 1})
    assert evidence.is_title("Taoiseach") is is_title
