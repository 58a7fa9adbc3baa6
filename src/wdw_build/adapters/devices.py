"""Chooses the device that models compute on: the CPU, or a GPU that torch finds. Imports torch only when needed."""

from __future__ import annotations

import multiprocessing
import sys

from wdw_build.errors import MissingResourceError

CPU, GPU = "cpu", "cuda"
# Messages of GPU libraries for a workspace that does not fit. Torch has no error class for this case.
_ALLOCATION_FAILED = ("CUDNN_STATUS_ALLOC_FAILED", "CUBLAS_STATUS_ALLOC_FAILED")


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


def ran_out_of_memory(error: Exception) -> bool:
    """Whether the error says that GPU memory is full, so that a smaller batch may succeed."""
    import torch

    return isinstance(error, torch.cuda.OutOfMemoryError) or any(name in str(error) for name in _ALLOCATION_FAILED)


def release() -> None:
    """Free the GPU memory that torch caches."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
