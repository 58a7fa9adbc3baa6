"""Progress and log on stderr: tqdm's bars on a terminal, plain lines elsewhere, nothing with ``--quiet``.

On a terminal, at most two bars are shown, each on a line: the outermost, which is that of the whole run, and the innermost. They
are the last lines, and the cursor waits at the start of the first. A message first clears from there on, also in worker processes,
so it has a line of its own, and the bars are drawn again below it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Mapping
from typing import Self

_LINE_EVERY_SECONDS = 10.0
_DRAW_EVERY_SECONDS = 0.2
_CLEAR, _UP = "\r\x1b[J", "\x1b[A"
_USUAL_WIDTH = 80


def printable(text: str) -> str:
    """Text with control characters escaped, so that it is safe in a log or on a terminal."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode("ascii") for ch in text)


def printable_lines(text: str) -> str:
    """Lines of text with control characters escaped, line ends excepted."""
    return "\n".join(map(printable, text.split("\n")))


class Bar:
    """Counts records and shows rate and time left. ``done`` records of an earlier run do not count for the rate."""

    def __init__(self, label: str, total: int | None, unit: str, progress: Progress, done: int = 0) -> None:
        self.label, self._total, self._unit, self._progress = label, total, unit, progress
        self._done = self._before = done
        self._begun = time.monotonic()
        self._next_line = self._begun + _LINE_EVERY_SECONDS

    @property
    def share(self) -> float:
        """The share of the records that is done; 0 if their number is not known."""
        return self._done / self._total if self._total else 0.0

    def advance(self, count: int = 1) -> None:
        """Count ``count`` more records."""
        self._done += count
        if self._total is not None and self._done > self._total:
            self._total = self._done
        if self._is_line_due():
            total = f" of {self._total}" if self._total else ""
            print(f"{self.label}: {self._done}{total} {self._unit}", file=sys.stderr, flush=True)

    def _is_line_due(self) -> bool:
        """Whether to print a line now: progress is shown as lines, and the last one is ten seconds old."""
        now = time.monotonic()
        if self._progress.mode != "lines" or now < self._next_line:
            return False
        self._next_line = now + _LINE_EVERY_SECONDS
        return True

    def reach(self, done: int) -> None:
        """Count up to ``done`` records."""
        if done > self._done:
            self.advance(done - self._done)

    def line(self, width: int) -> str:
        """The bar as a line of at most ``width`` characters."""
        from tqdm import tqdm

        blocks = (sys.stderr.encoding or "").lower().startswith("utf")
        return tqdm.format_meter(
            self._done,
            self._total or 0,
            time.monotonic() - self._begun,
            ncols=width,
            prefix=self.label,
            unit=f" {self._unit}",
            ascii=not blocks,
            initial=self._before,
        )

    def __reduce__(self) -> tuple[object, ...]:
        # In another process, it shows nothing.
        return Bar, ("", None, "", Progress("quiet"))

    def __enter__(self) -> Self:
        self._progress.show(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.remove(self)


class StagesBar(Bar):
    """Shows which stage of a run is at work. ``shares``: stage -> the usual share of its time, in order.

    Without a terminal, a line at the start of a stage says so, unless the line before it is less than ten seconds old.
    """

    def __init__(self, shares: Mapping[str, float], progress: Progress) -> None:
        super().__init__("", len(shares), "stages", progress)
        self._names, self._shares, self._stage = list(shares), shares, ""
        self._finished, self._ahead, self._stage_begun = 0.0, sum(shares.values()), self._begun

    def begin(self, stage: str) -> None:
        """A stage begins; those between the one before it and this one were up to date."""
        number = self._names.index(stage)
        self._finished += self._shares.get(self._stage, 0.0)
        self._ahead -= sum(self._shares[name] for name in self._names[self._done : number + 1])
        self._done, self._stage, self._stage_begun = number + 1, stage, time.monotonic()
        if self._is_line_due():
            print(self.line(_USUAL_WIDTH), file=sys.stderr, flush=True)

    def line(self, width: int) -> str:
        """The number of the stage, the time since the start, and about how much is left."""
        now = time.monotonic()
        text = f"stage {self._done} of {self._total}: {self._stage}"
        if not self._stage:
            text = f"looking for outdated stages among {self._total}"
        text += f", {_clock(now - self._begun)} elapsed"
        left = self._left(now)
        return (f"{text}, about {_clock(left)} left" if left else text)[:width]

    def _left(self, now: float) -> float:
        """The seconds that are left if the finished stages took their usual share of the time; 0 if that is not known."""
        if not self._finished:
            return 0.0
        share = self._shares[self._stage]
        if done := share * self._progress.share_of(self._stage):
            return (now - self._begun) / (self._finished + done) * (share - done + self._ahead)
        unit = (self._stage_begun - self._begun) / self._finished
        of_stage = unit * share - (now - self._stage_begun)
        return unit * self._ahead + of_stage if of_stage >= 0 else 0.0


def _clock(seconds: float) -> str:
    from tqdm import tqdm

    return str(tqdm.format_interval(seconds))


class Progress:
    """Makes bars and writes log lines. ``mode``: bar, lines, messages (no counts) or quiet."""

    def __init__(self, mode: str = "quiet") -> None:
        self.mode = mode
        self._bars: list[Bar] = []
        self._lock = threading.RLock()

    def bar(self, label: str, total: int | None, unit: str, done: int = 0) -> Bar:
        """A bar; an earlier run did ``done`` of the ``total`` records."""
        return Bar(label, total, unit, self, done)

    def stages(self, shares: Mapping[str, float]) -> StagesBar:
        """The bar of a run of stages."""
        return StagesBar(shares, self)

    def say(self, message: str) -> None:
        """One log line on stderr."""
        if self.mode != "quiet":
            with self._lock:
                _write(f"{printable_lines(message)}\n")
                self._draw()

    def show(self, bar: Bar) -> None:
        """Show a bar until it is removed."""
        if self.mode == "bar":
            with self._lock:
                self._bars.append(bar)
                self._draw()
                if len(self._bars) == 1:
                    # A stage may count nothing for minutes, and the clock should go on.
                    threading.Thread(target=self._keep_drawing, args=(bar,), daemon=True).start()

    def remove(self, bar: Bar) -> None:
        """Remove a bar from the terminal."""
        if bar in self._bars:
            with self._lock:
                self._bars.remove(bar)
                _write("")
                self._draw()

    def share_of(self, label: str) -> float:
        """The share that the bar with a label has done; 0 if it is not shown."""
        return next((bar.share for bar in self._bars if bar.label == label), 0.0)

    def _keep_drawing(self, bar: Bar) -> None:
        while bar in self._bars:
            with self._lock:
                self._draw()
            time.sleep(_DRAW_EVERY_SECONDS)

    def _draw(self) -> None:
        # A terminal that was closed has no size.
        with contextlib.suppress(OSError):
            if self._bars:
                # A character in the last column would wrap on some terminals.
                width = (os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL_WIDTH) - 1
                bars = dict.fromkeys((self._bars[0], self._bars[-1]))
                _write("\n".join(bar.line(width) for bar in bars) + "\r" + _UP * (len(bars) - 1))

    def __reduce__(self) -> tuple[object, ...]:
        return Progress, ("messages" if self.mode == "bar" else self.mode,)


def _write(text: str) -> None:
    """Write to stderr; on a terminal, clear from the start of the line first."""
    if not sys.stderr.isatty():
        print(text, end="", file=sys.stderr, flush=True)
        return
    # Not by print, whose lock a process that is forked meanwhile would never get. A terminal that was closed raises an OSError.
    with contextlib.suppress(OSError):
        os.write(sys.stderr.fileno(), f"{_CLEAR}{text}".encode(sys.stderr.encoding, "backslashreplace"))


def choose_mode(quiet: bool) -> str:
    """The mode: ``quiet`` if requested, ``bar`` on a terminal, else ``lines``."""
    if quiet:
        return "quiet"
    return "bar" if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" else "lines"
