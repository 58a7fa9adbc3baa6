"""Runs tasks in this process or in worker processes, and yields the results in the order of the tasks.

A worker that dies (killed, out of memory, a crash in a library) costs only the task that it ran: another worker takes its
place and runs the task again.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import send_handle
from types import TracebackType
from typing import Any, TypeVar, cast

from wdw_build.core.caller import main_hidden, signals_held
from wdw_build.core.engine.protocol import listening
from wdw_build.core.engine.worker_process import END, FORK, Outcome, Ready, serve
from wdw_build.core.progress import printable
from wdw_build.errors import StageError

T = TypeVar("T")
U = TypeVar("U")

# Workers that one task may kill before the run stops. To find a record that kills them, core needs two or three.
_TRIES = 8
# Tasks that are in memory, running or finished, while the first of them still runs.
_WINDOW = 1024
_END_SECONDS = 10.0
_NAME_CHARACTERS = 200


@dataclass
class _Worker:
    """A worker's pipe, its process id (0: not told yet), the number of its last task, and the records it counted for it.

    ``heard``: when it was given the task, or last said something.
    """

    command: Connection
    pid: int = 0
    task: int = -1
    ticks: int = 0
    heard: float = 0.0


class LocalEngine:
    """The local ``Engine``: ``workers`` processes, forked on first use. With one worker, tasks run in this process."""

    is_local = True

    def __init__(self, workers: int, hang_seconds: int = 0) -> None:
        self.workers, self.hang_seconds = workers, hang_seconds
        self._prepare: Callable[[], None] | None = None
        self._server: SpawnProcess | None = None
        self._requests: Connection | None = None
        # The number of loads that the server has not reported as finished.
        self._loading = 0
        self._idle: list[_Worker] = []
        self._running: _Map | None = None

    @property
    def description(self) -> str:
        """See ``Engine.description``."""
        return f"{self.workers} process{'es' * (self.workers > 1)} on this machine"

    def start(self, prepare: Callable[[], None] | None = None) -> None:
        """Have the fork server call ``prepare`` (pickled) to load what new workers share, while this process works.

        A server that is started again after its death calls only the last ``prepare``.
        """
        self._prepare = prepare or self._prepare
        if self.workers == 1:
            return
        if self._server is None or not self._server.is_alive():
            self._start_server()
        elif prepare is not None:
            self._loading += 1
            # Fails if the server was killed: the next one gets ``prepare``.
            with contextlib.suppress(ConnectionError):
                cast(Connection, self._requests).send(prepare)

    def _start_server(self) -> None:
        self._server = None
        if self._requests is not None:
            self._requests.close()
        self._requests, theirs = Pipe()
        self._loading = 1
        server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, self._prepare))
        # ``__exit__`` ends only a server that has started: a signal may arrive at any line outside of this block.
        with signals_held(), main_hidden():
            server.start()
            self._server = server
        theirs.close()

    def map(
        self,
        function: Callable[[T], U],
        tasks: Iterable[T],
        on_tick: Callable[[int], None] | None = None,
        resources: Sequence[str] = (),
    ) -> Iterator[U]:
        """See ``Engine.map``. Raises ``StageError`` if one task killed several workers."""
        if self.workers == 1:
            with listening(on_tick):
                yield from map(function, tasks)
            return
        self._running = _Map(self, function, tasks, on_tick)
        try:
            yield from self._running.results()
        finally:
            self._running.stop()

    def take_worker(self) -> _Worker:
        """An idle worker, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            # An idle worker sends nothing: if there is something to read, it is the end of the pipe.
            if not worker.command.poll():
                return worker
            worker.command.close()
        return self._new_worker()

    def _new_worker(self) -> _Worker:
        ours, theirs = Pipe()
        for _ in range(_TRIES):
            self.start()
            server, requests = cast(SpawnProcess, self._server), cast(Connection, self._requests)
            # Fails if the server was killed: then another one is started.
            with contextlib.suppress(ConnectionError):
                requests.send(FORK)
                send_handle(requests, theirs.fileno(), cast(int, server.pid))
                break
        theirs.close()
        return _Worker(ours)

    def give_back(self, worker: _Worker) -> None:
        """Keep a worker for later tasks."""
        self._idle.append(worker)

    def retire(self) -> None:
        """End the idle workers, which frees their memory; new ones are forked when they are needed."""
        for worker in self._idle:
            worker.command.close()
        self._idle.clear()

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        self.retire()
        if self._running is not None:
            self._running.stop()
        if self._server is None or self._requests is None:
            return
        # While the server loads, it does not read the request to end.
        with contextlib.suppress(EOFError, ConnectionError):
            while self._loading and self._requests.poll():
                self._requests.recv()
                self._loading -= 1
            if not self._loading:
                self._requests.send(END)
                self._server.join(_END_SECONDS)
        self._server.kill()
        self._server.join()
        self._requests.close()


