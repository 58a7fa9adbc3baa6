"""Times two implementations in turn, and compares them.

The sides alternate, and each round starts with the other side, so that a temporary slowdown of the machine affects both. A
figure has one value for each round; it is reported as the median, with the least and the greatest value.
"""

from __future__ import annotations

import functools
import os
import resource
import shlex
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from unittest import mock

Run = Callable[[], object]


@dataclass(frozen=True)
class Goal:
    """The value that a figure should reach."""

    sign: Literal["≥", "≤", "<"]
    value: float

    def reached(self, value: float) -> bool:
        """Whether a value reaches the goal."""
        if self.sign == "≥":
            return value >= self.value
        return value < self.value if self.sign == "<" else value <= self.value

    def __str__(self) -> str:
        return f"{self.sign} {self.value:g}"


@dataclass(frozen=True)
class Figure:
    """One row of the table, with a value for each round.

    ``unit`` is x for a ratio and s for seconds. ``size`` describes the input. ``notes`` holds
    other measurements, such as the speeds of both sides.
    """

    name: str
    title: str
    values: Sequence[float]
    unit: Literal["x", "s"]
    goal: Goal
    size: str
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def median(self) -> float:
        """The median of the values."""
        return statistics.median(self.values)

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the greatest value."""
        return min(self.values), max(self.values)

    @property
    def reached(self) -> bool:
        """Whether the median reaches the goal."""
        return self.goal.reached(self.median)


def cpu_seconds() -> float:
    """The CPU seconds of this process and of the programs that it ran, such as ``lmplz``."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def seconds(run: Run) -> float:
    """The seconds that a call takes."""
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def _nothing() -> None:
    pass


def in_turn(
    rounds: int, ours: Run, yardstick: Run, before: Run = _nothing, after: Run = _nothing
) -> list[tuple[float, float]]:
    """The seconds of both sides in each round. ``before`` and ``after`` run around every timed call."""
    found = []
    for number in range(rounds):
        taken = {}
        for side in (ours, yardstick) if number % 2 == 0 else (yardstick, ours):
            before()
            taken[side] = seconds(side)
            after()
        found.append((taken[ours], taken[yardstick]))
    return found


class CommandFailed(Exception):
    """A command failed; the message holds the last lines of its output."""


def run_command(*words: str | Path, allowed: int = 0) -> None:
    """Run a command without showing its output. Raises ``CommandFailed`` for exit codes other than 0 and ``allowed``."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode not in (0, allowed):
        last = "\n".join(done.stderr.splitlines()[-5:])
        raise CommandFailed(f"{shlex.join(map(str, words))} ended with {done.returncode}:\n{last}")


def run_wdw_build(*words: str | Path, allowed: int = 0) -> None:
    """Run a command of ``wdw-build``, as ``run_command``."""
    run_command(sys.executable, "-m", "wdw_build.cli", *words, allowed=allowed)


def times_faster(timed: Sequence[tuple[float, float]]) -> list[float]:
    """The speed of our side as a multiple of the other's, in each round."""
    return [yardstick / ours for ours, yardstick in timed]


def speeds(timed: Sequence[tuple[float, float]], count: int, unit: str) -> dict[str, str]:
    """The median speed of both sides, as notes."""
    sides = {"ours": [ours for ours, _ in timed], "yardstick": [yardstick for _, yardstick in timed]}
    return {side: f"{count / statistics.median(values):.3g} {unit}/s" for side, values in sides.items()}


@contextmanager
def only_cores(count: int) -> Iterator[None]:
    """Restrict this process and its children to ``count`` cores, so that both sides have the same cores."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(before)[:count]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def calls_timed(methods: Sequence[tuple[type, str]]) -> Iterator[Mapping[str, float]]:
    """The CPU seconds of this process in the calls of each of these methods within the block, by "class.method"."""
    seconds = defaultdict[str, float](float)

    def counting(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def timed(*args: Any, **kwargs: Any) -> Any:
            start = time.process_time()
            try:
                return call(*args, **kwargs)
            finally:
                seconds[name] += time.process_time() - start

        return timed

    with ExitStack() as stack:
        for owner, method in methods:
            counted = counting(f"{owner.__name__}.{method}", getattr(owner, method))
            stack.enter_context(mock.patch.object(owner, method, counted))
        yield seconds
