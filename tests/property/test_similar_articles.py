"""An article is too similar to a question if one of its sentences fails a test of ``is_valid``: against brute force."""

from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from wdw_build.similarity.joins import Questions, SimilarArticles
from wdw_build.text.passages.passage_text import holds_run, share_of

WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=9)
SIDES = st.lists(st.lists(st.sampled_from("abcd"), min_size=2, max_size=4), max_size=2)
QUESTIONS = st.lists(st.tuples(WORDS, SIDES), max_size=4)
SENTENCES = st.lists(st.sampled_from([*"abcdefghxyz", "a-b", "..."]), max_size=9)
ARTICLES = st.lists(st.lists(SENTENCES, max_size=3), max_size=5)


def is_similar(sentence, questions, share, least):
    shown = [word for chunk in sentence for word in chunk.split("-") if word != "..."]
    for bag, runs in questions:
        if any(holds_run(shown, run) for run in runs):
            return True
        if len(shown) >= least and share_of(shown, Counter(bag)) > share:
            return True
    return False


@settings(max_examples=60)
@given(QUESTIONS, ARTICLES, st.sampled_from([0.0, 0.5, 0.78, 0.9]), st.integers(0, 4))
@example([([], [["a", "b"]])], [[["x", "a", "b"]], [["a"], ["b"]]], 0.9, 4)
def test_the_articles_found_are_those_of_comparing_all_sentences(tmp_path_factory, questions, articles, share, least):
    collected = Questions()
    for bag, runs in questions:
        collected.add(bag, map(tuple, runs))
    folder = tmp_path_factory.mktemp("questions")
    collected.write(folder)
    finder = SimilarArticles(Questions.read(folder), share, least)
    expected = [any(is_similar(sentence, questions, share, least) for sentence in article) for article in articles]
    assert finder.matches(articles) == expected
