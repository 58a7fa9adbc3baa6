"""Counts records that a task has done, so that the progress bar moves before the task ends.

A task calls ``tick``. The engine listens: in this process, or in a worker process that passes the number on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[int], None]

_listener: Listener | None = None


def tick(count: int = 1) -> None:
    """Tell the engine that ``count`` more records are done; without an engine, do nothing."""
    if _listener is not None:
        _listener(count)


def listen(listener: Listener | None) -> None:
    """Give all further ticks of this process to ``listener``."""
    global _listener
    _listener = listener


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Give the ticks within the block to ``listener``."""
    before = _listener
    listen(listener)
    try:
        yield
    finally:
        listen(before)
