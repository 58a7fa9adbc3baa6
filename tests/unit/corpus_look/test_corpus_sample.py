"""A sample: a small corpus is counted, of a large one the share of the bytes is known, and neighbours stay together."""

import itertools
import json

import pytest

from support.fakes import ListReader
from support.make import raw
from wdw_build.adapters.corpora.text_rows import JsonlReader
from wdw_build.corpus_look.sample import sample_corpus


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Twenty files of a hundred articles, a block each."""
    monkeypatch.setattr(JsonlReader, "block_bytes", 40_000)
    for file in range(20):
        rows = ({"id": f"{file:02}-{at:03}", "date": "2014-03-01", "text": "word " * 100} for at in range(100))
        (tmp_path / f"{file:02}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return JsonlReader(tmp_path, {})


def seconds(step):
    """A clock that moves on by so much whenever it is looked at."""
    return itertools.count(0, step).__next__


def test_a_corpus_that_is_read_in_time_is_counted(corpus):
    sample = sample_corpus(corpus, 400, seconds(0.0))
    assert (sample.read, sample.share, sample.is_whole, sample.total) == (2000, 1.0, True, 2000)


def test_of_a_larger_corpus_blocks_from_beginning_to_end_are_read_and_the_bytes_give_its_size(corpus):
    sample = sample_corpus(corpus, 400, seconds(0.5))
    assert not sample.is_whole
    assert sample.read < 1000
    assert sample.total == pytest.approx(2000, rel=0.02)


def test_neighbours_are_kept_from_all_over_the_corpus_and_at_most_the_given_number(corpus):
    sample = sample_corpus(corpus, 80, seconds(0.0))
    assert [one.id for one in sample.kept[:10]] == [f"00-{at:03}" for at in range(10)]
    assert len(sample.kept) == 80
    assert sample.kept[-1].id == "17-059"


def test_a_block_that_takes_too_long_is_measured_by_its_texts():
    places = [raw(f"a{at}", paragraphs=("x" * 50,)) for at in range(1000)]
    reader = ListReader(places)
    assert sample_corpus(reader, 10, seconds(0.0)).total == 1000
    reader.size = lambda: 50_000
    sample = sample_corpus(reader, 10, seconds(5.0))
    assert sample.read < 500
    assert sample.total == pytest.approx(1000, rel=0.01)
