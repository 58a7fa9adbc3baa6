"""Laws of the event score."""

from hypothesis import given
from hypothesis import strategies as st

from wdw_build.text.passages.same_event import Frequencies, similarity, term_vector

WORDS = st.lists(st.sampled_from("abcdefg"), max_size=12)
COUNTS = st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 50))
FREQUENCIES = st.builds(Frequencies, articles=st.integers(0, 50), counts=COUNTS, least=st.integers(1, 5))


@given(WORDS, WORDS, FREQUENCIES)
def test_the_cosine_is_symmetric_to_the_last_digit_and_nought_without_a_shared_word(one, other, frequencies):
    def vector(words):
        return term_vector(words, frequencies.weight)

    found = similarity(vector(one), vector(other))
    assert found == similarity(vector(other), vector(one)) == similarity(vector(one[::-1]), vector(other[::-1]))
    assert 0.0 <= found <= 1.0
    if not set(one) & set(other):
        assert found == 0.0
