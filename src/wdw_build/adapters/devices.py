"""Chooses the device that models compute on (the CPU, or a GPU that torch finds), and batches of inputs that fit on it.

Imports torch only when needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from wdw_build.core.engine.worker_process import environment_kept, limit_threads
from wdw_build.errors import MissingResourceError

CPU, GPU = "cpu", "cuda"

# oneDNN compiles a matrix product for each size of its inputs, and keeps 1,024 of them: half a gigabyte in each process, for
# batches of all sizes. A batch needs fewer than 20, and a product is compiled in less time than it is computed.
_KEPT_PRODUCTS = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "32", "LRU_CACHE_CAPACITY": "32"}

T = TypeVar("T")
R = TypeVar("R")


def load_torch() -> None:
    """Import torch with one thread and few compiled matrix products. The environment stays as it was."""
    with environment_kept():
        limit_threads()
        os.environ.update(_KEPT_PRODUCTS)
        import torch

        torch.set_num_threads(1)
        if has_reordered_products():
            # oneDNN reads the variables at its first product.
            weight = torch.ops.mkldnn._reorder_linear_weight(torch.ones(1, 1))
            torch.ops.mkldnn._linear_pointwise(torch.ones(1, 1), weight, None, "none", [], "")


def has_reordered_products() -> bool:
    """Whether torch can multiply with weights in oneDNN's own order, a seventh faster than with others."""
    import torch

    return torch.backends.mkldnn.is_available() and hasattr(  # type: ignore[no-untyped-call]  # declares no types
        torch.ops.mkldnn, "_linear_pointwise"
    )


def pick(wanted: str) -> str:
    """``cpu`` or ``cuda``, by ``execution.device``. Raises ``MissingResourceError`` if it is cuda and there is no GPU."""
    if wanted == CPU:
        return CPU
    import torch

    # The driver's library is asked, not CUDA: a process that has used CUDA cannot be forked.
    with environment_kept():
        os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
        is_there = torch.cuda.is_available()
    if wanted == GPU and not is_there:
        raise MissingResourceError(
            f"execution.device is cuda, and torch {torch.__version__} (CUDA {torch.version.cuda}) sees no GPU",
            hint="check nvidia-smi and CUDA_VISIBLE_DEVICES, install a CUDA build of torch if the one above is for CUDA None "
            "(https://pytorch.org/get-started), or set execution.device: auto",
        )
    return GPU if is_there else CPU


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
    inputs: Sequence[T], lengths: Sequence[int], limit: int, compute_batch: Callable[[list[T]], list[R]]
) -> list[R]:
    """Apply ``compute_batch`` to batches of at most ``limit`` padded units; return the results in the order of the inputs.

    A batch that runs out of memory is halved.
    """
    results: dict[int, R] = {}
    for batch in by_length(lengths, limit):
        results.update(zip(batch, _halving([inputs[number] for number in batch], compute_batch), strict=True))
    return [results[number] for number in range(len(inputs))]


def _halving(batch: list[T], compute_batch: Callable[[list[T]], list[R]]) -> list[R]:
    import torch

    try:
        return compute_batch(batch)
    except torch.cuda.OutOfMemoryError:
        if len(batch) == 1:
            raise
    # Outside of the handler, because the error's traceback keeps the tensors alive.
    torch.cuda.empty_cache()
    half = len(batch) // 2
    return [*_halving(batch[:half], compute_batch), *_halving(batch[half:], compute_batch)]
