"""Keeps worker processes and the program that calls this package apart.

The environment variables of the program stay, workers do not run its script again, and Ctrl-C reaches the program alone.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.resource_tracker import ensure_running
from types import ModuleType

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
