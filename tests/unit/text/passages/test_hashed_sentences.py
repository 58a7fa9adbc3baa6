"""The quick bound on shared words against the words themselves."""

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from wdw_build.text.passages.hashed_sentences import HashedSentences, marked

SENTENCES = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=9), max_size=6)


@given(SENTENCES, st.sets(st.sampled_from("abcdefgh")), st.floats(0, 1), st.integers(0, 9))
def test_sentences_are_those_that_share_more_than_the_share(sentences, question, share, least):
    words = [word for sentence in sentences for word in sentence]
    hashed = HashedSentences(words, list(accumulate(map(len, sentences), initial=0)))
    expected = [
        number
        for number, sentence in enumerate(sentences)
        if len(sentence) >= least and sum(word in question for word in sentence) > share * len(sentence)
    ]
    found = hashed.sharing(marked(question), share, least)
    # Words with equal hashes may add a sentence, and never hide one.
    assert set(expected) <= set(found)
    if len({hash(word) % (1 << 16) for word in "abcdefgh"}) == len("abcdefgh"):
        assert found == expected


def test_an_article_without_words_has_no_sentence():
    assert HashedSentences([], [0]).sharing(marked(["a"]), 0.5, 1) == []
    assert HashedSentences([], [0, 0, 0]).sharing(marked(["a"]), 0.0, 0) == []
