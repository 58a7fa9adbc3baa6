"""Words for the search: the same for each way of writing a name."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.text.tokens import plain_words, search_phrases, search_words

PLAIN_WORDS = [
    ("Zoë O’Neil-Ames's plan, 2.5 km", "Zoe ONeil Ames plan 2 5 km"),
    ("O’S\u00adullivan's", "OSullivan"),
    ("D'S\u0301ouza met Ames' son", "DSouza met Ames son"),
    ("home.They (J.R.) snake_case", "home They J R snake case"),
    ("Hawai\u02bbi ½ ﬁne Ⅷ", "Hawaii 1 2 fine VIII"),
    ("\ud800 … 🙂 \x00 's ’", ""),
]


@pytest.mark.parametrize(("text", "words"), PLAIN_WORDS)
def test_a_text_has_plain_words(text, words):
    assert plain_words(text) == words


@pytest.mark.parametrize("letter", "æœøđłħıðþŋßəŧɓƙ")
def test_every_latin_letter_has_letters_that_a_keyboard_has(letter):
    assert search_words(letter).isascii()
    assert search_words(letter) == search_words(letter.upper())


PHRASES = [
    ("J.D. Vance", ["j d vance", "jd vance"]),
    ("JD Vance", ["jd vance", "j d vance"]),
    ("George W. Bush", ["george w bush"]),
    ("A. P. J. Abdul Kalam", ["a p j abdul kalam", "apj abdul kalam"]),
    ("...", []),
]


@pytest.mark.parametrize(("name", "phrases"), PHRASES)
def test_only_a_name_with_several_initials_has_several_phrases(name, phrases):
    assert search_phrases(name) == phrases


@given(st.text())
def test_words_of_words_are_the_same_words_whatever_the_composition_of_letters(text):
    words = search_words(text)
    assert search_words(words) == words
    for form in ("NFC", "NFD"):
        assert search_words(unicodedata.normalize(form, text)) == words
