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


@pytest.fixture
def sampled(monkeypatch):
    """Samples a corpus by a clock that moves on by so many seconds whenever it is looked at."""

    def sampled(reader, keep, step):
        monkeypatch.setattr("wdw_build.corpus_look.sample.monotonic", itertools.count(0, step).__next__)
        return sample_corpus(reader, keep)

    return sampled


def test_a_corpus_that_is_read_in_time_is_counted(corpus, sampled):
    sample = sampled(corpus, 400, 0.0)
    assert (sample.read, sample.share, sample.is_whole, sample.total) == (2000, 1.0, True, 2000)


def test_of_a_larger_corpus_blocks_from_beginning_to_end_are_read_and_the_bytes_give_its_size(corpus, sampled):
    sample = sampled(corpus, 400, 0.5)
    assert not sample.is_whole
    assert sample.read < 1000
    assert sample.total == pytest.approx(2000, rel=0.02)


def test_neighbours_are_kept_from_all_over_the_corpus_and_at_most_the_given_number(corpus, sampled):
    sample = sampled(corpus, 80, 0.0)
    assert [one.id for one in sample.kept[:10]] == [f"00-{at:03}" for at in range(10)]
    assert len(sample.kept) == 80
    assert sample.kept[-1].id == "17-059"


def test_a_block_that_takes_too_long_is_measured_by_its_texts(sampled):
    reader = ListReader([raw(f"a{at}", paragraphs=("x" * 50,)) for at in range(1000)])
    assert sampled(reader, 10, 0.0).total == 1000
    reader.size = lambda: 50_000
    sample = sampled(reader, 10, 5.0)
    assert sample.read < 500
    assert sample.total == pytest.approx(1000, rel=0.01)
