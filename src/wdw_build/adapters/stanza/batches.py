"""Batches of like lengths for a GPU, halved when they do not fit. Nothing here knows what is computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from wdw_build.adapters.stanza.devices import ran_out_of_memory, release

T = TypeVar("T")
R = TypeVar("R")


def by_length(lengths: Sequence[int], limit: int) -> list[list[int]]:
    """Positions in batches, longest first, so that what comes later fits if the first did.

    A batch of n inputs is padded to its longest: n x longest stays within ``limit``. A longer input is a batch alone.
    """
    batches: list[list[int]] = []
    longest = 0
    for at in sorted(range(len(lengths)), key=lambda at: (-lengths[at], at)):
        if not batches or (len(batches[-1]) + 1) * longest > limit:
            batches.append([])
            longest = lengths[at]
        batches[-1].append(at)
    return batches


def compute(
    inputs: Sequence[T], lengths: Sequence[int], limit: int, many: Callable[[list[T]], list[R]], one: Callable[[T], R]
) -> list[R]:
    """``many`` over all inputs in batches of at most ``limit`` padded units; the results stand in the inputs' order.

    A batch that runs out of memory is halved, down to one input; an input that does not fit alone goes to ``one``.
    """
    results: dict[int, R] = {}
    for batch in by_length(lengths, limit):
        made = _halving([inputs[at] for at in batch], many, one)
        results.update(zip(batch, made, strict=True))
    return [results[at] for at in range(len(inputs))]


def _halving(batch: list[T], many: Callable[[list[T]], list[R]], one: Callable[[T], R]) -> list[R]:
    try:
        return many(batch)
    except Exception as error:
        if not ran_out_of_memory(error):
            raise
    # Out of the handler: the error's traceback holds the tensors that did not fit.
    release()
    if len(batch) == 1:
        return [one(batch[0])]
    half = len(batch) // 2
    return [*_halving(batch[:half], many, one), *_halving(batch[half:], many, one)]
