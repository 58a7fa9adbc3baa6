"""A sample: a small corpus is counted, of a large one the share of the bytes is known, and neighbours stay together."""

import itertools
import json

import pytest

from support.fakes import ListReader
from support.make import raw
from wdw_build.adapters.corpora.jsonl import JsonlReader
from wdw_build.estimate.sample import sample_corpus


@pytest.fixture
def corpus(tmp_path):
    """Twenty files of a hundred articles."""
    for file in range(20):
        lines = [
            json.dumps({"id": f"{file:02}-{at:03}", "date": "2014-03-01", "title": "t", "text": "word " * 100})
            for at in range(100)
        ]
        (tmp_path / f"{file:02}.jsonl").write_text("\n".join(lines) + "\n")
    return JsonlReader(tmp_path, {})


def seconds(step):
    """A clock that moves on by so much whenever it is looked at."""
    return itertools.count(0, step).__next__


def test_a_corpus_that_is_read_in_time_is_counted(corpus):
    sample = sample_corpus(corpus, 60.0, 400, seconds(0.0))
    assert (sample.entries, sample.share, sample.is_whole, sample.total) == (2000, 1.0, True, 2000)
    assert sample.files_read == sample.files == 20


def test_of_a_larger_corpus_files_from_beginning_to_end_are_read_and_the_bytes_give_its_size(corpus):
    sample = sample_corpus(corpus, 1.0, 400, seconds(0.2))
    assert sample.files_read == 8
    assert sample.total == pytest.approx(2000, rel=0.01)
    first = [run[0].id for run in sample.runs]
    assert first == [f"{file:02}-000" for file in (0, 2, 5, 7, 10, 12, 15, 17)]


def test_neighbours_are_kept_and_at_most_the_given_number(corpus):
    sample = sample_corpus(corpus, 60.0, 80, seconds(0.0))
    assert [one.id for one in sample.runs[0]] == [f"00-{at:03}" for at in range(10)]
    assert sum(map(len, sample.runs[:8])) == 80


def test_a_reader_without_files_is_read_to_its_end_or_measured_by_its_texts():
    places = [raw(f"a{at}", paragraphs=("x" * 50,)) for at in range(100)]
    reader = ListReader(places)
    assert sample_corpus(reader, 60.0, 10, seconds(0.0)).total == 100
    reader.size = lambda: 5000
    sample = sample_corpus(reader, 0.5, 10, seconds(0.02))
    assert sample.entries < 40
    assert sample.total == pytest.approx(100, rel=0.01)
