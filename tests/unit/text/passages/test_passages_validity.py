"""The tests of a valid passage."""

import pytest

from support import make
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.text.passages.passage_text import PassageText
from wdw_build.text.passages.settings import RetrieveConfig
from wdw_build.text.passages.validity import Validity

SENTENCE = "Mayor Ann Ames told Bob Beck on Monday that the old bridge must close ."
ASKED = make.question("q", SENTENCE, "Ann Ames", others=["Bob Beck"])
OWN = make.article("q", SENTENCE)


def refusal(text, **settings):
    options, split = RetrieveConfig(**settings), PunktSplitter().sentences
    own, candidate = (PassageText(article, options, split) for article in (OWN, make.article("a", text)))
    return Validity(ASKED, own, options).refusal(candidate)


def test_the_words_beside_the_blank_are_the_evidence():
    assert refusal("They say: told Bob Beck on Monday, and no more.") == ("right-context", "told bob beck on monday")


def test_the_persons_of_whom_none_is_named_are_the_evidence():
    assert refusal("Nobody was named.", require_other_person=True) == ("no-other-person", "Bob Beck")


@pytest.mark.parametrize(("most", "rule"), [(8 / 10, "sentence-overlap"), (9 / 10, "")])
def test_a_share_must_exceed_the_bound(most, rule):
    assert refusal("On Monday the old bridge must close, Bob Beck cried.", max_sentence_overlap=most)[0] == rule
