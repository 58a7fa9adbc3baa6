"""Settling names keeps to the sentences it was given."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from support.tagged_words import tagged_words
from wdw_build.text.names.consistency import document_level_persons

WORDS = st.sampled_from("Ann Poole POOLE Ford Motor the of said Mrs 's . poole Jae-sung".split())
SENTENCES = st.lists(tagged_words(WORDS), max_size=5)


@given(SENTENCES)
def test_spans_are_in_order_apart_and_inside(sentences):
    """The spans of a sentence lie in it, in order, and none overlaps another."""
    texts, tagged = [words for words, _ in sentences], [names for _, names in sentences]
    for words, spans in zip(texts, document_level_persons(texts, tagged), strict=True):
        assert all(0 <= low < high <= len(words) for low, high in spans)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))


@given(SENTENCES)
def test_no_person_comes_from_an_article_without_one(sentences):
    """Where the tagger found no person, nothing is made one."""
    without = [[name for name in names if name.kind != "PERSON"] for _, names in sentences]
    assert not any(document_level_persons([words for words, _ in sentences], without))
