"""Document frequencies: each word counts once per article, memory is bounded, and the file holds what was counted."""

import pytest

from wdw_build.core.store.word_frequencies import FILE, FrequencyCounter, read_frequencies, write_frequencies

ARTICLES = ["the ferry the ferry", "the dyke", "the ferry sank", "café ß"]


def counted(articles, most=100):
    counter = FrequencyCounter(most)
    for article in articles:
        counter.add(article.split())
    return counter.result()


def test_a_word_counts_once_per_article_and_the_most_frequent_comes_first():
    found = counted(ARTICLES)
    assert (found.articles, found.least) == (4, 1)
    assert list(found.counts.items()) == [("the", 3), ("ferry", 2), ("café", 1), ("dyke", 1), ("sank", 1), ("ß", 1)]


def test_frequencies_are_equal_after_writing_and_reading(tmp_path):
    found = counted(ARTICLES)
    write_frequencies(tmp_path, found)
    assert read_frequencies(tmp_path) == found
    assert (tmp_path / FILE).read_text(encoding="utf-8").startswith("4\t1\nthe\t3\nferry\t2\n")


def test_an_empty_corpus_can_be_written_and_read(tmp_path):
    write_frequencies(tmp_path, counted([]))
    assert read_frequencies(tmp_path).weight("any") > 0


@pytest.mark.parametrize(
    ("most", "kept", "least"), [(2, ["the", "ferry"], 2), (1, ["the"], 3), (3, ["the", "ferry", "café"], 1)]
)
def test_only_the_most_frequent_words_are_kept_and_the_others_count_as_the_rarest_of_them(most, kept, least):
    found = counted(ARTICLES, most)
    assert (list(found.counts), found.least) == (kept, least)
    assert found.weight("unheard") == found.weight(kept[-1])


def test_memory_is_bounded_while_counting():
    counter = FrequencyCounter(most=10)
    for number in range(500):
        counter.add(["the", f"word{number}", f"other{number}"])
        assert len(counter._counts) <= 20
    assert counter.result().counts["the"] == 500


def test_the_file_does_not_depend_on_the_order_of_the_words_in_an_article(tmp_path):
    write_frequencies(tmp_path, counted(["b a c", "c b"]))
    first = (tmp_path / FILE).read_bytes()
    write_frequencies(tmp_path, counted(["c a b", "b c"]))
    assert (tmp_path / FILE).read_bytes() == first


def test_as_many_words_as_the_limit_leave_the_least_count_at_one(tmp_path):
    counter = FrequencyCounter(2)
    for words in (["a", "b"], ["a", "b"]):
        counter.add(words)
    assert (counter.result().counts, counter.result().least) == ({"a": 2, "b": 2}, 1)