class _Map:
    """One call of ``LocalEngine.map``."""

    def __init__(
        self,
        engine: LocalEngine,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        on_tick: Callable[[int], None] | None,
    ) -> None:
        self._engine, self._function, self._on_tick = engine, function, on_tick
        self._new: Iterator[tuple[int, Any]] = enumerate(tasks)
        # Tasks that are not finished, the numbers of those that must run again, and the outcomes that are not taken yet.
        self._open: dict[int, Any] = {}
        self._again: list[int] = []
        self._outcomes: dict[int, Outcome] = {}
        self._busy: list[_Worker] = []
        self._deaths: Counter[int] = Counter()
        self._ticks = self._shown = 0
        self._failed = False

    def results(self) -> Iterator[Any]:
        """The results in the order of the tasks."""
        for number in itertools.count():
            self._give_tasks()
            while number not in self._outcomes:
                if not self._busy:
                    return
                self._receive()
                self._give_tasks()
            outcome = self._outcomes.pop(number)
            if outcome.error is not None:
                raise outcome.error
            yield outcome.result

    def stop(self) -> None:
        """Kill the workers whose tasks nobody waits for any more."""
        for worker in self._busy:
            worker.command.close()
            if worker.pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker.pid, signal.SIGKILL)
        self._busy.clear()

    def _give_tasks(self) -> None:
        while len(self._busy) < self._engine.workers and (number := self._next_task()) is not None:
            worker = self._engine.take_worker()
            worker.task, worker.heard = number, time.monotonic()
            self._busy.append(worker)
            # The death of a worker is found when its pipe is read.
            with contextlib.suppress(ConnectionError):
                worker.command.send((self._function, self._open[number]))

    def _next_task(self) -> int | None:
        """The number of the next task: one whose worker died, or a new one. None at the end, and after a task failed."""
        if self._again:
            return self._again.pop()
        if self._failed or len(self._open) + len(self._outcomes) >= _WINDOW:
            return None
        for number, task in self._new:
            self._open[number] = task
            return number
        return None

    def _receive(self) -> None:
        """Take the messages that are there, or wait for the next one."""
        by_pipe = {worker.command: worker for worker in self._busy}
        for pipe in wait(list(by_pipe), self._engine.hang_seconds or None):
            worker = by_pipe[cast(Connection, pipe)]
            try:
                self._take(worker, worker.command.recv())
            except (EOFError, ConnectionError):
                self._bury(worker)
        self._kill_hanging()
        self._show()

    def _kill_hanging(self) -> None:
        """Kill the workers that have said nothing for too long; the ends of their pipes are read later."""
        limit, now = self._engine.hang_seconds, time.monotonic()
        for worker in self._busy if limit else ():
            if worker.pid and now - worker.heard > limit:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker.pid, signal.SIGKILL)

    def _take(self, worker: _Worker, message: Ready | int | Outcome) -> None:
        worker.heard = time.monotonic()
        if isinstance(message, Ready):
            worker.pid = message.pid
        elif isinstance(message, int):
            worker.ticks += message
        else:
            self._finish(worker, message)

    def _finish(self, worker: _Worker, outcome: Outcome) -> None:
        self._outcomes[worker.task] = outcome
        self._failed = self._failed or outcome.error is not None
        self._ticks += worker.ticks + outcome.ticks
        worker.ticks = 0
        del self._open[worker.task]
        self._busy.remove(worker)
        self._engine.give_back(worker)

    def _bury(self, worker: _Worker) -> None:
        """Have the task of a dead worker run again. Raises ``StageError`` if it killed several."""
        worker.command.close()
        self._busy.remove(worker)
        self._again.append(worker.task)
        self._deaths[worker.task] += 1
        if self._deaths[worker.task] >= _TRIES:
            raise StageError(
                f"{_TRIES} worker processes died one after another (out of memory, killed, or a crash of a library) at "
                + printable(str(self._open[worker.task]))[:_NAME_CHARACTERS],
                hint="if memory is short, set fewer execution.workers; the same command resumes after the finished shards",
            )

    def _show(self) -> None:
        total = self._ticks + sum(worker.ticks for worker in self._busy)
        # After the death of a worker, the total is smaller for a while.
        if self._on_tick is not None and total > self._shown:
            self._on_tick(total - self._shown)
            self._shown = total
