"""Examples of given names and family names that stand alone: ``training.given_names``."""

from support import make
from training.given_names import _of_article
from wdw_build.text.names.evidence import NameEvidence


def examples(text):
    names = _of_article(make.article("a", text), NameEvidence(person={"ida moss": 2, "owen poll": 1}))
    return {(text[name.start : name.end], name.is_given) for name in names}


def test_each_word_of_a_known_name_is_an_example_where_it_stands_alone():
    found = examples("Ida Moss left. Later Mr. Moss and Ida met Owen Poll, and Poll left.")
    assert found == {("Ida", True), ("Moss", False), ("Poll", False)}


def test_a_word_within_another_name_is_no_example():
    assert examples("Ida Moss left. They met Eva Moss and Ida Lund.") == set()


def test_a_word_that_is_both_a_given_name_and_a_family_name_is_no_example():
    names = NameEvidence(person={"ida moss": 1, "owen ida": 1})
    found = list(_of_article(make.article("a", "Ida Moss met Owen Ida, and Ida left Owen."), names))
    assert [(name.start, name.is_given) for name in found] == [(36, True)]
