"""Peak memory of this process and its descendants: all that is resident, and what is their own (Linux).

Resident memory counts pages of mapped files (Lucene's index), which the system takes back when it needs room; a process's own
memory (anonymous and shared) is what must be there.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType

_EVERY_SECONDS = 0.25
_KEYS = (b"RssAnon:", b"RssFile:", b"RssShmem:")


def _status(pid: str) -> tuple[str, dict[bytes, int]]:
    """(the parent, kB by kind) of a process; nothing if it has ended."""
    try:
        lines = Path("/proc", pid, "status").read_bytes().splitlines()
    except OSError:
        return "", {}
    fields = dict(line.split(b"\t", 1) for line in lines if b"\t" in line)
    return fields[b"PPid:"].decode(), {key: int(fields[key].split()[0]) for key in _KEYS if key in fields}


def _tree() -> tuple[int, int]:
    """(resident kB, own kB) of this process and its descendants, now."""
    found = {entry.name: _status(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    family = {str(os.getpid())}
    while more := {pid for pid, (parent, _) in found.items() if parent in family} - family:
        family |= more
    sizes = [found[pid][1] for pid in family]
    return sum(sum(size.values()) for size in sizes), sum(
        size.get(b"RssAnon:", 0) + size.get(b"RssShmem:", 0) for size in sizes
    )


class Watch:
    """Context manager; ``peak_mb`` and ``own_mb`` are the highest samples."""

    def __init__(self) -> None:
        self.peak_mb = self.own_mb = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while True:
            resident, own = _tree()
            self.peak_mb, self.own_mb = max(self.peak_mb, resident >> 10), max(self.own_mb, own >> 10)
            if self._stop.wait(_EVERY_SECONDS):
                return

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
