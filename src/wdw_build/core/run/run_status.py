"""The state of a stage that runs, as a small file in its staging folder, for ``status`` from any machine."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from wdw_build.core.store.atomic_output import replace_file

_FILE = ".running.json"
_EVERY_SECONDS = 2.0
# Without a sign of life for so long, the run has ended without saying so.
SILENT_SECONDS = 30.0


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """What a run of a stage says about itself."""

    host: str
    """The machine of the process that plans and commits."""
    pid: int
    """Its process id."""
    engine: str
    """Where the tasks are computed, with the link to the scheduler's dashboard if there is one."""
    step: str
    """`run`, or a step before or after it."""
    done: int
    """Finished tasks of the step."""
    tasks: int
    """All tasks of the step."""
    begun: float
    """When the run of the stage began, in seconds since 1970."""
    ended: str = ""
    """Why it stopped, if it could say so."""
    in_process: bool = False
    """Whether it computes the tasks itself, without worker processes."""


class LiveState:
    """Writes the state of a stage into its staging folder every two seconds, and after each change of step."""

    def __init__(self, staging: Path, engine: str, *, in_process: bool = False) -> None:
        self._path = staging / _FILE
        self._state = Running(
            host=socket.gethostname(),
            pid=os.getpid(),
            engine=engine,
            step="",
            done=0,
            tasks=0,
            begun=time.time(),
            in_process=in_process,
        )
        self._stop = threading.Event()
        self._writing = threading.Lock()

    def step(self, name: str, tasks: int, done: int) -> None:
        """Begin a step."""
        self._state = msgspec.structs.replace(self._state, step=name, tasks=tasks, done=done)
        self._write()

    def task_done(self) -> None:
        """Count one more finished task of the step."""
        self._state = msgspec.structs.replace(self._state, done=self._state.done + 1)

    def _write(self) -> None:
        # A full disk or an absent file server must not end a run: the tasks find out themselves.
        with self._writing, contextlib.suppress(OSError):
            replace_file(self._path, msgspec.json.encode(self._state), durable=False)

    def _beat(self) -> None:
        while not self._stop.wait(_EVERY_SECONDS):
            self._write()

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Show the state while the block runs; afterwards, if it raised an exception, why the run stopped."""
        thread = threading.Thread(target=self._beat, daemon=True)
        thread.start()
        try:
            yield
        except BaseException as error:
            self._state = msgspec.structs.replace(self._state, ended=type(error).__name__)
            raise
        finally:
            self._stop.set()
            thread.join()
            self._write()


class RunStatus(msgspec.Struct, frozen=True):
    """The last state of a run that has not ended, and the seconds since it was written."""

    state: Running
    seconds_ago: float

    @property
    def is_alive(self) -> bool:
        """Whether the run has shown a sign of life lately and has not said that it stopped."""
        return not self.state.ended and self.seconds_ago < SILENT_SECONDS


def read_status(staging: Path) -> RunStatus | None:
    """What the run in a staging folder says; None if none has begun there, or an earlier version ran."""
    path = staging / _FILE
    try:
        state = msgspec.json.decode(path.read_bytes(), type=Running)
        return RunStatus(state, max(0.0, time.time() - path.stat().st_mtime))
    except (OSError, msgspec.MsgspecError):
        return None
