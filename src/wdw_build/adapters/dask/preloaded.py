"""Imported by the server from which multiprocessing forks dask's workers on one machine: loads what they share.

As in ``core.engine.worker_process``, the workers share the memory of what the server loaded before it forked them.
"""

from __future__ import annotations

import base64
import functools
import multiprocessing
import os
import pickle
from collections.abc import Callable
from multiprocessing.forkserver import ensure_running

import dask

from wdw_build.core.caller import environment_kept, main_hidden, signals_held
from wdw_build.core.engine.worker_process import limit_threads, load_shared

# Holds the pickled function that loads what workers share.
_VARIABLE = "WDW_BUILD_DASK_PREPARE"
# Settings of dask by which its nannies fork workers from the server of multiprocessing. The workers need no profile of the
# code that they run.
FORKED = {"distributed.worker.multiprocessing-method": "forkserver", "distributed.worker.profile.enabled": False}


def start_server(prepare: Callable[[], None]) -> None:
    """Start the server, which calls ``prepare`` while this process goes on. Workers that are asked for meanwhile wait.

    multiprocessing has one such server in each process: one that runs already stays as it is.
    """
    multiprocessing.set_forkserver_preload([__name__])
    with environment_kept(), main_hidden(), signals_held():
        os.environ[_VARIABLE] = base64.b64encode(pickle.dumps(prepare)).decode()
        ensure_running()


def fork_workers(prepare: Callable[[], None]) -> None:
    """Start the server in a process of nannies, which fork all further workers from it.

    Call it before the first worker starts: later, the server would inherit dask's ``MALLOC_TRIM_THRESHOLD_``, with which models
    need a tenth more CPU time.
    """
    dask.config.set(FORKED)
    # Dask sets the same seed for the workers that it starts itself: workers of all hosts hash a text alike.
    os.environ.setdefault("PYTHONHASHSEED", "6640")
    start_server(prepare)


def _prepare(pickled: str) -> None:
    import distributed  # noqa: F401 (each worker would import it)

    pickle.loads(base64.b64decode(pickled))()  # noqa: S301 (this package wrote it)


# Taken out, so that no process that a worker starts loads it again.
if pickled := os.environ.pop(_VARIABLE, ""):
    limit_threads()
    load_shared(functools.partial(_prepare, pickled))
