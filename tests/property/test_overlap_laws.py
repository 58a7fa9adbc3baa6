"""Laws of the overlap measures."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.text.passages.passage_text import (
    share_of,
    similarity,
)

WORDS = st.lists(st.sampled_from("abcde"), max_size=10)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_similarity_is_symmetric_from_0_to_1_and_1_if_one_multiset_contains_the_other(one, other):
    found = similarity(one, other)
    assert found == similarity(other, one)
    assert 0.0 <= found <= 1.0
    small, large = sorted((Counter(one), Counter(other)), key=Counter.total)
    assert (found == 1.0) is (small.total() > 0 and small <= large)
    assert (found == 0.0) is not bool(set(one) & set(other))


@settings(deadline=None)
@given(WORDS, WORDS, WORDS)
def test_more_words_of_the_question_never_lower_the_share(sentence, question, more):
    found = share_of(sentence, Counter(question))
    assert 0.0 <= found <= share_of(sentence, Counter(question + more)) <= 1.0


@settings(deadline=None)
@given(WORDS, WORDS)
def test_the_share_of_a_longer_sentence_is_at_most_the_similarity(sentence, question):
    assert share_of(sentence, Counter(question)) <= similarity(sentence, question)
