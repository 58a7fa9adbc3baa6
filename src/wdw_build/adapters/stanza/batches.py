"""Batches of inputs of similar length, halved when they do not fit in GPU memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from wdw_build.adapters.devices import ran_out_of_memory, release

T = TypeVar("T")
R = TypeVar("R")


def by_length(lengths: Sequence[int], limit: int) -> list[list[int]]:
    """The positions of the inputs in batches, longest first, so that later batches fit if the first does.

    In a batch, the number of inputs times the longest length is at most ``limit``. A longer input is a batch alone.
    """
    batches: list[list[int]] = []
    longest = 0
    for position in sorted(range(len(lengths)), key=lambda position: (-lengths[position], position)):
        if not batches or (len(batches[-1]) + 1) * longest > limit:
            batches.append([])
            longest = lengths[position]
        batches[-1].append(position)
    return batches


def compute(
    inputs: Sequence[T],
    lengths: Sequence[int],
    limit: int,
    compute_batch: Callable[[list[T]], list[R]],
    compute_alone: Callable[[T], R],
) -> list[R]:
    """Apply ``compute_batch`` to batches of at most ``limit`` padded units; return the results in the order of the inputs.

    A batch that runs out of memory is halved. ``compute_alone`` computes an input that does not fit even alone.
    """
    results: dict[int, R] = {}
    for batch in by_length(lengths, limit):
        computed = _halving([inputs[position] for position in batch], compute_batch, compute_alone)
        results.update(zip(batch, computed, strict=True))
    return [results[position] for position in range(len(inputs))]


def _halving(batch: list[T], compute_batch: Callable[[list[T]], list[R]], compute_alone: Callable[[T], R]) -> list[R]:
    try:
        return compute_batch(batch)
    except Exception as error:
        if not ran_out_of_memory(error):
            raise
    # Outside of the handler, because the error's traceback keeps the tensors alive.
    release()
    if len(batch) == 1:
        return [compute_alone(batch[0])]
    half = len(batch) // 2
    return [
        *_halving(batch[:half], compute_batch, compute_alone),
        *_halving(batch[half:], compute_batch, compute_alone),
    ]
