"""Protects the program that calls this package: its environment variables stay, and workers do not run it again."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


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
