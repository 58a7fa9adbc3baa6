"""The errors of SQLite, as errors that say what to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wdw_build.errors import DamagedOutputError

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise ``DamagedOutputError`` or ``OSError`` in place of an error of SQLite on a file.

    The ``OSError`` is that of a full disk only if SQLite says so.
    """
    try:
        yield
    except sqlite3.Error as error:
        # The low byte of an extended code is the kind of error.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _DAMAGED:
            hint = "delete the file, and run the same command again: what it held is computed again"
            raise DamagedOutputError(f"{path}: {error}", hint=hint) from error
        raise OSError(errno.ENOSPC if code == sqlite3.SQLITE_FULL else errno.EIO, str(error), str(path)) from error
