"""Samples the peak memory of this process and its descendants; on systems other than Linux, of this process alone.

Worker processes share the models that their server loaded before it forked them. Each process therefore counts with its
proportional set size: a page that n processes share counts 1/n in each.
"""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from pathlib import Path

_EVERY_SECONDS = 0.25
# A sample takes some milliseconds a process; with many processes, the pauses are longer, so that samples cost little.
_PAUSE = 50.0


def _proportional_kb(pid: str) -> int:
    try:
        lines = Path("/proc", pid, "smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):  # another user's process, or one that has ended
        return 0


def _parent(pid: str) -> str:
    try:
        # The command name may hold spaces and parentheses: fields are counted after the last one.
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[1]
    except (OSError, IndexError):
        return ""


def tree_kb() -> int:
    """Memory of this process and its descendants in kB."""
    if not Path("/proc/self/smaps_rollup").exists():
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak // 1024 if sys.platform == "darwin" else peak
    parents = {entry.name: _parent(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    family = {str(os.getpid())}
    grew = True
    while grew:
        children = {pid for pid, parent in parents.items() if parent in family} - family
        family |= children
        grew = bool(children)
    return sum(_proportional_kb(pid) for pid in family)


class PeakMemory:
    """Samples memory while the context is open; ``mb`` is the highest sample."""

    def __init__(self) -> None:
        self._peak_kb = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        pause = _EVERY_SECONDS
        while not self._stop.wait(pause):
            begun = time.thread_time()
            self._peak_kb = max(self._peak_kb, tree_kb())
            pause = max(_EVERY_SECONDS, _PAUSE * (time.thread_time() - begun))

    @property
    def mb(self) -> int:
        """The peak so far, in MB."""
        return self._peak_kb // 1024

    def __enter__(self) -> PeakMemory:
        self._peak_kb = tree_kb()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._peak_kb = max(self._peak_kb, tree_kb())
