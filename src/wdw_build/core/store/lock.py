"""Locks of files, which processes on one machine and, on most network file systems, on several machines respect."""

from __future__ import annotations

import contextlib
import errno
import fcntl
from collections.abc import Iterator
from pathlib import Path

from wdw_build.errors import UsageError

_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[bool]:
    """Hold the lock of a file; false if another process holds it.

    Raises ``UsageError`` on a file system without locks: two processes would write into one folder without noticing.
    """
    with path.open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
            raise UsageError(
                f"the file system of {path.parent} has no file locks: {error.strerror}",
                hint="set output_dir to a folder on another file system, or have this one mounted with locks (Lustre: -o flock)",
            ) from error
        yield True
