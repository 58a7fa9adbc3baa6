"""Makes torch compute the same numbers in every run on the same kind of machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


@contextmanager
def reproducible(device: str, seed: int | None = None) -> Iterator[None]:
    """Compute by deterministic algorithms, in one thread on the CPU, with random numbers from ``seed`` if it is given.

    Restores torch's settings and random generators at the end.
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS is deterministic only with a fixed workspace
    threads, was_deterministic = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    memory: Any = torch.utils.deterministic
    fills = memory.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True)
    memory.fill_uninitialized_memory = False  # filling it costs time, and nothing here reads it
    torch.set_num_threads(1 if device == "cpu" else threads)
    try:
        with torch.random.fork_rng(devices=[] if device == "cpu" else [torch.cuda.current_device()]):
            if seed is not None:
                torch.manual_seed(seed)
            yield
    finally:
        torch.use_deterministic_algorithms(was_deterministic)
        memory.fill_uninitialized_memory = fills
        torch.set_num_threads(threads)
