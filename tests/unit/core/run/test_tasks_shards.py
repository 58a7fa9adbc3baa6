"""Shards: every record in exactly one, whatever the size; their limits follow blocks and not workers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages as toys
from wdw_build.core.run.task import cut, shard_size
from wdw_build.core.store import output as store


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A thousand records in parts of 192."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PART_RECORDS", 192)
        return toys.make(tmp_path_factory.mktemp("shards"), toys.job(toys.source()))


@pytest.mark.parametrize("size", [64, 128, 192, 256, 512, 960, 1024, 6400])
def test_shards_hold_every_record_once_and_in_order(made, size):
    shards = cut(made, size)
    found = [list(shard.records()) for shard in shards]
    assert [len(records) for records in found] == [shard.count for shard in shards]
    assert [shard.name for shard in shards] == sorted(shard.name for shard in shards)
    assert [note.value for records in found for note in records] == list(range(toys.MANY))


def test_an_empty_input_has_one_empty_shard(tmp_path):
    shards = cut(toys.make(tmp_path, toys.job(toys.source(), ports=toys.ToyPorts(count=0))), 64)
    assert [(shard.count, list(shard.records())) for shard in shards] == [(0, [])]


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
