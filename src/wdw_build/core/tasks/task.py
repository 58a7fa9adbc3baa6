"""Tasks: pieces of work, each with a folder of its own that one rename publishes.

The folder of a finished task exists and holds the task's result, so a task is never computed twice unless two workers do it
at the same time; then the first rename wins and the other folder is deleted. This works on any engine, after any crash, and
on a file system that several machines share.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from wdw_build.errors import StageError

R = TypeVar("R", covariant=True)
S = TypeVar("S")

_RESULT = ".result"
_NOT_EMPTY = {errno.ENOTEMPTY, errno.EEXIST}


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
    """The result of a finished task; None if the task is not finished."""
    try:
        stored = (task.folder / _RESULT).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    result: S = msgspec.json.decode(stored, type=task.result_type)
    return result


def perform(task: Task[S]) -> S:
    """Do a task unless it is done, and return its result, which is that of the published folder."""
    done = result_of(task)
    if done is not None:
        return done
    with _published(task.folder) as folder:
        result = task.work(folder)
        (folder / _RESULT).write_bytes(msgspec.json.encode(result))
    # Another worker may have been first, with a model on another device.
    published = result_of(task)
    return result if published is None else published


def private_name(name: str) -> str:
    """A hidden name beside ``name`` that no other process on any machine uses."""
    return f".{name}.{socket.gethostname()}.{os.getpid()}.{uuid.uuid4().hex[:8]}"


@contextlib.contextmanager
def _published(final: Path) -> Iterator[Path]:
    """Yield an empty folder; at the end, rename it to ``final``, or delete it if another worker was first."""
    folder = final.with_name(private_name(final.name))
    folder.mkdir(parents=True)
    try:
        yield folder
        try:
            folder.rename(final)
        except OSError as error:
            # A folder that is not empty cannot be replaced: another worker published it.
            if error.errno not in _NOT_EMPTY and not (final / _RESULT).exists():
                raise StageError(
                    f"cannot move {folder} to {final}: {error}",
                    hint="is the folder of the store writable, and shared by all workers?",
                ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_unfinished(folder: Path) -> None:
    """Delete the private folders that killed workers left in ``folder``."""
    for path in folder.glob(".*") if folder.exists() else ():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
