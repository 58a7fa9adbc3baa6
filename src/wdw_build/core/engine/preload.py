"""Imported by the fork server of ``multiprocessing``: loads what the workers that are forked from it share.

A fork copies neither threads nor a JVM or a GPU context, so what is loaded must have none of them.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import sys
from pathlib import Path

from wdw_build.core.engine.worker_process import limit_threads

# Names a file with the pickled function that loads.
VARIABLE = "WDW_BUILD_PRELOAD"


def _load(path: Path) -> None:
    limit_threads()
    # A worker that needs what cannot be loaded raises the error in its task.
    with contextlib.suppress(Exception):
        sys.path[:], prepare = pickle.loads(path.read_bytes())  # noqa: S301 (from the command that started this process)
        pickle.loads(prepare)()  # noqa: S301 (the same)
    # The garbage collector would write into the shared memory, and so copy it.
    gc.collect()
    gc.freeze()


# Taken out, so that no process that a worker starts loads it again.
if name := os.environ.pop(VARIABLE, ""):
    _load(Path(name))
