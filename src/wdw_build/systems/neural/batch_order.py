"""Batches of problems of like length, in an order that depends on seed and epoch alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

_POOL = 50
"""Batches in a pool, within which problems are sorted by length."""


def training_order(sizes: npt.NDArray[Any], batch: int, seed: int, epoch: int) -> list[npt.NDArray[np.intp]]:
    """The problems of each batch of an epoch.

    Shuffles the problems, cuts them into pools of some batches, sorts each pool by size, and shuffles the batches.
    """
    generator = np.random.default_rng([seed, epoch])
    shuffled = generator.permutation(len(sizes))
    batches = []
    for start in range(0, len(shuffled), batch * _POOL):
        pool = shuffled[start : start + batch * _POOL]
        batches += list(cut(pool[np.argsort(sizes[pool], kind="stable")], batch))
    return [batches[number] for number in generator.permutation(len(batches))]


def sorted_order(sizes: npt.NDArray[Any], batch: int) -> Iterator[npt.NDArray[np.intp]]:
    """The problems of each batch, from short to long."""
    return cut(np.argsort(sizes, kind="stable"), batch)


def cut(problems: npt.NDArray[np.intp], batch: int) -> Iterator[npt.NDArray[np.intp]]:
    """The problems in pieces of ``batch``."""
    return (problems[start : start + batch] for start in range(0, len(problems), batch))
