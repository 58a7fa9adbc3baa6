"""The evidence score: its features on a passage counted by hand, and that it depends on one problem alone."""

import math

import pytest

from support.fakes import FakeEncoder, split_sentences
from support.make import article, problem, question
from wdw_build.text.passages.evidence import WEIGHTS, Case, EvidenceScorer
from wdw_build.text.passages.same_event import Frequencies, likelihood

# Every word has the weight log(1 + 99.5 / 1.5), above that of frequent words.
RARE = Frequencies(articles=100, counts={})
ASKED = question("q", "Ann Ames closed the bridge for Bob Beck .", "Ann Ames", others=["Bob Beck"])
TEXT = "Ann Ames spoke . Cleo Cole closed it . Later Ann Ames closed the bridge ."


def scorer():
    return EvidenceScorer(FakeEncoder(), lambda text: [sentence for _, sentence in split_sentences(text)], RARE)


def case(answer=0, text=TEXT):
    return Case(ASKED, article("p", text), problem("p", ASKED, text, ["Ann Ames", "Cleo Cole"], answer).choices, answer)


def test_the_features_are_those_counted_by_hand():
    (found,) = scorer().features([case()])
    assert found.mentions == pytest.approx(math.log(3))
    # "closed", "the", "bridge" and "for" are right of the blank, and with "bob" and "beck" the first six.
    assert found.sides == pytest.approx(3 / 6)
    # Near Ann Ames stand "closed the bridge", three of the six words of the question; near Cleo Cole, "closed".
    assert found.near == pytest.approx(3 / 6)
    assert found.rival == pytest.approx(1 / 6)
    assert (found.says, found.asked, found.choices) == (0.0, math.log(7), math.log(2))
    vectors = FakeEncoder().vectors([ASKED.sentence, "Ann Ames spoke .", "Later Ann Ames closed the bridge ."])
    assert found.likeness == pytest.approx(max(vectors[0] @ one for one in vectors[1:]), abs=0.001)


SAYINGS = [
    ("Ann Ames has accused Bob Beck of fraud .", 1.0),
    ("The bridge will stay closed , said Ann Ames .", 1.0),
    ("The bridge is closed , according to Ann Ames .", 1.0),
    ("Ann Ames closed the bridge , Bob Beck said .", 0.0),
]


@pytest.mark.parametrize(("sentence", "says"), SAYINGS)
def test_a_question_says_if_a_verb_of_saying_stands_beside_its_blank(sentence, says):
    asked = question("q", sentence, "Ann Ames")
    assert scorer().features([case()._replace(question=asked)])[0].says == says


def test_the_score_is_the_regression_and_does_not_depend_on_other_problems():
    both = scorer().scores([case(), case(answer=1)])
    assert both == [scorer().scores([one])[0] for one in (case(), case(answer=1))]
    assert both == [likelihood(WEIGHTS, found) for found in scorer().features([case(), case(answer=1)])]
    assert both[0] > both[1]


def test_a_passage_that_says_the_same_of_both_decides_less():
    shared = "Ann Ames closed the bridge . Cleo Cole closed the bridge for Bob Beck ."
    alone = "Ann Ames closed the bridge . Cleo Cole slept . It rained all day long ."
    assert scorer().scores([case(text=shared)]) < scorer().scores([case(text=alone)])
