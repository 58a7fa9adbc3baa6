"""The state of a stage that runs, as a small file in its staging folder, for ``status``."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.lock import exclusive
from wdw_build.core.store.output import lock_of, staging_folder
from wdw_build.errors import UsageError

_FILE = ".running.json"


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """What a run of a stage says about itself."""

    host: str
    """The machine of the process that plans and commits."""
    pid: int
    """Its process id."""
    engine: str
    """Where the tasks are computed."""
    step: str = ""
    """`run`, or a step before or after it."""
    done: int = 0
    """Finished tasks of the step."""
    tasks: int = 0
    """All tasks of the step."""
    begun: float
    """When the run of the stage began, in seconds since 1970."""
    ended: str = ""
    """Why it stopped, if it could say so."""


class LiveState:
    """Writes the state of a stage into its staging folder after each step and each task."""

    def __init__(self, staging: Path, engine: str) -> None:
        self._path = staging / _FILE
        self._state = Running(host=socket.gethostname(), pid=os.getpid(), engine=engine, begun=time.time())

    def step(self, name: str, tasks: int, done: int) -> None:
        """Begin a step."""
        self._write(step=name, tasks=tasks, done=done)

    def task_done(self) -> None:
        """Count one more finished task of the step."""
        self._write(done=self._state.done + 1)

    def _write(self, **changes: object) -> None:
        self._state = msgspec.structs.replace(self._state, **changes)
        # A full disk must not end a run here: the tasks find out themselves.
        with contextlib.suppress(OSError):
            replace_file(self._path, msgspec.json.encode(self._state), durable=False)

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """If the block raises an exception, show why the run stopped."""
        try:
            yield
        except BaseException as error:
            self._write(ended=type(error).__name__)
            raise


class RunStatus(msgspec.Struct, frozen=True):
    """The last state of a run that has not ended, the seconds since it was written, and whether the run is alive."""

    state: Running
    seconds_ago: float
    is_alive: bool


def read_status(root: Path, stage: str, fingerprint: str) -> RunStatus | None:
    """What the run that makes an output says; None if none has begun. A run is alive while it holds the lock."""
    path = staging_folder(root, stage, fingerprint) / _FILE
    try:
        state = msgspec.json.decode(path.read_bytes(), type=Running)
        seconds_ago = max(0.0, time.time() - path.stat().st_mtime)
    except (OSError, msgspec.MsgspecError):
        return None
    with contextlib.suppress(OSError, UsageError), exclusive(lock_of(root, stage, fingerprint)) as is_free:
        return RunStatus(state, seconds_ago, not is_free)
    return RunStatus(state, seconds_ago, is_alive=False)
