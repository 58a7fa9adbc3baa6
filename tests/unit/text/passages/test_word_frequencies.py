"""Document frequencies: each word counts once per article, and neither shards nor files change the counts."""

import pytest

from wdw_build.text import counts
from wdw_build.text.passages import same_event
from wdw_build.text.passages.same_event import join_shards, read_frequencies, write_frequencies, write_shard

ARTICLES = ["the ferry the ferry", "the dyke", "the ferry sank", "café ß"]


def counter_of(articles):
    counter = same_event.FrequencyCounter()
    for article in articles:
        counter.add(article.split())
    return counter


def joined(folder, shards, most=100):
    """The frequencies of shards of articles."""
    folders = [folder / str(number) for number in range(len(shards))]
    for path, shard in zip(folders, shards, strict=True):
        path.mkdir(parents=True)
        write_shard(path, counter_of(shard))
    return join_shards(folders, folder, most)


def test_a_word_counts_once_per_article_and_the_most_frequent_comes_first(tmp_path):
    found = joined(tmp_path, [ARTICLES])
    assert (found.articles, found.least) == (4, 1)
    assert list(found.counts.items()) == [("the", 3), ("ferry", 2), ("café", 1), ("dyke", 1), ("sank", 1), ("ß", 1)]


def test_frequencies_are_equal_after_writing_and_reading(tmp_path):
    found = joined(tmp_path, [ARTICLES])
    write_frequencies(tmp_path, found)
    assert read_frequencies(tmp_path) == found
    assert (tmp_path / same_event.FREQUENCIES_FILE).read_text(encoding="utf-8").startswith("4\t1\nthe\t3\nferry\t2\n")


KEPT = [(2, ["the", "ferry"], 2), (1, ["the"], 3), (3, ["the", "ferry", "café"], 1)]


@pytest.mark.parametrize(("most", "kept", "least"), KEPT)
def test_only_the_most_frequent_words_are_kept_and_the_others_count_as_the_rarest_of_them(tmp_path, most, kept, least):
    found = joined(tmp_path, [ARTICLES], most)
    assert (list(found.counts), found.least) == (kept, least)
    assert found.weight("unheard") == found.weight(kept[-1])


# "x" is the most frequent of all, but of no shard.
SHARDS = [["a x", "a x", "a", "b"], ["c x", "c x", "c"], [], ["é x", "é", "ß"]]


@pytest.mark.parametrize("most", [1, 2, 3, 100])
@pytest.mark.parametrize("files", [2, 256])
def test_the_frequencies_do_not_depend_on_the_shards(tmp_path, monkeypatch, most, files):
    monkeypatch.setattr(counts, "_AT_ONCE", files)
    whole = joined(tmp_path / "whole", [[article for shard in SHARDS for article in shard]], most)
    found = joined(tmp_path, SHARDS, most)
    assert (found, list(found.counts)) == (whole, list(whole.counts))
    assert next(iter(found.counts)) == "x"


def test_shards_without_articles_have_no_words(tmp_path):
    found = joined(tmp_path, [[], []])
    assert (found.articles, found.counts, found.least) == (0, {}, 1)
