"""Words and tokens of a text are those of its chunks between white space, whatever the text."""

from hypothesis import example, given
from hypothesis import strategies as st

from wdw_build.text import tokens
from wdw_build.text.tokens import ByChunk, lm_tokens, words

PIECES = "U.S. 1,234.5 's n't didn ’re Ki-moon O'Brien _ @entity3 é ſ K \u0130 - .".split()
SPACES = [" ", "\n", "\t", "\x1c", "\x1f", "\x85", "\xa0", "\u2028"]
TEXTS = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(PIECES + SPACES), max_size=16).map("".join))


@given(TEXTS)
@example("don't\x1cdo 5\x1f,6")
def test_the_tokens_of_a_text_are_those_of_its_chunks(text):
    for function in (words, lm_tokens):
        by_chunk = ByChunk(function)
        assert [token for chunk in text.split() for token in by_chunk[chunk]] == function(text)


def test_a_full_cache_is_emptied_and_gives_the_same_values(monkeypatch):
    monkeypatch.setattr(tokens, "_CACHED", 2)
    by_chunk = ByChunk(str.upper)
    assert [by_chunk[chunk] for chunk in "a b c a b".split()] == ["A", "B", "C", "A", "B"]
    assert len(by_chunk) <= 2
