"""Laws of the overlap measures."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.text.passages.passage_text import (
    holds_run,
    ngrams,
    share_of,
    shared,
    side_runs,
    similarity,
)

WORDS = st.lists(st.sampled_from("abcde"), max_size=10)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_the_intersection_is_the_multisets(one, other):
    assert shared(Counter(one), Counter(other)) == sum((Counter(one) & Counter(other)).values())


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


@settings(deadline=None)
@given(WORDS, WORDS.filter(bool))
def test_a_run_is_held_if_it_stands_in_the_joined_words(words, run):
    assert holds_run(words, run) is (f" {' '.join(run)} " in f" {' '.join(words)} ")


@settings(deadline=None)
@given(WORDS, st.integers(1, 4))
def test_n_grams_are_the_runs_of_that_size_that_are_held(words, size):
    found = ngrams(words, size)
    assert all(len(run) == size and holds_run(words, run) for run in found)
    assert len(found) <= max(0, len(words) - size + 1)
    assert all(tuple(words[at : at + size]) in found for at in range(len(words) - size + 1))


@settings(deadline=None)
@given(WORDS, WORDS)
def test_the_side_runs_touch_the_blank_and_are_long_enough_or_empty(left, right):
    near_left, near_right = side_runs(left, right)
    assert left[len(left) - len(near_left) :] == list(near_left)
    assert right[: len(near_right)] == list(near_right)
    for run, side in ((near_left, left), (near_right, right)):
        length = min(5, len(side))
        assert len(run) == (length if length >= 3 else 0)
