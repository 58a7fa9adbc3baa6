"""Keeps worker processes and the program that calls this package apart, and says what a worker does besides its tasks.

The environment variables of the program stay, workers do not run its script again, and Ctrl-C reaches the program alone. The fork
server loads what all workers need. A fork copies neither threads nor a JVM or a GPU context, so that must have none of them.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.resource_tracker import ensure_running
from types import ModuleType, TracebackType

# Ctrl-C and the end of a terminal reach the whole process group, but only the command decides what happens.
GROUP_SIGNALS = frozenset({signal.SIGINT, signal.SIGHUP})


@contextmanager
def signals_held() -> Iterator[None]:
    """Block ``GROUP_SIGNALS`` within the block: threads and processes that start there inherit the mask.

    This process gets the signals at the end of the block.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, GROUP_SIGNALS)
    try:
        # Unblocks Ctrl-C when it starts. Later, the first process to be spawned would start it.
        ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, GROUP_SIGNALS)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def environment_kept() -> Iterator[None]:
    """Restore ``os.environ`` at the end. Libraries that load within the block see its changes."""
    before = dict(os.environ)
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


@contextmanager
def main_hidden() -> Iterator[None]:
    """Keep processes that ``multiprocessing`` spawns within the block from importing the main module.

    They would run a script without ``if __name__ == "__main__"`` again. Nothing of it is needed: tasks are functions of
    importable modules.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


# ---- in a worker process ---------------------------------------------------------------------------------------------


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


def begin() -> None:
    """Prepare a new worker, which ends with its parent."""
    limit_threads()
    for number in GROUP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    # The stack of a crash goes to stderr. Never later than here: the JVM's handlers of signals must come after these.
    faulthandler.enable()
    end_with_parent()


def _ask_withdrawn(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say nothing of a worker whose command ended before it had sent the worker's task; print any other error."""
    if not issubclass(kind, (EOFError, pickle.UnpicklingError)):
        sys.__excepthook__(kind, error, trace)


# Has the pickled function that loads, in hexadecimal.
PRELOAD = "WDW_BUILD_PRELOAD"


def _load(pickled: str) -> None:
    parent = os.getppid()
    limit_threads()
    # A worker that needs what cannot be loaded raises the error in its task.
    with contextlib.suppress(Exception):
        sys.path[:], prepare = pickle.loads(bytes.fromhex(pickled))  # noqa: S301 (from the command that started this process)
        pickle.loads(prepare)()  # noqa: S301 (the same)
    if os.getppid() != parent:
        # Without this command, the workers that it asked for must not start.
        os._exit(1)
    # The garbage collector would write into the shared memory, and so copy it.
    gc.collect()
    gc.freeze()


# Taken out, so that no process that a worker starts loads it again.
if pickled := os.environ.pop(PRELOAD, ""):
    sys.excepthook = _ask_withdrawn
    _load(pickled)
