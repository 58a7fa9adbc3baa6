"""Engines compute the tasks of a run: their interface, and the engine of this machine.

``LocalEngine`` runs tasks in this process or in a pool of worker processes, and yields the results in the order of the tasks.
Workers are forked from the fork server of ``multiprocessing``, which loads libraries and models once (``worker_process``): a
fork takes milliseconds, and the workers share the loaded memory. The server starts in the background. Until a task with models
has ended, tasks without models do not wait for it: their workers are spawned, which takes a second each.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import forkserver
from types import TracebackType
from typing import Protocol, TypeVar

from wdw_build.core.engine import worker_process
from wdw_build.core.engine.worker_process import environment_kept, main_hidden, signals_held
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


class LocalEngine:
    """The local ``Engine``: ``workers`` processes, started on first use. One worker is this process."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._has_server, self._is_loaded = False, False
        self._pool: ProcessPoolExecutor | None = None
        self._is_forked = False

    def start(self, prepare: Callable[[], None]) -> None:
        """See ``Engine.start``. A process has one fork server: it loads what the first call in this process asks for."""
        if self.workers == 1 or self._has_server:
            return
        self._has_server = True
        multiprocessing.set_forkserver_preload([worker_process.__name__])
        with signals_held(), environment_kept(), main_hidden():
            os.environ[worker_process.PRELOAD] = pickle.dumps((sys.path, pickle.dumps(prepare))).hex()
            forkserver.ensure_running()

    def map(self, function: Callable[[T], U], tasks: Iterable[T], needs: Sequence[str] = ()) -> Iterator[U]:
        """See ``Engine.map``."""
        waiting, has_models = list(tasks), MODELS in needs and self._has_server
        # A single task, such as that of a stage that needs all records, may show bars of its own.
        if self.workers == 1 or (len(waiting) == 1 and not has_models):
            yield from map(function, waiting)
            return
        forked = has_models or self._is_loaded
        pool, futures = self._pool_for(forked), deque[Future[U]]()
        try:
            # Workers start as tasks are submitted. To wait for the fork server, which has blocked the signals already, is no
            # reason to hold them.
            with main_hidden(), contextlib.nullcontext() if forked else signals_held():
                futures.extend(pool.submit(function, task) for task in waiting)
            while futures:
                # Errors are raised in the order of the tasks, too: which worker is quicker does not decide what is said.
                result = futures[0].result()
                self._is_loaded = forked
                futures.popleft()
                yield result
        except BrokenProcessPool as error:
            self._kill()
            raise WorkerDiedError("a worker process died (killed, out of memory, or a crash of a library)") from error
        finally:
            if futures:
                self._kill()

    def _pool_for(self, forked: bool) -> ProcessPoolExecutor:
        """The pool, with workers that are forked from the fork server or spawned."""
        if self._pool is None or self._is_forked != forked:
            self._close()
            context = multiprocessing.get_context("forkserver" if forked else "spawn")
            # The first lock starts the resource tracker of ``multiprocessing``, which must not get these signals.
            with signals_held():
                self._pool = ProcessPoolExecutor(self.workers, context, worker_process.begin)
            self._is_forked = forked
        return self._pool

    def retire(self) -> None:
        """See ``Engine.retire``. Spawned workers stay: new ones are not cheap."""
        if self._is_forked:
            self._close()

    def _close(self) -> None:
        """Let the workers end after their tasks."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _kill(self) -> None:
        """End the workers at once, whatever they compute."""
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False)
            self._pool = None
            for process in processes:
                process.kill()

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        if kind is None:
            self._close()
        self._kill()
