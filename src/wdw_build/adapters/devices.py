"""Chooses the device that models compute on (the CPU, or a GPU that torch finds), and batches of inputs that fit on it.

Imports torch only when needed.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from wdw_build.errors import MissingResourceError

CPU, GPU = "cpu", "cuda"
# Messages of GPU libraries for a workspace that does not fit. Torch has no error class for this case.
_ALLOCATION_FAILED = ("CUDNN_STATUS_ALLOC_FAILED", "CUBLAS_STATUS_ALLOC_FAILED")

T = TypeVar("T")
R = TypeVar("R")


def pick(wanted: str) -> str:
    """``cpu`` or ``cuda``, by ``execution.device``. Raises ``MissingResourceError`` if it is cuda and there is no GPU."""
    if wanted == CPU:
        return CPU
    import torch

    if torch.cuda.is_available():
        return GPU
    if wanted == GPU:
        build = f"torch {torch.__version__}"
        if torch.version.cuda is None:
            raise MissingResourceError(
                f"execution.device is cuda, and {build} is built without CUDA",
                hint="install a CUDA build of torch (https://pytorch.org/get-started), or set execution.device: auto",
            )
        raise MissingResourceError(
            f"execution.device is cuda, and {build} (CUDA {torch.version.cuda}) sees no GPU",
            hint="check the driver with nvidia-smi and the variable CUDA_VISIBLE_DEVICES, or set execution.device: auto",
        )
    return CPU


def pick_in_child(wanted: str) -> str:
    """``pick`` for a process that will be forked: a child asks for GPUs, because a forked process cannot use its parent's CUDA."""
    if wanted == CPU:
        return CPU
    import torch

    if torch.version.cuda is None and torch.version.hip is None:
        return CPU
    child = multiprocessing.get_context("fork").Process(target=_exit_with_gpu)
    child.start()
    child.join()
    return CPU if child.exitcode else GPU


def _exit_with_gpu() -> None:
    import torch

    sys.exit(0 if torch.cuda.is_available() else 1)


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
    import torch

    try:
        return compute_batch(batch)
    except Exception as error:
        is_full = isinstance(error, torch.cuda.OutOfMemoryError)
        if not is_full and not any(name in str(error) for name in _ALLOCATION_FAILED):
            raise
    # Outside of the handler, because the error's traceback keeps the tensors alive.
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if len(batch) == 1:
        return [compute_alone(batch[0])]
    half = len(batch) // 2
    return [
        *_halving(batch[:half], compute_batch, compute_alone),
        *_halving(batch[half:], compute_batch, compute_alone),
    ]
