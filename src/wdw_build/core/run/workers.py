"""Runs tasks in this process or in worker processes, in order, with a shared counter for the progress bar.

Workers are spawned, not forked, because a JVM does not survive a fork. Each worker uses one thread of torch and BLAS: two
threads on two busy cores are many times slower than one. The environment variables are set before these libraries load.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as NotFinished
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from types import TracebackType
from typing import Any, TypeVar

from wdw_build.core.run.ticks import listen, listening
from wdw_build.errors import StageError

T = TypeVar("T")
U = TypeVar("U")

_POLL_SECONDS = 0.2


def limit_threads() -> None:
    """Make each numeric library of this process use one thread."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"


def _start_worker(ticks: Any) -> None:
    listen(functools.partial(_add, ticks))
    limit_threads()
    # Ctrl-C reaches the whole process group, but only the parent decides what happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # Otherwise a worker whose parent was killed would wait for tasks forever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _add(ticks: Any, count: int) -> None:
    with ticks.get_lock():
        ticks.value += count


@contextmanager
def _interrupt_held() -> Iterator[None]:
    """Block Ctrl-C while workers start: they inherit the mask, so that Ctrl-C cannot end them before they ignore it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Pool:
    """The local ``Engine``: ``workers`` processes, started on first use and then reused, so that models and the JVM load once."""

    is_local = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._spawn = multiprocessing.get_context("spawn")
        self._ticks: Any = None

    @property
    def description(self) -> str:
        """See ``Engine.description``."""
        return f"{self.workers} process{'es' * (self.workers > 1)} on this machine"

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._ticks = self._spawn.Value("q", 0)
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=self._spawn, initializer=_start_worker, initargs=(self._ticks,)
            )
        return self._pool

    def map(
        self,
        function: Callable[[T], U],
        tasks: Iterable[T],
        on_tick: Callable[[int], None] | None = None,
        resources: Sequence[str] = (),
    ) -> Iterator[U]:
        """See ``Engine.map``. A single task runs in this process. Raises ``StageError`` if a worker dies."""
        tasks = list(tasks)
        if self.workers == 1 or len(tasks) == 1:
            with listening(on_tick):
                yield from map(function, tasks)
            return
        executor = self._executor()
        self._ticks.value = 0
        with _interrupt_held():
            futures = [executor.submit(function, task) for task in tasks]
        counted = 0
        try:
            for future in futures:
                result, counted = self._wait(future, counted, on_tick)
                yield result
        except BrokenProcessPool as error:
            raise StageError(
                "a worker process died (out of memory, or killed)",
                hint="run the same command again: it resumes after the last finished shard; set fewer execution.workers",
            ) from error

    def _wait(self, future: Future[U], counted: int, on_tick: Callable[[int], None] | None) -> tuple[U, int]:
        while True:
            try:
                return future.result(timeout=_POLL_SECONDS), self._report(counted, on_tick)
            except NotFinished:
                counted = self._report(counted, on_tick)

    def _report(self, counted: int, on_tick: Callable[[int], None] | None) -> int:
        total = int(self._ticks.value)
        if on_tick is not None and total > counted:
            on_tick(total - counted)
        return total

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        if self._pool is None:
            return
        if kind is not None:
            for child in multiprocessing.active_children():
                child.kill()
        self._pool.shutdown(wait=kind is None, cancel_futures=True)
