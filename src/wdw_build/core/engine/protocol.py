"""The protocol of engines, which compute the tasks of a run, and the ticks by which a task counts its records.

A task calls ``tick``, so that the progress bar moves before the task ends. The engine listens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

from wdw_build.errors import StageError

T = TypeVar("T")
U = TypeVar("U")
Listener = Callable[[int], None]

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

    @property
    def is_local(self) -> bool:
        """Whether this process may compute a task itself, because its machine is the only one."""
        ...

    @property
    def description(self) -> str:
        """Where the tasks are computed, in words."""
        ...

    def start(self, prepare: Callable[[], None]) -> None:
        """Have ``prepare`` (pickled) load in the background what the workers of later tasks with ``MODELS`` share."""
        ...

    def retire(self) -> None:
        """Free the memory of idle workers if new ones are cheap."""
        ...

    def map(
        self,
        function: Callable[[T], U],
        tasks: Iterable[T],
        on_tick: Callable[[int], None] | None = None,
        needs: Sequence[str] = (),
    ) -> Iterator[U]:
        """Yield ``function(task)`` in the order of the tasks.

        ``function`` belongs to a module, and tasks are small: both are pickled. ``on_tick`` gets the number of records that
        ``tick`` counted since its last call. ``needs``: what a worker must offer. An exception of a task is raised here.
        Raises ``WorkerDiedError`` if a worker dies and the task is not run again.
        """
        ...


# Gets the ticks of this process: the engine, or a worker that passes them on.
_listener: Listener | None = None


def tick(count: int = 1) -> None:
    """Tell the engine that ``count`` more records are done; without an engine, do nothing."""
    if _listener is not None:
        _listener(count)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Give the ticks within the block to ``listener``."""
    global _listener
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before
