"""What a worker process of ``LocalEngine`` does besides its tasks."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import threading

from wdw_build.core.caller import GROUP_SIGNALS


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
