"""The protocol of engines: where the tasks of a run are computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
U = TypeVar("U")


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
        """Get workers ready in the background. ``prepare`` (pickled) loads what processes on one machine can share."""
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
        ``on_tick`` gets the number of records that ``ticks.tick`` counted since its last call. ``resources``: names of what
        a worker must offer ("GPU"). An exception of a task is raised here.
        """
        ...
