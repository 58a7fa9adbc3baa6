"""The tests of a valid passage."""

import pytest

from support import make
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.text.passages.passage_text import PassageText
from wdw_build.text.passages.validity import Validity
from wdw_build.text.settings import RetrieveConfig

SENTENCE = "Mayor Ann Ames told Bob Beck on Monday that the old bridge must close ."
ASKED = make.question("q", SENTENCE, "Ann Ames", others=["Bob Beck"])


def judged(question, own, text, **settings):
    """The tests of a question from an article with the text ``own``, and a candidate with another text."""
    options, split = RetrieveConfig(min_passage_words=0, **settings), PunktSplitter().sentences
    own, candidate = (PassageText(make.article(name, body), options, split) for name, body in (("q", own), ("a", text)))
    return Validity(question, own, options), candidate


def refusal(text, **settings):
    validity, candidate = judged(ASKED, SENTENCE, text, **settings)
    return validity.refusal(candidate)


def test_the_words_beside_the_blank_are_the_evidence():
    assert refusal("They say: told Bob Beck on Monday, and no more.") == ("right-context", "told bob beck on monday")


def test_the_persons_of_whom_none_is_named_are_the_evidence():
    assert refusal("Nobody was named.", require_other_person=True) == ("no-other-person", "Bob Beck")


WRITINGS = [
    ("Kim Jong-ha", "The Jong\u2011ha plan is off.", True),
    ("Ames-Baxter", "Ida Ames Baxter left.", True),
    ("Ames-Baxter", "Ida AmesBaxter left.", True),
    ("Ames-Baxter", "Ida Baxter left.", False),
    ("Ban Ki-moon", "The Moon is far.", False),
    ("Ida Ames Baxter", "Ida's friend Ames-Baxter left.", True),
    ("O’Neil", "Ann O`Neil left.", True),
    ("O'Neil", "Ann Oneil’s aunt left.", True),
    ("Zoe\u0308", "Zoë left.", True),
    ("Tol\u00adler", "Ann Toller left.", True),
    ("Al Assad", "Omar al-Assad left.", True),
    ("al-Assad", "Omar Al Assad left.", True),
    ("Bob Bush", "A bush burnt and a bob-sleigh broke.", False),
]


@pytest.mark.parametrize(("other", "text", "named"), WRITINGS)
def test_another_person_is_named_in_any_writing_of_a_word_of_the_name(other, text, named):
    question = make.question("q", f"Mayor Ann Poole told {other} .", "Ann Poole", others=[other])
    validity, candidate = judged(question, ".", text)
    assert (validity.refusal(candidate)[0] != "no-other-person") is named
    # The search for keywords finds every article that names another person.
    found = bool(validity.other_words & candidate.capitalised_words)
    assert found >= named
    assert (validity.refusal(candidate, has_other_word=found)[0] != "no-other-person") is named
