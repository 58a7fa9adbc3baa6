"""Batches for a GPU: their size and lengths, halving when memory is full, and the order of results."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.adapters.devices import by_length, compute

LENGTHS = st.lists(st.integers(min_value=0, max_value=60), max_size=60)


@given(LENGTHS, st.integers(min_value=1, max_value=200))
def test_every_input_is_in_one_batch_longer_ones_first_and_batches_are_as_large_as_the_bound_allows(lengths, limit):
    batches = by_length(lengths, limit)
    order = [at for batch in batches for at in batch]
    assert sorted(order) == list(range(len(lengths)))
    # So memory runs short at once or never.
    assert [lengths[at] for at in order] == sorted(lengths, reverse=True)
    assert all(len(batch) * max(lengths[at] for at in batch) <= limit for batch in batches if len(batch) > 1)
    assert all((len(batch) + 1) * max(lengths[at] for at in batch) > limit for batch in batches[:-1])


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
