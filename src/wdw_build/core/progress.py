"""Progress and log on stderr: a tqdm bar on a terminal, plain lines elsewhere, nothing with ``--quiet``."""

from __future__ import annotations

import sys
import time
from typing import Any

_LINE_EVERY_SECONDS = 10.0


def printable(text: str) -> str:
    """Text with control characters escaped, so that it is safe in a log or on a terminal."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode("ascii") for ch in text)


def printable_lines(text: str) -> str:
    """Lines of text with control characters escaped, line ends excepted."""
    return "\n".join(map(printable, text.split("\n")))


class Bar:
    """Counts records and shows rate and time left. ``done`` records of an earlier run do not count for the rate."""

    def __init__(self, label: str, total: int | None, unit: str, mode: str, done: int = 0) -> None:
        self._label, self._total, self._unit, self._mode = label, total, unit, mode
        self._done, self._next_line = done, time.monotonic() + _LINE_EVERY_SECONDS
        self._bar: Any = None
        if mode == "bar":
            from tqdm import tqdm

            self._bar = tqdm(
                total=total,
                desc=f"{label:<10}",
                unit=f" {unit}",
                file=sys.stderr,
                dynamic_ncols=True,
                smoothing=0.1,
                initial=done,
            )

    def advance(self, count: int = 1) -> None:
        """Count ``count`` more records."""
        self._done += count
        if self._total is not None and self._done > self._total:
            self._total = self._done
            if self._bar is not None:
                self._bar.total = self._done
        if self._bar is not None:
            self._bar.update(count)
        elif self._mode == "lines" and time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + _LINE_EVERY_SECONDS
            total = f" of {self._total}" if self._total else ""
            print(f"{self._label}: {self._done}{total} {self._unit}", file=sys.stderr, flush=True)

    def reach(self, done: int) -> None:
        """Count up to ``done`` records."""
        if done > self._done:
            self.advance(done - self._done)

    def __reduce__(self) -> tuple[object, ...]:
        # In another process, it shows nothing.
        return Bar, ("", None, "", "quiet")

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


class Progress:
    """Makes bars and writes log lines. ``mode``: bar, lines, messages (no counts) or quiet."""

    def __init__(self, mode: str = "quiet") -> None:
        self.mode = mode

    def bar(self, label: str, total: int | None, unit: str, done: int = 0) -> Bar:
        """A bar; an earlier run did ``done`` of the ``total`` records."""
        return Bar(label, total, unit, self.mode, done)

    def say(self, message: str) -> None:
        """One log line on stderr."""
        if self.mode != "quiet":
            print(printable_lines(message), file=sys.stderr, flush=True)


def choose_mode(quiet: bool) -> str:
    """The mode: ``quiet`` if requested, ``bar`` on a terminal, else ``lines``."""
    if quiet:
        return "quiet"
    return "bar" if sys.stderr.isatty() else "lines"
