"""The protocol of engines, which compute the tasks of a run, and the ticks by which a task counts its records.

A task calls ``tick``, so that the progress bar moves before the task ends. The engine listens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")
U = TypeVar("U")
Listener = Callable[[int], None]


class Engine(Protocol):
    """Computes tasks in worker processes, on this machine or on others.

    A task whose worker dies runs again; an engine raises ``StageError`` if this happens to one task again and again. Tasks
    may therefore run twice, even at the same time: a task publishes its files by one rename and does nothing if they exist.
    """

    @property
    def workers(self) -> int:
        """The number of worker processes at present, at least 1."""
        ...

    @property
    def is_local(self) -> bool:
        """Whether small tasks may as well be computed in this process, because its machine is the only one."""
        ...

    @property
    def description(self) -> str:
        """Where the tasks are computed, in words, with the link to the scheduler's dashboard if there is one."""
        ...

    def start(self, prepare: Callable[[], None] | None = None) -> None:
        """Get workers ready in the background. ``prepare`` (pickled) loads what processes on one machine can share.

        A local engine loads what each call asks for. Only workers that start after a call wait for it.
        """
        ...

    def retire(self) -> None:
        """Free the memory of idle workers if new ones are cheap."""
        ...

    def map(
        self,
        function: Callable[[T], U],
        tasks: Iterable[T],
        on_tick: Callable[[int], None] | None = None,
        resources: Sequence[str] = (),
    ) -> Iterator[U]:
        """Yield ``function(task)`` in the order of the tasks.

        ``function`` belongs to a module, and tasks are small: both are pickled. Tasks are taken as workers become free.
        ``on_tick`` gets the number of records that ``tick`` counted since its last call. ``resources``: names of what
        a worker must offer ("GPU"). An exception of a task is raised here.
        """
        ...


# Gets the ticks of this process: the engine, or a worker that passes them on.
_listener: Listener | None = None


def tick(count: int = 1) -> None:
    """Tell the engine that ``count`` more records are done; without an engine, do nothing."""
    if _listener is not None:
        _listener(count)


def listen(listener: Listener | None) -> None:
    """Give all further ticks of this process to ``listener``."""
    global _listener
    _listener = listener


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Give the ticks within the block to ``listener``."""
    before = _listener
    listen(listener)
    try:
        yield
    finally:
        listen(before)
