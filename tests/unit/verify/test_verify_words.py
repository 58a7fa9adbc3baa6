"""Words, sentences and names: what is in doubt never makes a check fail."""

from collections import Counter

import pytest

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.text.names import matching as names
from wdw_build.text.sentences.boundaries import ABBREVIATIONS
from wdw_build.text.tokens import words as pipeline_words
from wdw_build.verify import words as own
from wdw_build.verify.checks import passages
from wdw_build.verify.words import cautious_pieces, differ_by_a_letter, sure_sentences

TRICKY = [
    'He met J. Smith and Mr. Smith of the U.S. Senate. They agreed. Then C. J. "Pete" Silas left.',
    'It rose 3.5 pct in 1987. "We know," he said. (They did.) "Why?" Nobody asked! Sales were 5 mln stg... The rest fell.',
    "The bank, Jones Bros. Ltd., made a loss. I saw it at No. 10. It was in Wash. and Conn. The end... of it.",
    'They washed. Then wash. The name was "B." A further one. was it? yes.\n\nNew paragraph without end\n\n \n\nLast one',
]


@pytest.mark.parametrize("text", TRICKY)
def test_sentences_are_cut_only_where_the_pipeline_cuts_and_pieces_lie_within_its_sentences(text):
    ends, at = {0}, 0
    for sentence in PunktSplitter().sentences(text):
        at += len(pipeline_words(sentence))
        ends.add(at)
    count = 0
    for stretch in sure_sentences(text):
        count += len(own.words(stretch))
        assert count in ends
    assert count == at
    count = 0
    for piece in cautious_pieces(text):
        start, count = count, count + len(own.words(piece))
        assert not any(start < end < count for end in ends), piece
    assert count == at


def test_short_sentences_do_not_make_a_stretch_break_the_overlap_rule():
    bag = Counter("the mayor of ansel spoke on friday about rain".split())
    # "The mayor of Rome." is too short for the rule, but under its bound: the other sentence is over it.
    assert passages._least_share("The mayor of Rome. On Friday spoke about rain, storms", bag, 0.78, 5) > 0.78
    # "The mayor spoke." is too short and over the bound: without it the share is 4 of 6.
    assert passages._least_share("The mayor spoke. On Friday about rain, storms came", bag, 0.7, 5) == 4 / 6
    assert passages._least_share("The mayor spoke on Friday. Yes", bag, 0.78, 5) > 0.78


def test_the_lists_of_what_is_in_doubt_cover_the_pipelines():
    folded = {names.fold(word) for word in names.PARTICLES | names.SUFFIXES | names.TITLES}
    assert folded <= own.MAYBE_NOT_IDENTIFYING
    assert {word for word in ABBREVIATIONS if word.isalpha() and len(word) > 2} <= own._UNSURE_ENDS
    assert own.NEVER_IDENTIFYING <= names.PARTICLES | names.SUFFIXES
    assert own.CERTAIN_TITLES <= names.TITLES


@pytest.mark.parametrize(
    "name", ["Zoë O’Neill's", "Mr. J.R. de la Cruz Jr.", "Ban Ki-moon,", "President Li", "Dr. Ana-Íris Díaz"]
)
def test_doubt_about_names_goes_both_ways(name):
    assert own.surely_identifying(name) <= names.identifying_tokens(name) <= own.possibly_identifying(name)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("solis", "sollis", True),
        ("moss", "mosse", True),
        ("ames", "amis", True),
        ("ames", "ames", False),
        ("ames", "moss", False),
        ("ab", "ba", False),
        ("", "a", True),
    ],
)
def test_words_differ_by_a_letter_that_is_changed_added_or_left_out(one, other, alike):
    assert differ_by_a_letter(one, other) is differ_by_a_letter(other, one) is alike
