"""Shards: every record in exactly one, whatever the size; their limits follow blocks and not workers."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages
from wdw_build.adapters.corpora.text_rows import JsonlReader
from wdw_build.core.store import output as store
from wdw_build.core.tasks.shards import CorpusBlock, cut, shard_size
from wdw_build.errors import CorpusError


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A thousand records in parts of 192."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PART_RECORDS", 192)
        return toy_stages.make(tmp_path_factory.mktemp("shards"), toy_stages.job(toy_stages.source()))


@pytest.mark.parametrize("size", [64, 128, 192, 256, 512, 960, 1024, 6400])
def test_shards_hold_every_record_once_and_in_order(made, size):
    shards = cut(made, size)
    found = [list(shard.records()) for shard in shards]
    assert [len(records) for records in found] == [shard.count for shard in shards]
    assert [shard.first for shard in shards] == list(range(0, toy_stages.MANY, size))
    assert [note.value for records in found for note in records] == list(range(toy_stages.MANY))


def test_an_empty_input_has_one_empty_shard(tmp_path):
    shards = cut(toy_stages.make(tmp_path, toy_stages.job(toy_stages.source(), ports=toy_stages.ToyPorts(count=0))), 64)
    assert [(shard.first, shard.count, list(shard.records())) for shard in shards] == [(0, 0, [])]


@settings(deadline=None)
@given(st.integers(0, 10**7), st.sampled_from([64, 128, 512]), st.integers(1, 100).map(lambda n: 512 * n))
def test_a_shard_has_whole_blocks_and_at_most_the_given_size(records, block, most):
    size = shard_size(records, block, most)
    assert size % block == 0
    assert block <= size <= most
    assert size == most or size * 16 >= records


def test_shards_of_another_size_have_other_names(made):
    names = {shard.name for size in (64, 128, 1024) for shard in cut(made, size)}
    assert len(names) == sum(len(cut(made, size)) for size in (64, 128, 1024))


@pytest.mark.parametrize("moment", ["before", "while"])
def test_a_corpus_that_changes_between_its_hash_and_the_end_of_its_reading_is_refused(tmp_path, moment):
    file = tmp_path / "articles.jsonl"
    file.write_text(
        "".join(json.dumps({"id": str(n), "date": "2016-01-01", "text": "A text."}) + "\n" for n in range(9))
    )
    whole = file.read_bytes()
    reader = JsonlReader(file, {})
    assert reader.identity
    if moment == "before":
        file.write_bytes(whole[:200])
    (block,) = [CorpusBlock.of(number, block) for number, block in enumerate(reader.blocks())]
    records = block.records(reader)
    next(records)
    if moment == "while":
        file.write_bytes(whole[:200])
    with pytest.raises(CorpusError, match=r"articles\.jsonl was changed while the corpus was read"):
        list(records)
    # The same file with other bytes has another identity, with which it can be read.
    assert reader.identity
    (again,) = [CorpusBlock.of(number, block) for number, block in enumerate(reader.blocks())]
    assert list(again.records(reader))


def test_a_file_of_the_same_bytes_with_another_time_is_read(tmp_path):
    file = tmp_path / "articles.jsonl"
    file.write_text(json.dumps({"id": "1", "date": "2016-01-01", "text": "A text."}))
    reader = JsonlReader(file, {})
    assert reader.identity
    os.utime(file, (1, 1))
    (block,) = [CorpusBlock.of(number, block) for number, block in enumerate(reader.blocks())]
    assert len(list(block.records(reader))) == 1
