"""The protocol of engines, which compute the tasks of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from wdw_build.errors import StageError

T = TypeVar("T")
U = TypeVar("U")

# What a worker may have to offer for a task: loaded models, or a GPU.
MODELS, GPU = "models", "GPU"


class WorkerDiedError(StageError):
    """A worker process died: it was killed, memory ran out, or a library crashed."""


class Engine(Protocol):
    """Computes tasks in worker processes, on this machine or on others.

    A task may run twice, even at the same time: it publishes its files by one rename and does nothing if they exist.
    """

    @property
    def workers(self) -> int:
        """The number of worker processes, at least 1."""
        ...

    def start(self, prepare: Callable[[], None]) -> None:
        """Have ``prepare`` (pickled) load in the background what the workers of later tasks with ``MODELS`` share."""
        ...

    def retire(self) -> None:
        """Free the memory of idle workers if new ones are cheap."""
        ...

    def map(self, function: Callable[[T], U], tasks: Iterable[T], needs: Sequence[str] = ()) -> Iterator[U]:
        """Yield ``function(task)`` in the order of the tasks.

        ``function`` belongs to a module, and tasks are small: both are pickled. ``needs``: what a worker must offer. An
        exception of a task is raised here, and must be one that can be pickled. Raises ``WorkerDiedError`` if a worker dies and
        the task is not run again.
        """
        ...
