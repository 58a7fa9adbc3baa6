"""Where a sentence starts although the text before it lost its full stop: ``text.sentences.refusals``."""

import pytest

from support.tables import cases
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.sentences.refusals import is_candidate, lost_boundary


def sentence(*tagged):
    """A flat tree of "word/TAG" leaves."""
    leaves = (one.rpartition("/") for one in tagged)
    return Sentence("(ROOT (S " + " ".join(f"({tag} {word})" for word, _, tag in leaves) + "))")


def starts(size, number, probability=0.97):
    """The probabilities of a model that sees one start."""
    return [probability if place == number else 0.01 for place in range(size)]


JOINED = "Ida/NNP Moss/NNP wins/VBZ cup/NN Karl/NNP Ames/NNP lost/VBD ./.".split()


def test_the_words_around_a_lost_boundary_are_shown_if_its_start_is_likely():
    assert lost_boundary(sentence(*JOINED), starts(8, 4), ()) == "Ida Moss wins cup Karl Ames"
    assert lost_boundary(sentence(*JOINED), starts(8, 4, 0.5), ()) == ""


def test_no_sentence_starts_within_a_person_s_name():
    assert lost_boundary(sentence(*JOINED), starts(8, 5), [(4, 6)]) == ""


NO_ENDS = """
a verb | Ida/NNP Moss/NNP today/NN met/VBD Karl/NNP Ames/NNP
a preposition | The/DT voters/NNS waited/VBD for/IN Karl/NNP Ames/NNP
an adjective | She/PRP visited/VBD the/DT ailing/JJ Karl/NNP Ames/NNP
"""


@pytest.mark.parametrize("tagged", cases(NO_ENDS))
def test_no_headline_ends_with(tagged):
    assert lost_boundary(sentence(*tagged.split()), starts(6, 4), ()) == ""


CANDIDATES = [
    (["Ida", "Moss", "left", "Karl"], 3, True),
    (["Ida", "Moss", "left", "home"], 3, False),
    (["Ida", "left", ",", "Karl"], 3, False),
    (["Ida", "left", "Karl"], 2, False),
]


@pytest.mark.parametrize(("words", "number", "expected"), CANDIDATES)
def test_a_start_has_a_capital_and_no_punctuation_before_it(words, number, expected):
    assert is_candidate(words, number) is expected
