"""The processes behind ``LocalEngine``: a fork server, and the workers that it forks.

The fork server is spawned: it is a new Python without the threads and the JVM of the command. It answers requests in turn:
it loads what later workers need, or forks a worker. A fork takes milliseconds, and the workers share the loaded memory. A
fork copies neither threads nor a JVM or a GPU context, so the server must have none of them.

Each worker has a pipe of its own to the command. Workers share neither a queue nor a lock, so one that is killed cannot
stop the others.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import recv_handle
from typing import Any

from wdw_build.core.caller import GROUP_SIGNALS
from wdw_build.core.engine.protocol import listen
from wdw_build.errors import StageError, WdwError

_TICK_SECONDS = 0.1
# The requests to the fork server; any other request is a function that loads something.
FORK, END = "fork", "end"


@dataclass(frozen=True)
class Ready:
    """The first message of a worker."""

    pid: int


@dataclass(frozen=True)
class Outcome:
    """What a task returned or raised, and the records that it counted since the last message."""

    ticks: int
    result: Any = None
    error: Exception | None = None


class _Ticks:
    """The records that a worker counted, sent to the command as a number a few times a second."""

    def __init__(self, command: Connection) -> None:
        self._command, self._count, self._next = command, 0, 0.0

    def add(self, count: int) -> None:
        self._count += count
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _TICK_SECONDS
            self._command.send(self.take())

    def take(self) -> int:
        count, self._count = self._count, 0
        return count


def limit_threads() -> None:
    """Make each numeric library of this process use one thread: more threads than cores are many times slower."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"


def serve(requests: Connection, prepare: Callable[[], None] | None) -> None:
    """Load what workers share, then answer requests until the command asks for the end, or ends."""
    # The command starts the server with these signals blocked.
    for number in GROUP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, GROUP_SIGNALS)
    limit_threads()
    fork = multiprocessing.get_context("fork")
    try:
        _load(prepare, requests)
        while (request := requests.recv()) != END:
            if request != FORK:
                _load(request, requests)
                continue
            handle = recv_handle(requests)
            fork.Process(target=_work, args=(handle, requests)).start()
            os.close(handle)
            fork.active_children()  # reaps the workers that have ended
    except (EOFError, ConnectionError):
        for worker in fork.active_children():
            worker.kill()


def _load(prepare: Callable[[], None] | None, requests: Connection) -> None:
    """Load what workers share, and tell the command that it is loaded."""
    if prepare is not None:
        with _ending_with_parent():
            load_shared(prepare)
    requests.send(True)


def load_shared(prepare: Callable[[], None]) -> None:
    """Load what the processes that are forked from this one share."""
    # A worker that needs what cannot be loaded raises the error in its task.
    with contextlib.suppress(Exception):
        prepare()
    # The garbage collector would write into the shared memory, and so copy it.
    gc.collect()
    gc.freeze()


@contextmanager
def _ending_with_parent() -> Iterator[None]:
    """End this process at once if its parent ends. The thread that watches has ended before the first fork."""
    parent, (stop, stopped) = multiprocessing.parent_process(), multiprocessing.Pipe()

    def watch() -> None:
        if parent is not None and parent.sentinel in wait([parent.sentinel, stopped]):
            os._exit(1)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        stop.close()
        watcher.join()
        stopped.close()


def _work(handle: int, requests: Connection) -> None:
    """Run the tasks that arrive, until the command closes the pipe."""
    requests.close()
    # The stack of a crash goes to stderr. Never later than here: the JVM's handlers of signals must come after these.
    faulthandler.enable()
    with contextlib.suppress(EOFError, ConnectionError), Connection(handle) as command:
        ticks = _Ticks(command)
        listen(ticks.add)
        command.send(Ready(os.getpid()))
        while True:
            command.send_bytes(_run(command.recv_bytes(), ticks))


def _run(pickled: bytes, ticks: _Ticks) -> bytes:
    """Run a pickled (function, task); return its pickled outcome."""
    try:
        function, task = pickle.loads(pickled)  # noqa: S301 (from the command that started this worker)
        return pickle.dumps(Outcome(result=function(task), ticks=ticks.take()))
    except Exception as error:
        return pickle.dumps(Outcome(error=_picklable(error), ticks=ticks.take()))


def _picklable(error: Exception) -> Exception:
    """The error, with its traceback as a note; a ``StageError`` in place of an error that cannot be pickled."""
    if isinstance(error, WdwError):
        return error
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (pickled in the same line)
    except Exception:
        return StageError(f"{type(error).__name__}: {error}")
    return error
