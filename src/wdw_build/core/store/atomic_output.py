"""Hand files over into a folder of the user's: made beside their place, moved there when they are whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wdw_build.core.store.output import commit
from wdw_build.errors import UsageError


def refuse_existing(path: Path, *, replace: bool) -> None:
    """Raise ``UsageError`` if something stands at ``path`` that may not be replaced."""
    if not replace and path.exists():
        raise UsageError(f"{path} is there already", hint="choose another --out, or replace it with --force")


@contextmanager
def atomic_output(folder: Path, *, replace: bool) -> Iterator[Path]:
    """A folder to write into; what stands in it at the end is moved into ``folder``, after an error nothing is.

    Raises ``UsageError`` if a file or folder of that name is there and may not be replaced.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    staging = folder / f".wdw-build-{os.getpid()}"
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    try:
        yield staging
        made = sorted(staging.iterdir())
        for path in made:
            refuse_existing(folder / path.name, replace=replace)
        for path in made:
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
