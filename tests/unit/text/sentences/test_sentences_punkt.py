"""The sentence splitter gives what NLTK's Punkt gives with the same abbreviations."""

import functools
import re

from hypothesis import example, given
from hypothesis import strategies as st

from support import awkward_dataset
from wdw_build.text.sentences.punkt import ABBREVIATIONS, split_sentences

PIECES = [
    *"aBéÉ0 \n\t.?!,;:\"'()[]{}-*@&#`“”‘’«»…",
    ". ",
    ".. ",
    " -- ",
    "Mr",
    "U.S",
    "x-Corp",
    "3.5",
    "J",
    " the",
    " The",
]


@functools.cache
def nltk_punkt():
    from nltk.tokenize import punkt  # not above: the import takes seconds

    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    return punkt.PunktSentenceTokenizer(parameters)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join).filter(str.strip))
@example('He said: "Is it J. Smith?" (She knew!) At 3. p.m. it ended... Then 12. It went on.')
@example("What?!\nMr. X-Corp. left -- “Why?” ‘Go.’ .")
def test_any_text_is_split_as_nltk_splits_it(text):
    assert split_sentences(text) == nltk_punkt().tokenize(text)


def test_paragraphs_of_news_are_split_as_nltk_splits_them():
    paragraphs = [text for texts in awkward_dataset.TEXTS.values() for text in texts if text.strip()]
    assert paragraphs
    for text in paragraphs:
        assert split_sentences(text) == nltk_punkt().tokenize(text)


def test_nothing_but_white_space_is_lost_between_sentences():
    text = "He came.  She asked “Why?”\n(Nobody knew.) J. Smith paid $3.50."
    assert re.sub(r"\s", "", "".join(split_sentences(text))) == re.sub(r"\s", "", text)
