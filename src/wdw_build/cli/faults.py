"""What an error of the operating system means for the command that it stopped."""

from __future__ import annotations

import argparse
import errno
import os
from pathlib import Path

from wdw_build.errors import FULL_DISK, READ_ONLY, WdwError

_HINTS = {
    errno.ENOENT: "check that the path exists",
    errno.ENOTDIR: "a part of that path is a file, and not a folder",
    errno.EISDIR: "name a file: that path is a folder",
    errno.EACCES: "check the permissions of that path",
    errno.EPERM: "check the permissions of that path",
    errno.EROFS: "that disk is read-only",
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "allow more open files (ulimit -n)",
    errno.ENOMEM: "set fewer execution.workers, or use a machine with more memory",
    errno.EADDRINUSE: "give another --port",
}


def explained(error: OSError, options: argparse.Namespace | None) -> WdwError:
    """The error with the file, and with what to do about it. ``options`` are those of the command, if it was parsed."""
    what, number = error.strerror or str(error) or type(error).__name__, error.errno or 0
    output = _output_dir(options)
    path = Path.cwd() / os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else None
    if path is None and number in FULL_DISK and output:
        # An error of a write, unlike one of an open, does not name its file.
        path = output
    message = f"{what}: {path}" if path else what
    hint = _HINTS.get(number, "")
    if number in FULL_DISK:
        hint = "make room on that disk, or raise the limit of file sizes; the same command resumes from finished shards"
    elif output and path and path.is_relative_to(output):
        hint = f"check output_dir ({output}): your rights to it, and the space on its disk"
        if number in READ_ONLY:
            elsewhere = "give another place with -o" if hasattr(options, "out") else "set another one"
            hint = f"check output_dir ({output}): you need the permissions to read and write it; or {elsewhere}"
    return WdwError(message, hint=hint)


def _output_dir(options: argparse.Namespace | None) -> Path | None:
    """The ``output_dir`` of the command's configuration; None if there is none, or if it cannot be read."""
    from wdw_build.core.config_file import load_config
    from wdw_build.dataset.run import stored_config

    if options is None or not hasattr(options, "config"):
        return None
    try:
        return Path(load_config(stored_config(options.config), options.overrides).output_dir)
    except (WdwError, OSError):
        return None
