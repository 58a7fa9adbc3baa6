"""Atomic output: files are written beside their place and moved there when they are complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wdw_build.core.store.output import commit
from wdw_build.errors import UsageError


def refuse_existing(path: Path, *, replace: bool) -> None:
    """Raise ``UsageError`` if ``path`` exists and may not be replaced."""
    if not replace and path.exists():
        raise UsageError(f"{path} already exists", hint="choose another --out, or replace it with --force")


def replace_file(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file by one rename. ``mode``: its permissions, less those that the process masks."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.unlink(missing_ok=True)
    # A new file: a link that somebody else put there is not followed.
    beside.touch(mode=mode, exist_ok=False)
    beside.write_bytes(content)
    beside.replace(path)


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
        for path in finished:
            _move(path, folder / path.name)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if is_new and not any(folder.iterdir()):
            folder.rmdir()


def _move(path: Path, final: Path) -> None:
    if path.is_file() and not final.is_dir():
        path.replace(final)
    else:
        commit(path, final)
