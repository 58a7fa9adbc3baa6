"""Batches for a GPU: their size and lengths, halving when memory is full, and the order of results."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.adapters.devices import by_length, compute

LENGTHS = st.lists(st.integers(min_value=0, max_value=60), max_size=60)


@given(LENGTHS, st.integers(min_value=1, max_value=200))
def test_every_input_is_in_one_batch_and_a_batch_of_several_stays_within_the_bound(lengths, limit):
    batches = by_length(lengths, limit)
    assert sorted(at for batch in batches for at in batch) == list(range(len(lengths)))
    assert all(len(batch) * max(lengths[at] for at in batch) <= limit for batch in batches if len(batch) > 1)


@given(LENGTHS, st.integers(min_value=1, max_value=200))
def test_no_batch_could_take_the_next_input_too(lengths, limit):
    batches = by_length(lengths, limit)
    for batch in batches[:-1]:
        assert (len(batch) + 1) * max(lengths[at] for at in batch) > limit


@given(LENGTHS)
def test_longer_inputs_come_first_so_that_memory_runs_short_at_once_or_never(lengths):
    order = [lengths[at] for batch in by_length(lengths, 50) for at in batch]
    assert order == sorted(lengths, reverse=True)


class Memory:
    """A device with memory for ``room`` units."""

    def __init__(self, room, error=None):
        self.room = room
        self.error = error or torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        self.tried = []

    def many(self, batch):
        self.tried.append(len(batch))
        if len(batch) * max(batch) > self.room:
            raise self.error
        return [-one for one in batch]


@given(st.lists(st.integers(min_value=1, max_value=60), max_size=60), st.integers(min_value=60, max_value=200))
def test_whatever_fits_the_results_are_those_of_the_inputs_in_their_order(lengths, room):
    assert compute(lengths, lengths, 300, Memory(room).many) == [-one for one in lengths]


def test_a_batch_that_does_not_fit_is_halved_until_it_does():
    device = Memory(room=20)
    compute([10] * 8, [10] * 8, 80, device.many)
    assert device.tried == [8, 4, 2, 2, 4, 2, 2]


@pytest.mark.parametrize(("lengths", "error"), [([30], None), ([10, 10], RuntimeError("device-side assert triggered"))])
def test_an_input_too_large_alone_and_any_other_error_are_not_tried_again(lengths, error):
    device = Memory(room=10, error=error)
    with pytest.raises(RuntimeError, match=r"out of memory|assert"):
        compute(lengths, lengths, 30, device.many)
    assert device.tried == [len(lengths)]
