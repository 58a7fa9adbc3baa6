"""Diagnostics of a candidate: what every test of a valid passage says of it."""

import pytest

from support import make
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.text.passages.settings import RetrieveConfig
from wdw_build.text.passages.validity import diagnose

SENTENCE = "Mayor Ann Ames told Bob Beck on Monday that the old bridge must close ."
ASKED = make.question("q", SENTENCE, "Ann Ames", others=["Bob Beck"])
BODY = " ".join(f"w{number}" for number in range(40))
OWN = make.article("q", f"{SENTENCE}\n\n{BODY}.")


def examined(text, **settings):
    return diagnose(ASKED, OWN, RetrieveConfig(**settings), PunktSplitter().sentences)(make.article("a", text))


def test_a_valid_candidate_is_described_by_the_nearest_sentence_the_shares_and_the_persons():
    found = examined("Bob Beck said on Monday that rain fell there. Nobody answered him at all.")
    assert (found.rule, found.detail) == ("", "")
    assert found.sentence == "bob beck said on monday that rain fell there"
    assert found.overlap == pytest.approx(5 / 9)
    assert (found.left, found.right) == ("", "")
    assert found.persons == ("Bob Beck",)
    assert (found.reprint, found.figures) == (0.0, 0.0)


def test_the_words_beside_the_blank_are_named_where_the_candidate_has_them():
    found = examined("They say: told Bob Beck on Monday, and no more.")
    assert (found.rule, found.right) == ("right-context", "told bob beck on monday")
    assert found.left == ""


def test_a_candidate_is_measured_although_a_rule_refuses_it():
    found = examined(f"Nobody was named. {BODY}. 12 14 15.", require_other_person=True)
    assert (found.rule, found.detail) == ("no-other-person", "Bob Beck")
    assert found.persons == ()
    assert found.reprint == pytest.approx(33 / 39)
    assert found.figures == pytest.approx(43 / 46)


def test_sentences_that_are_too_short_are_not_compared():
    found = examined("Ann Ames told Bob. Bob Beck was not there at all today.", ignore_short_sentences=True)
    assert found.sentence == "bob beck was not there at all today"
    assert examined("Told Bob Beck so.", ignore_short_sentences=True).sentence == ""
    exactly = examined("Bob Beck told Ann Ames. Bob Beck was not there at all today.", ignore_short_sentences=True)
    assert exactly.sentence == "bob beck told ann ames"


@pytest.mark.parametrize(("most", "rule"), [(8 / 10, "sentence-overlap"), (9 / 10, "")])
def test_a_share_must_exceed_the_bound(most, rule):
    text = "On Monday the old bridge must close, Bob Beck cried."
    assert examined(text, max_sentence_overlap=most).overlap == pytest.approx(9 / 10)
    assert examined(text, max_sentence_overlap=most).rule == rule
