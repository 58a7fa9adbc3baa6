"""Who bears a family name in a text."""

import pytest

from wdw_build.text.names.bearers import full_name
from wdw_build.text.names.evidence import NameEvidence


@pytest.mark.parametrize(
    ("name", "text", "others", "expected"),
    [
        ("Moss", "Moss spoke. Paul Moss left.", (), "Paul Moss"),
        ("Moss", "Paul Moss met Paul K. Moss and John Moss.", (), "Paul K. Moss"),
        ("Moss", "Paul K. Moss met Paul L. Moss.", (), ""),
        ("Moss", "Paul Moss met John Moss.", (), ""),
        ("Moss", "Paul Moss met John Moss.", ("John Moss",), "Paul Moss"),
        ("Moss", "President Moss left. Will Moss come?", (), "Moss"),
        ("Moss", "Anneke Moss left.", (), "Moss"),
        ("John Moss", "Paul Moss left.", (), "John Moss"),
    ],
)
def test_the_full_name_of_a_family_name_is_that_which_the_text_has_most(name, text, others, expected):
    assert full_name(name, text, others) == expected


def test_the_corpus_makes_a_rare_word_a_given_name():
    evidence = NameEvidence(person={"anneke moss": 2})
    assert full_name("Moss", "Anneke Moss left.", (), evidence) == "Anneke Moss"
