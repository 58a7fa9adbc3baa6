"""Imported by the server from which multiprocessing forks dask's workers on this machine: loads what they share.

As in ``core.engine.worker_process``, the workers share the memory of what the server loaded before it forked them.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
from collections.abc import Callable
from multiprocessing.forkserver import ensure_running
from pathlib import Path

from wdw_build.core.caller import environment_kept, main_hidden, signals_held
from wdw_build.core.engine.worker_process import limit_threads, load_shared

# Names the file with the pickled function that loads what workers share.
_VARIABLE = "WDW_BUILD_DASK_PREPARE"
# The setting of dask by which its nannies fork workers from the server of multiprocessing.
FORKED = {"distributed.worker.multiprocessing-method": "forkserver"}


def start_server(prepare: Callable[[], None], folder: Path) -> None:
    """Start the server, which calls ``prepare`` while this process goes on. Workers that are asked for meanwhile wait.

    multiprocessing has one such server in each process: one that runs already stays as it is.
    """
    path = folder / "prepare"
    path.write_bytes(pickle.dumps(prepare))
    multiprocessing.set_forkserver_preload([__name__])
    with environment_kept(), main_hidden(), signals_held():
        os.environ[_VARIABLE] = str(path)
        ensure_running()


def _prepare() -> None:
    import distributed  # noqa: F401 (each worker would import it)

    pickle.loads(Path(os.environ[_VARIABLE]).read_bytes())()  # noqa: S301 (this package wrote it)


if _VARIABLE in os.environ:
    limit_threads()
    load_shared(_prepare)
