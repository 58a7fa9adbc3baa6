"""Runs first in every Python process of a build that ``fault_run.py`` disturbs; see there for the kinds of faults."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

_RENAMES, _LAST, _SYNCED = (os.environ.get(f"WDW_FAULT_{name}") for name in ("RENAMES", "LAST", "SYNCED"))
_SLOW = float(os.environ.get("WDW_FAULT_SLOW", "0"))


def _append(path: str, content: bytes) -> int:
    """Append to a file that all processes share; its size afterwards."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        os.write(file, content)
        return os.lseek(file, 0, os.SEEK_CUR)
    finally:
        os.close(file)


def _stopping(rename: Any) -> Any:
    """A rename that counts itself, before and after; at the last count, all processes of the build end."""

    def counted(*args: Any, **kwargs: Any) -> Any:
        _count()
        done = rename(*args, **kwargs)
        if _LAST:
            _count()
        return done

    return counted


def _count() -> None:
    if _append(str(_RENAMES), b".") == int(_LAST or -1):
        os.killpg(os.getpgrp(), signal.SIGKILL)


def _noting(sync: Any) -> Any:
    """A sync that notes inode, size and time of change of what is then on the disk."""

    def noted(file: Any) -> Any:
        done = sync(file)
        status = os.fstat(file if isinstance(file, int) else file.fileno())
        _append(str(_SYNCED), f"{status.st_ino} {status.st_size} {status.st_mtime_ns}\n".encode())
        return done

    return noted


if _RENAMES:
    os.rename, os.replace = _stopping(os.rename), _stopping(os.replace)
if _SYNCED:
    os.fsync = _noting(os.fsync)
if _SLOW:
    _now = time.time
    time.time = lambda: _now() - _SLOW
