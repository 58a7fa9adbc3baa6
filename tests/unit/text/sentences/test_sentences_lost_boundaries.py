"""Where a sentence starts although the text before it lost its full stop: ``text.sentences.refusals``."""

import pytest

from support.tables import cases
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.sentences.boundaries import is_start
from wdw_build.text.sentences.refusals import lost_boundary


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
a weekday | She/PRP will/MD face/VB Friday/NNP Karl/NNP Ames/NNP
a word after and | Moss/NNP scored/VBD and/CC center/NN Karl/NNP Ames/NNP
a text in capitals | A/DT FRIEND/NN OF/IN MINE/NN KARL/NNP AMES/NNP
"""


@pytest.mark.parametrize("tagged", cases(NO_ENDS))
def test_no_headline_ends_with(tagged):
    assert lost_boundary(sentence(*tagged.split()), starts(6, 4), ()) == ""


LONG = "The/DT reporter/NN says/VBZ shots/NNS fell/VBD in/IN {noun} Mayor/NNP Ann/NNP Poole/NNP has/VBZ become/VBN the/DT {rest}"
REST = "first/JJ to/TO reach/VB the/DT port/NN since/IN the/DT storm/NN"


NOUNS = [
    ("areas/NNS", REST, True),
    ("'/''", REST, True),
    ("party/NN", REST, False),
    ("lender/NN", REST, False),
    ("Cork/NNP", REST, False),
    ("areas/NNS", "first/JJ", False),
]


@pytest.mark.parametrize(("noun", "rest", "found"), NOUNS)
def test_after_a_plain_noun_a_start_needs_less_probability(noun, rest, found):
    tagged = LONG.format(noun=noun, rest=rest).split()
    assert bool(lost_boundary(sentence(*tagged), starts(len(tagged), 7, 0.5), ())) is found


def test_a_sure_start_at_a_function_word_holds_after_any_word_and_in_a_name():
    tagged = "Ida/NNP Moss/NNP wins/VBZ in/IN Cork/NNP 's/POS The/DT mayor/NN has/VBZ left/VBN ./.".split()
    assert lost_boundary(sentence(*tagged), starts(11, 6), [(4, 7)]) == "Ida Moss wins in Cork 's The mayor"
    assert lost_boundary(sentence(*tagged), starts(11, 6, 0.9), ()) == ""


def test_a_bracket_of_a_tree_may_end_a_headline():
    tagged = "Ida/NNP Moss/NNP wins/VBZ -LRB-/-LRB- again/RB -RRB-/-RRB- Karl/NNP Ames/NNP has/VBZ left/VBN ./.".split()
    assert lost_boundary(sentence(*tagged), starts(11, 6), ())


CANDIDATES = [
    (["Ida", "Moss", "left", "Karl"], 3, True),
    (["Ida", "Moss", "left", "home"], 3, False),
    (["Ida", "left", ",", "Karl"], 3, False),
    (["Ida", "left", ")", "Karl"], 3, True),
    (["Ida", "left", "Karl"], 2, False),
]


@pytest.mark.parametrize(("words", "number", "expected"), CANDIDATES)
def test_a_start_has_a_capital_and_no_punctuation_before_it(words, number, expected):
    assert is_start(words, number) is expected
