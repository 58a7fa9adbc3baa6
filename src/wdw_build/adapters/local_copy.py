"""Copies folders of the shared store to a local disk, once for each host."""

from __future__ import annotations

import fcntl
import os
import shutil
import warnings
from pathlib import Path


def local_copy(folder: Path, local: Path) -> Path:
    """The copy of a finished output's folder below ``local``; makes it if this host has none.

    Other processes of the host wait for the one that copies. ``folder`` must be in a folder that a fingerprint names (such
    as ``store/index/<fingerprint>/lucene``): equal fingerprints have equal content, so the copy serves other runs, too.
    Returns ``folder`` itself, with a warning, if ``local`` has no space.
    """
    resolved = folder.resolve()
    copy = local / f"wdw-build-{os.getuid()}" / resolved.parent.name / resolved.name
    if copy.exists():
        return copy
    copy.parent.mkdir(parents=True, exist_ok=True)
    with (copy.parent / f".{copy.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not copy.exists():
            unfinished = copy.with_name(f".{copy.name}.unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            try:
                shutil.copytree(resolved, unfinished)
            except OSError as error:
                shutil.rmtree(unfinished, ignore_errors=True)
                what = f"cannot copy {folder} to {local}, so it is read where it is: {error}"
                warnings.warn(what, RuntimeWarning, stacklevel=2)
                return folder
            unfinished.rename(copy)
    return copy
