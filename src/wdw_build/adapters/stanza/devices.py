"""Where models compute: the CPU, or a GPU that torch sees. torch is imported when it is asked, never before."""

from __future__ import annotations

from wdw_build.errors import MissingResourceError

CPU, GPU = "cpu", "cuda"
# What a GPU library says instead of torch's own error when its workspace does not fit.
_ALLOCATION_FAILED = ("CUDNN_STATUS_ALLOC_FAILED", "CUBLAS_STATUS_ALLOC_FAILED")


def pick(wanted: str) -> str:
    """``cpu`` or ``cuda`` for what ``execution.device`` says. Raises ``MissingResourceError`` if cuda is not there."""
    if wanted == CPU:
        return CPU
    import torch

    if torch.cuda.is_available():
        return GPU
    if wanted == GPU:
        build = f"torch {torch.__version__}"
        if torch.version.cuda is None:
            raise MissingResourceError(
                f"execution.device is cuda, and {build} is built for the CPU alone",
                hint="install a CUDA build of torch (https://pytorch.org/get-started), or set execution.device: auto",
            )
        raise MissingResourceError(
            f"execution.device is cuda, and {build} (CUDA {torch.version.cuda}) sees no GPU",
            hint="nvidia-smi shows the driver; look at CUDA_VISIBLE_DEVICES; or set execution.device: auto",
        )
    return CPU


def ran_out_of_memory(error: Exception) -> bool:
    """Whether a smaller batch may do what this error stopped."""
    import torch

    return isinstance(error, torch.cuda.OutOfMemoryError) or any(name in str(error) for name in _ALLOCATION_FAILED)


def release() -> None:
    """Give back what torch keeps for later, before a smaller batch is tried."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
