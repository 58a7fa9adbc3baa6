"""Files in folders that processes on several machines share: waiting for a new file, and locks.

A network file system (NFS) keeps attributes and names for up to a minute, also the fact that a name does not exist.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from wdw_build.errors import StageError, UsageError

# A network file system may show a new file this late.
_VISIBLE_SECONDS = 60.0
_POLL_SECONDS = 0.1
# Folders above a file that are opened: that of a task, that of its step, and that of all steps.
_FOLDERS_ABOVE = 3
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}


def appears(path: Path, seconds: float = _VISIBLE_SECONDS) -> bool:
    """Whether a file or folder exists. Waits some seconds for one that another machine has just published."""
    end = time.monotonic() + seconds
    while not path.exists():
        if time.monotonic() > end:
            return False
        for folder in reversed(path.parents[:_FOLDERS_ABOVE]):
            # Opening a folder makes a network file system look for changes in it.
            with contextlib.suppress(OSError):
                os.close(os.open(folder, os.O_RDONLY))
        if path.exists():
            break
        time.sleep(_POLL_SECONDS)
    return True


def wait_for(path: Path) -> None:
    """Wait for a file or folder that another machine has just published. Raises ``StageError`` if it does not appear."""
    if not appears(path):
        raise StageError(f"{path} does not appear", hint="check that all workers share the folder of the store")


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
