"""Finds and deletes what no run of a store links to: outputs, and what stopped runs have left behind.

What a run links to is never deleted, nor what a process works on. Annotations, and the systems that were trained for
``bench``, are kept: other runs may find them again by content.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from wdw_build.core.store.lock import exclusive

Kind = Literal["output", "staging", "remains"]
_OUTPUT = re.compile(r"[0-9a-f]{16}")
_STAGING = re.compile(r"\.([0-9a-f]{16})\.staging")
_REMAINS = re.compile(r"\.([0-9a-f]{16})\.(?:old|unused)-\d+")
_DAY = 86400.0


class Unused(msgspec.Struct, frozen=True):
    """A folder that nothing needs.

    ``kind``: an output that no run links to, the finished shards of a stopped run, or the remains of a deletion that was
    stopped. ``days``: since it was last changed.
    """

    path: str
    stage: str
    fingerprint: str
    kind: Kind
    bytes: int
    days: float


def find_unused(root: Path, keep_days: int) -> list[Unused]:
    """The unused folders of ``root/store`` that were not changed for ``keep_days``, by stage and name.

    Raises ``UsageError`` on a file system without locks.
    """
    linked = _linked(root)
    return [found for found in _folders(root) if found.days >= keep_days and _is_free(root, found, linked)]


def delete(root: Path, unused: Unused) -> bool:
    """Delete a folder; false if a run links to it by now, or a process works on it."""
    path = root / unused.path
    with exclusive(_lock(path, unused.fingerprint)) as is_alone:
        if not is_alone or not path.is_dir() or path.resolve() in _linked(root):
            return False
        aside = path.with_name(f".{unused.fingerprint}.unused-{os.getpid()}")
        path.rename(aside)
        if path.resolve() in _linked(root):
            # A run has linked to the output since the last look.
            aside.rename(path)
            return False
        shutil.rmtree(aside)
    return True


def _folders(root: Path) -> Iterator[Unused]:
    for stage in sorted(path for path in (root / "store").glob("*") if path.is_dir()):
        for path in sorted(stage.iterdir()):
            kind, fingerprint = _kind(path)
            if kind and path.is_dir() and not path.is_symlink():
                age = (time.time() - path.stat().st_mtime) / _DAY
                name = path.relative_to(root).as_posix()
                yield Unused(name, stage.name, fingerprint, kind, _size(path), round(max(age, 0.0), 1))


def _kind(path: Path) -> tuple[Kind | None, str]:
    """What a folder of a stage is, and its fingerprint; None for folders of another kind, which are kept."""
    if _OUTPUT.fullmatch(path.name):
        return "output" if (path / "manifest.json").exists() else None, path.name
    if match := _STAGING.fullmatch(path.name):
        return "staging", match[1]
    if match := _REMAINS.fullmatch(path.name):
        return "remains", match[1]
    return None, ""


def _linked(root: Path) -> set[Path]:
    """The outputs that the runs link to."""
    return {link.resolve() for link in (root / "runs").glob("*/*") if link.is_symlink()}


def _is_free(root: Path, found: Unused, linked: set[Path]) -> bool:
    path = root / found.path
    if path.resolve() in linked:
        return False
    with exclusive(_lock(path, found.fingerprint)) as is_alone:
        return is_alone


def _lock(path: Path, fingerprint: str) -> Path:
    return path.with_name(f".{fingerprint}.lock")


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
