"""Atomic output: files are written beside their place and moved there when they are complete and on the disk.

A rename may reach the disk before the bytes of the renamed file. After a power failure, a file would then have its final
name but not its content. Files and folders are therefore synchronized (``fsync``) before the rename that declares them done.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wdw_build.errors import UsageError


def refuse_existing(path: Path, *, replace: bool) -> None:
    """Raise ``UsageError`` if ``path`` exists and may not be replaced."""
    if not replace and path.exists():
        raise UsageError(f"{path} already exists", hint="choose another --out, or replace it with --force")


# A file system without synchronization of folders says so with one of these errors.
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP}


def sync(path: Path) -> None:
    """Wait until the disk has the content of a file, or the names in a folder."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC or not path.is_dir():
            raise
    finally:
        os.close(file)


def sync_tree(folder: Path) -> None:
    """Wait until the disk has a folder with all files and folders below it."""
    for parent, _, names in os.walk(folder, topdown=False):
        for name in names:
            path = Path(parent, name)
            if not path.is_symlink():
                sync(path)
        sync(Path(parent))


def replace_file(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file by one rename, and wait until the disk has it.

    ``mode``: its permissions, less those that the process masks.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.unlink(missing_ok=True)
    # A new file: a link that somebody else put there is not followed.
    beside.touch(mode=mode, exist_ok=False)
    beside.write_bytes(content)
    sync(beside)
    beside.replace(path)
    sync(path.parent)


def commit(staging: Path, final: Path) -> None:
    """Rename a finished folder to its final name, once the disk has it. An older one of that name is replaced."""
    sync_tree(staging)
    _move(staging, final)


def _move(path: Path, final: Path) -> None:
    """Rename a file or folder, and delete what had its new name."""
    old = final.with_name(f".{final.name}.old-{os.getpid()}")
    if final.exists():
        final.rename(old)
    path.rename(final)
    sync(final.parent)
    if old.is_dir():
        shutil.rmtree(old, ignore_errors=True)
    else:
        old.unlink(missing_ok=True)


def discard(folder: Path) -> None:
    """Delete a folder, of which no half is ever seen under its name."""
    # A name that ``unused`` finds if the deletion is stopped.
    aside = folder.with_name(f".{folder.name.strip('.').partition('.')[0]}.unused-{os.getpid()}")
    folder.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def atomic_output(folder: Path, *, replace: bool) -> Iterator[Path]:
    """Yield a staging folder; at the end, move its contents into ``folder``. After an error, delete them instead.

    Raises ``UsageError`` if a file or folder of the same name exists and may not be replaced.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    staging = folder / f".wdw-build-{os.getpid()}"
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    try:
        yield staging
        finished = sorted(staging.iterdir())
        for path in finished:
            refuse_existing(folder / path.name, replace=replace)
        sync_tree(staging)
        for path in finished:
            _move(path, folder / path.name)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if is_new and not any(folder.iterdir()):
            folder.rmdir()
