"""Measures CPU time and peak memory of this process and its descendants (Linux only).

Resident memory includes pages of mapped files (Lucene's index), which the system can reclaim. A process needs only its own
memory (anonymous and shared), which is reported separately. CPU time is reported besides elapsed time, because the machine
may have other work.
"""

from __future__ import annotations

import os
import resource
import threading
import time
from pathlib import Path
from types import TracebackType

_EVERY_SECONDS = 0.25
_KEYS = (b"RssAnon:", b"RssFile:", b"RssShmem:")


def _status(pid: str) -> tuple[str, dict[bytes, int]]:
    """The parent of a process, and its kB by kind of memory; empty if the process has ended."""
    try:
        lines = Path("/proc", pid, "status").read_bytes().splitlines()
    except OSError:
        return "", {}
    fields = dict(line.split(b"\t", 1) for line in lines if b"\t" in line)
    return fields[b"PPid:"].decode(), {key: int(fields[key].split()[0]) for key in _KEYS if key in fields}


def _tree() -> tuple[int, int]:
    """The current (resident kB, own kB) of this process and its descendants."""
    found = {entry.name: _status(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    family = {str(os.getpid())}
    while more := {pid for pid, (parent, _) in found.items() if parent in family} - family:
        family |= more
    sizes = [found[pid][1] for pid in family]
    return sum(sum(size.values()) for size in sizes), sum(
        size.get(b"RssAnon:", 0) + size.get(b"RssShmem:", 0) for size in sizes
    )


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Watch:
    """Context manager that measures its block: ``peak_mb``, ``own_mb`` (highest samples), ``seconds``, ``cpu_seconds``.

    The CPU time of a child process is added when the process ends.
    """

    def __init__(self) -> None:
        self.peak_mb = self.own_mb = 0
        self.seconds = self.cpu_seconds = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while True:
            resident, own = _tree()
            self.peak_mb, self.own_mb = max(self.peak_mb, resident >> 10), max(self.own_mb, own >> 10)
            if self._stop.wait(_EVERY_SECONDS):
                return

    def figures(self) -> dict[str, float]:
        """The four figures, rounded."""
        return {
            "seconds": round(self.seconds, 2),
            "cpu_seconds": round(self.cpu_seconds, 2),
            "peak_mb": self.peak_mb,
            "own_mb": self.own_mb,
        }

    def __enter__(self) -> Watch:
        self._begun = time.monotonic(), _cpu()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
        self.seconds, self.cpu_seconds = time.monotonic() - self._begun[0], _cpu() - self._begun[1]
