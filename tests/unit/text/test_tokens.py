"""Words, language-model tokens and sentences of raw text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.text import tokens
from wdw_build.text.tokens import lm_tokens, words

WORDS = [
    ("The Bush visit.", ["the", "bush", "visit"]),
    ("Straße STRASSE", ["strasse", "strasse"]),
    ("don't stop-gap U.S.", ["don", "t", "stop", "gap", "u", "s"]),
    ("3.5 pct_of 1,000", ["3", "5", "pct", "of", "1", "000"]),
    ("Müller Élan", ["müller", "élan"]),
    ("... -- 🙂", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), WORDS)
def test_words_are_casefolded_runs_of_letters_and_digits(text, expected):
    assert words(text) == expected


TOKENS = [
    ("He left.", ["He", "left", "."]),
    ("Bush's visit", ["Bush", "'s", "visit"]),
    ("Bush’s visit", ["Bush", "’s", "visit"]),
    ("don't can't", ["do", "n't", "ca", "n't"]),
    ("we've they'll I'm he'd you're", ["we", "'ve", "they", "'ll", "I", "'m", "he", "'d", "you", "'re"]),
    ("the U.S. troops", ["the", "U.S.", "troops"]),
    ("$1,234.5 at 10:30", ["$", "1,234.5", "at", "10:30"]),
    ("Ban Ki-moon's", ["Ban", "Ki-moon", "'s"]),
    ("the Joneses' house", ["the", "Joneses", "'", "house"]),
    ('"Yes," he said', ['"', "Yes", ",", '"', "he", "said"]),
    ("a_b", ["a", "_", "b"]),
    ("@entity3's anti-@entity12-led", ["@entity3", "'s", "anti", "-", "@entity12", "-", "led"]),
    (" \n ", []),
]


@pytest.mark.parametrize(("text", "expected"), TOKENS)
def test_language_model_tokens_are_penn_like_with_case_kept(text, expected):
    assert lm_tokens(text) == expected


@pytest.mark.parametrize("name", ["O'Brien", "d'Estaing", "D’Amato", "al-Assad", "Smith-Jones", "N'Dour"])
def test_a_last_name_is_one_language_model_token_so_that_its_count_is_found(name):
    assert lm_tokens(f"Then {name}'s aide saw {name}.").count(name) == 2


@given(st.text(st.characters(max_codepoint=127)))
def test_a_text_of_ascii_alone_is_cut_like_any_other(text):
    assert tokens.words(text) == [word.casefold() for word in tokens._WORD.findall(text)]
    assert tokens.lm_tokens(text) == tokens._LM_TOKENS.findall(text)
