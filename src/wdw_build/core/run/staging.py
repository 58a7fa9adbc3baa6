"""The folder of an output while its stage runs: a folder for each task of each step, and how far the run is."""

from __future__ import annotations

import contextlib
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from wdw_build.core.run.accounting import Tally
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.output import exclusive, lock_of, staging_folder

_RESULT = ".result"


@dataclass(frozen=True)
class Staging:
    """``folder`` has the tasks of a run and, at its end, the output. It pickles small."""

    folder: Path

    @property
    def tasks(self) -> Path:
        """The folder with the tasks of all steps."""
        return self.folder / ".tasks"

    @property
    def output(self) -> Path:
        """The folder in which the output is put together."""
        return self.folder / ".output"

    def step(self, step: str) -> Path:
        """The folder with the tasks of a step."""
        return self.tasks / step

    def begin_step(self, step: str, names: list[str]) -> None:
        """Store the names of a step's tasks in order, and delete what killed workers left of them.

        The folder may also hold shards of another size.
        """
        for path in self.step(step).glob(".*"):
            shutil.rmtree(path, ignore_errors=True)
        self.step(step).mkdir(parents=True, exist_ok=True)
        replace_file(self.tasks / f"{step}.json", msgspec.json.encode(names))

    def results(self, step: str) -> tuple[Path, ...]:
        """The folders of a step's tasks, in order: ``Context.results``."""
        names = msgspec.json.decode((self.tasks / f"{step}.json").read_bytes(), type=list[str])
        return tuple(self.step(step) / name for name in names)

    def unfinished(self, step: str) -> list[str]:
        """The names of the shards that workers were computing when they ended."""
        return sorted({path.name[1:].rpartition(".")[0] for path in self.step(step).glob(".*")})


def store_result(folder: Path, tally: Tally) -> None:
    """Write the counts of a task into its folder, as the last of its files."""
    (folder / _RESULT).write_bytes(msgspec.json.encode(tally))


def finished(folder: Path) -> Tally | None:
    """The counts of the task with this folder, if it is finished."""
    try:
        return msgspec.json.decode((folder / _RESULT).read_bytes(), type=Tally)
    except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


class RunStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a run that has not ended."""

    step: str
    """`run`, or a step before or after it."""
    done: int
    """Finished tasks of the step."""
    tasks: int
    """All tasks of the step."""
    seconds_ago: float
    """Seconds since a task was begun or finished."""
    is_alive: bool
    """Whether the process still runs."""


def read_status(root: Path, stage: str, fingerprint: str) -> RunStatus | None:
    """The state of the run that makes an output; None if none has begun. A run is alive while it holds the lock."""
    staging = Staging(staging_folder(root, stage, fingerprint))
    try:
        step = max(staging.tasks.glob("*.json"), key=lambda path: path.stat().st_mtime).stem
        folders = staging.results(step)
        seconds_ago = max(0.0, time.time() - staging.step(step).stat().st_mtime)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    is_alive = False
    with contextlib.suppress(OSError), exclusive(lock_of(root, stage, fingerprint)) as is_free:
        is_alive = not is_free
    done = sum(1 for folder in folders if folder.exists())
    return RunStatus(step=step, done=done, tasks=len(folders), seconds_ago=seconds_ago, is_alive=is_alive)
