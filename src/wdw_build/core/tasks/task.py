"""Tasks: pieces of work, each with a folder of its own that one rename publishes.

The folder of a finished task exists and holds the task's result, so a task is never computed twice unless two workers do it
at the same time; then the first rename wins and the other folder is deleted. The disk has all files of a task before its
folder is renamed, so a power failure leaves the whole task or none. This works on any engine, and on a file system that
several machines share.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import socket
import uuid
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from wdw_build.core.store.atomic_output import sync, sync_tree
from wdw_build.core.store.shared_files import appears
from wdw_build.errors import StageError

R = TypeVar("R", covariant=True)
S = TypeVar("S")

_RESULT = ".result"
_NOT_EMPTY = {errno.ENOTEMPTY, errno.EEXIST}
_TRIES = 3
# A network file system may show the result of another machine a moment after its folder.
_RESULT_SECONDS = 1.0


class Task(Protocol[R]):
    """A piece of work. It pickles small; ``work`` writes files into a folder and returns a small result."""

    @property
    def folder(self) -> Path:
        """The folder that is published."""
        ...

    @property
    def result_type(self) -> type[R]:
        """The type of the result, which is stored as JSON."""
        ...

    def work(self, folder: Path) -> R:
        """Do the work in an empty folder."""
        ...


def result_of(task: Task[S]) -> S | None:
    """The result of a finished task; None if the task is not finished, or if its result cannot be decoded."""
    try:
        result: S = msgspec.json.decode((task.folder / _RESULT).read_bytes(), type=task.result_type)
        return result
    except (FileNotFoundError, NotADirectoryError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def perform(task: Task[S]) -> S:
    """Do a task unless it is done, and return its result, which is that of the published folder."""
    done = result_of(task)
    if done is not None:
        return done
    folder = task.folder.with_name(private_name(task.folder.name))
    folder.mkdir(parents=True)
    try:
        result = task.work(folder)
        (folder / _RESULT).write_bytes(msgspec.json.encode(result))
        sync_tree(folder)
        _publish(folder, task)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    # Another worker may have been first, with a model on another device.
    published = result_of(task)
    return result if published is None else published


def private_name(name: str) -> str:
    """A hidden name beside ``name`` that no other process on any machine uses."""
    return f".{name}.{socket.gethostname()}.{os.getpid()}.{uuid.uuid4().hex[:8]}"


def _publish(folder: Path, task: Task[object]) -> None:
    """Rename ``folder`` to the folder of the task, unless another worker was first. Raises ``StageError`` if that fails."""
    final = task.folder
    for _ in range(_TRIES):
        try:
            folder.rename(final)
            sync(final.parent)
            return
        except OSError as error:
            if appears(final / _RESULT, _RESULT_SECONDS) and result_of(task) is not None:
                return
            if error.errno not in _NOT_EMPTY:
                raise StageError(
                    f"cannot move {folder} to {final}: {error}",
                    hint="check that the folder of the store is writable and shared by all workers",
                ) from error
        _remove_without_result(final)
    raise StageError(
        f"cannot move {folder} to {final}, which has no result", hint="delete it, and run the command again"
    )


def _remove_without_result(folder: Path) -> None:
    """Delete a folder that no worker can have published: a folder with a result appears by one rename."""
    aside = folder.with_name(private_name(folder.name))
    with contextlib.suppress(FileNotFoundError):
        folder.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)


def remove_unfinished(folder: Path) -> None:
    """Delete the private folders that killed workers left in ``folder``."""
    for path in folder.glob(".*") if folder.exists() else ():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
