"""What a worker process of ``LocalEngine`` does besides its tasks."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from wdw_build.core.caller import GROUP_SIGNALS
from wdw_build.core.engine.protocol import listening
from wdw_build.errors import StageError, WdwError

T = TypeVar("T")
U = TypeVar("U")

_TICK_SECONDS = 0.1


def limit_threads() -> None:
    """Make each numeric library of this process use one thread: more threads than cores are many times slower."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, which may have been killed."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Ticks:
    """The records that this process counted, added to the counter of all workers a few times a second."""

    def __init__(self, total: Any) -> None:
        self._total, self._count, self._next = total, 0, 0.0

    def add(self, count: int) -> None:
        self._count += count
        if (now := time.monotonic()) >= self._next:
            self._next = now + _TICK_SECONDS
            self.pass_on()

    def pass_on(self) -> None:
        with self._total.get_lock():
            self._total.value += self._count
        self._count = 0


_ticks: _Ticks


def begin(total: Any) -> None:
    """Prepare a new worker, which ends with its parent. ``total`` counts the records of all workers."""
    global _ticks
    _ticks = _Ticks(total)
    limit_threads()
    for number in GROUP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    # The stack of a crash goes to stderr. Never later than here: the JVM's handlers of signals must come after these.
    faulthandler.enable()
    end_with_parent()


def run(function: Callable[[T], U], task: T) -> U:
    """The result of a task. Raises its error in a form that can be pickled."""
    try:
        with listening(_ticks.add):
            return function(task)
    except Exception as error:
        raise _picklable(error) from None
    finally:
        _ticks.pass_on()


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
