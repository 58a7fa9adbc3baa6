"""SIGTERM and SIGHUP end a command as Ctrl-C does: workers end, temporary files go, and finished shards are kept."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Terminated(KeyboardInterrupt):
    """A signal other than Ctrl-C ended the command. ``exit_code`` is the one that shells give to the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.strsignal(number))
        self.exit_code = 128 + number


@contextmanager
def raised_signals() -> Iterator[None]:
    """Raise ``Terminated`` for the first SIGTERM or SIGHUP within the block; further ones do not disturb the clean-up.

    A signal that the caller ignores or handles, such as SIGHUP under ``nohup``, is left alone.
    """
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    had_terminal = sys.stderr.isatty()

    def end(number: int, _: FrameType | None) -> None:
        for other in _SIGNALS:
            signal.signal(other, signal.SIG_IGN)
        if had_terminal and not sys.stderr.isatty():
            # The terminal was closed: writing to it would raise errors during the clean-up.
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        raise Terminated(number)

    for number, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
