"""Names of persons that the tagger did not label, and who bears a family name."""

import pytest

from support.marked import marked
from support.tables import cases
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.unmarked import full_name, with_unmarked

# Case, text with the tagged mentions in brackets, and all mentions.
CASES = """
a family name | [Ida Moss] left. They saw Moss. | Ida Moss; Moss
a full name | [Ida Moss] left. Later Ida Moss slept. | Ida Moss; Ida Moss
a modifier | [Ida Moss] left. The Moss campaign won. | Ida Moss; Moss
a word after a hyphen | [Ida Moss] met pro-Moss and Moss-led groups. | Ida Moss; Moss; Moss
two persons joined | [Ida Moss] and [Owen Ames]: the Moss-Ames race | Ida Moss; Owen Ames; Moss; Ames
a firm | [Ida Moss] built Moss Tower. | Ida Moss
a weekday after the name | [Ida Moss] told Moss Tuesday. | Ida Moss; Moss
another person | [Ida Moss] left. Anneke Moss slept. | Ida Moss
two bearers | [Ida Moss] met [Owen Ames Moss]. Then Moss left. | Ida Moss; Owen Ames Moss
two relatives | [Ida K. Moss] met [Ida L. Moss]. Then Moss left. | Ida K. Moss; Ida L. Moss
a short form | [Bill Moss] is [William Moss]. Then Moss left. | Bill Moss; William Moss; Moss
a title | [Ida Moss] told Sen Moss so. | Ida Moss; Moss
a handle | [Ida Moss] wrote to @Moss. | Ida Moss
a person by one word | [Moss] left. Then Moss slept. | Moss; Moss
a given name elsewhere | ‘Paul Moss’ is a film. [Moss] left. | Paul Moss; Moss
"""


@pytest.mark.parametrize(("text", "expected"), cases(CASES))
def test_every_occurrence_of_a_persons_name_is_a_mention(text, expected):
    plain, mentions = marked(text)
    found = with_unmarked(mentions, [], plain)
    assert "; ".join(mention.text for mention in found) == expected
    assert all(plain[mention.start : mention.end] == mention.text for mention in found)


def test_a_refused_mention_is_no_name():
    plain, mentions = marked("[Ida King] left [Ida King Mall]. Then King slept.")
    assert [one.text for one in with_unmarked(mentions[:1], mentions[1:], plain)] == ["Ida King", "King"]


def test_a_name_with_the_other_generation_and_a_family_name_with_one_are_found():
    for text in ("Owen Moss Jr. met [Owen Moss Sr.] again.", "[Owen Moss Jr.] met Moss Jr. again."):
        plain, mentions = marked(text)
        assert [one.text for one in with_unmarked(mentions, [], plain)] == plain.removesuffix(" again.").split(" met ")


def test_a_word_that_is_mostly_a_place_in_the_corpus_is_no_family_name():
    plain, mentions = marked("[Ida Moss] left for Moss.")
    assert with_unmarked(mentions, [], plain, NameEvidence(other={"moss": 9})) == mentions


FULL_NAMES = [
    ("Moss", "Moss spoke. Paul Moss left.", "Paul Moss"),
    ("Moss", "Paul Moss met Paul K. Moss and John Moss.", "Paul K. Moss"),
    ("Moss", "Paul Moss met John Moss.", ""),
    ("Moss", "President Moss left. Will Moss come?", "Moss"),
    ("Moss", "Anneke Moss left.", "Moss"),
    ("John Moss", "Paul Moss left.", "John Moss"),
    ("Moss", "O.J. Moss left. Moss slept.", "Moss"),
    ("Moss", "In the U.S. Moss slept.", "Moss"),
    ("O.J. Moss", "Ida Moss met O.J. Moss. Ida Moss slept.", "O.J. Moss"),
    ("O. Moss", "Oscar Moss left.", "Oscar Moss"),
]


@pytest.mark.parametrize(("name", "text", "expected"), FULL_NAMES)
def test_the_full_name_of_a_family_name_is_that_which_the_text_has_most(name, text, expected):
    assert full_name(name, text) == expected


def test_the_corpus_makes_a_rare_word_a_given_name():
    assert full_name("Moss", "Anneke Moss left.", NameEvidence(person={"anneke moss": 2})) == "Anneke Moss"
