"""Files and folders of a study that only the user who makes them can read: keys, answers, and hashes of passphrases."""

from __future__ import annotations

import contextlib
from pathlib import Path

from wdw_build.core.store.atomic_output import replace_file

_FOLDER_MODE, FILE_MODE = 0o700, 0o600


def private_folder(folder: Path) -> None:
    """Make a folder with mode 0700, with the folders that contain it. A folder that exists stays as it is."""
    folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)


def write_private(path: Path, content: bytes) -> None:
    """Write a file with mode 0600 by one rename."""
    replace_file(path, content, mode=FILE_MODE)


def make_private(folder: Path) -> None:
    """Give a folder mode 0700 and all files in it mode 0600, except those of another user."""
    for path in (folder, *folder.rglob("*")):
        with contextlib.suppress(OSError):
            if not path.is_symlink():
                path.chmod(_FOLDER_MODE if path.is_dir() else FILE_MODE)
