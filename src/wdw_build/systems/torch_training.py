"""Trainings with torch: the same numbers in every run on the same kind of machine, trained weights and checkpoints."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from wdw_build.core.progress import Progress

Weights = dict[str, Tensor]
_MEASURED_SECONDS, _LONG_SECONDS = 20.0, 2 * 3600.0


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


def trained_weights(model: nn.Module) -> Weights:
    """A copy of the trained parameters, on the CPU."""
    parameters = model.named_parameters()
    return {name: value.detach().cpu().clone() for name, value in parameters if value.requires_grad}


def use_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Copy weights that ``trained_weights`` returned into the model."""
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in weights.items():
            parameters[name].copy_(value)


class TimeEstimate:
    """Says once on stderr how long a training takes at most, when ``_MEASURED_SECONDS`` of it are done."""

    def __init__(self, title: str, total: int, progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        """``total``: problems of all epochs that are left."""
        self._title, self._total, self._progress, self._clock = title, total, progress, clock
        self._begun, self._done, self._is_said = clock(), 0, False

    def advance(self, count: int) -> None:
        """Count trained problems."""
        self._done += count
        seconds = self._clock() - self._begun
        if self._is_said or seconds < _MEASURED_SECONDS:
            return
        self._is_said = True
        rest = seconds * (self._total - self._done) / self._done
        shown = f"{rest / 60:.0f} minutes" if rest < _LONG_SECONDS else f"{rest / 3600:.1f} hours"
        self._progress.say(f"{self._title}: about {shown} left if it trains all epochs; it may stop earlier")


def write_checkpoint(path: Path, state: Mapping[str, Any]) -> None:
    """Write a checkpoint, which ``torch.load`` reads; it takes the place of the last one by one rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    torch.save(dict(state), unfinished)
    unfinished.replace(path)
