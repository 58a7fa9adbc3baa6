"""Logs of the processes that compute tasks: each process appends to files of its own, and the runner collects them.

A line is time (UTC), machine, process id, step and shard, the id of the last record read, and a message, separated by tabs;
control characters in ids and messages are escaped. Warnings and messages of libraries go there, too.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import os
import re
import resource
import socket
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from wdw_build.core.progress import printable
from wdw_build.core.tasks.accounting import input_id

_LOGS = ".logs"

# What a task says last.
ENDED = re.compile(r"ends after \S+ s and (\S+) s of CPU; ")


class TaskLog:
    """The log of one task. ``record`` is the id of the last record read."""

    def __init__(self, stream: TextIO, task: str) -> None:
        self._stream = stream
        self._place = f"{socket.gethostname()}\t{os.getpid()}\t{task}"
        self.record = ""

    def say(self, message: str) -> None:
        """Write one line."""
        now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._stream.write(f"{now}\t{self._place}\t{printable(self.record)}\t{printable(message)}\n")
        self._stream.flush()

    def reading(self, records: Iterable[Any]) -> Iterator[Any]:
        """Yield the records and note their ids."""
        for record in records:
            self.record = input_id(record)
            yield record


class _Handler(logging.Handler):
    """Passes messages of libraries on."""

    def __init__(self, log: TaskLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log.say(f"{record.levelname.lower()} of {record.name}: {record.getMessage()}")


@contextlib.contextmanager
def task_log(staging: Path, task: str) -> Iterator[TaskLog]:
    """The log of a task whose folder is in ``staging``. Start, end and an exception are noted."""
    folder = staging / _LOGS
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{socket.gethostname()}.{os.getpid()}"
    with (folder / f"{name}.log").open("a", encoding="utf-8") as stream:
        log, begun, cpu = TaskLog(stream, task), time.monotonic(), _cpu_seconds()
        log.say("begins")
        with _messages_to(log):
            try:
                yield log
            except BaseException:
                log.say(f"stops: {traceback.format_exc()}")
                raise
        peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        log.say(
            f"ends after {time.monotonic() - begun:.1f} s and {_cpu_seconds() - cpu:.2f} s of CPU; "
            f"this process has used {peak_mb} MB at most"
        )


def _cpu_seconds() -> float:
    """CPU time of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


@contextlib.contextmanager
def _messages_to(log: TaskLog) -> Iterator[None]:
    handler, root = _Handler(log), logging.getLogger()
    show = warnings.showwarning
    root.addHandler(handler)
    warnings.showwarning = lambda message, category, *_, **__: log.say(f"{category.__name__}: {message}")
    try:
        yield
    finally:
        warnings.showwarning = show
        root.removeHandler(handler)


def cpu_seconds(staging: Path) -> float:
    """The CPU time of all tasks that ended, of this command and of earlier ones that were stopped."""
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in (staging / _LOGS).glob("*.log"))
    return round(sum(float(found[1]) for text in texts for found in ENDED.finditer(text)), 2)


def collect(staging: Path, path: Path) -> None:
    """Write the lines of all processes into ``path``, in the order of time."""
    files = sorted((staging / _LOGS).glob("*.log"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8", errors="replace").splitlines()]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        # Lines of one process stay in order even if they were written in the same millisecond.
        stream.writelines(f"{line}\n" for line in sorted(lines, key=lambda line: line.partition("\t")[0]))
