"""What a worker process does: it checks that it can run the tasks of a run, runs them, and tells how many records are done.

The checks compare threads, versions, and the store and the corpus at the same paths. The driver checks the workers that it
finds; a worker that joins later checks itself in its first task. A task is sent pickled, so that dask does not look into it.
The counts travel as events of the topic ``TOPIC``, with the id of the run.
"""

from __future__ import annotations

import functools
import glob
import hashlib
import pickle
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from distributed import Worker, get_worker

from wdw_build.core.engine.protocol import listening
from wdw_build.core.engine.worker_process import limit_threads
from wdw_build.core.installed import environment
from wdw_build.core.store.shared_files import appears
from wdw_build.errors import MissingResourceError, UsageError, WdwError

TOPIC = "wdw-build"
# A worker sends its ticks at most this often.
_SEND_SECONDS = 1.0
# A shared file system may show another host's new file only after some seconds (the attribute cache of NFS).
VISIBLE_SECONDS = 10.0
INSTALL = "install the same environment on every host, with the same versions of all packages, and restart the workers"
_SHARED = "every worker must see output_dir at the same path, on a shared file system, and be allowed to write there"
# The result of the checks by run, in a worker process.
_checked: dict[str, WdwError | None] = {}


@dataclass(frozen=True)
class Session:
    """What a worker must know of a run. ``run``: the run's id. ``folder``: a new folder in the store, with the probe."""

    run: str
    folder: Path
    corpus: str
    corpus_state: str
    versions: dict[str, str] = field(default_factory=environment)

    @property
    def probe(self) -> Path:
        """A file that contains ``run``."""
        return self.folder / "probe"

    def reply(self, worker: str) -> Path:
        """The file that the worker at an address writes."""
        return self.folder / hashlib.sha256(worker.encode()).hexdigest()[:16]


def check_replies(session: Session, workers: Sequence[str]) -> None:
    """Raise ``MissingResourceError`` unless the files that the workers wrote arrive here."""
    for worker in workers:
        if not appears(session.reply(worker), VISIBLE_SECONDS):
            raise MissingResourceError(
                f"what worker {worker} writes to {session.folder} does not arrive here", hint=_SHARED
            )


def state_of(corpus: str) -> str:
    """What is at a corpus path: a file with its size, a folder, or the number of files of a glob."""
    path = Path(corpus)
    if path.is_file():
        return f"a file of {path.stat().st_size} bytes"
    if path.is_dir():
        return "a folder"
    files = sum(1 for _ in glob.iglob(corpus, recursive=True))  # noqa: PTH207 (a Path cannot glob an absolute pattern)
    return f"{files} files" if files else "nothing"


def _check_worker(session: Session, worker: Worker) -> None:
    """Raise the error that ``problem_of`` finds. A process checks itself once for each run."""
    if session.run not in _checked:
        _checked[session.run] = problem_of(session, worker)
    error = _checked[session.run]
    if error is not None:
        raise error


def problem_of(session: Session, dask_worker: Worker) -> WdwError | None:
    """Why a worker cannot run this run's tasks, or None. ``Client.run`` passes the worker by the argument's name."""
    place = f"worker {dask_worker.address} on host {socket.gethostname()}"
    threads = dask_worker.state.nthreads
    if threads != 1:
        return UsageError(
            f"{place} runs {threads} tasks at a time; wdw-build needs one",
            hint="start it with: dask worker ... --nthreads 1 --nworkers N",
        )
    return _versions(session, place) or _store(session, dask_worker.address, place) or _corpus(session, place)


def _versions(session: Session, place: str) -> WdwError | None:
    here = environment()
    different = [
        f"{name} {here.get(name)} instead of {version}"
        for name, version in session.versions.items()
        if here.get(name) != version
    ]
    return MissingResourceError(f"{place} has {', '.join(different)}", hint=INSTALL) if different else None


def _store(session: Session, address: str, place: str) -> WdwError | None:
    try:
        appears(session.probe, VISIBLE_SECONDS)
        found = session.probe.read_text(encoding="utf-8")
        session.reply(address).write_text(session.run, encoding="utf-8")
    except OSError as error:
        return MissingResourceError(f"{place} cannot use the store: {error}", hint=_SHARED)
    if found != session.run:
        return MissingResourceError(f"{place} has another store at {session.folder.parent}", hint=_SHARED)
    return None


def _corpus(session: Session, place: str) -> WdwError | None:
    here = state_of(session.corpus)
    if here == session.corpus_state:
        return None
    return MissingResourceError(
        f"{place} finds {here} at {session.corpus} instead of {session.corpus_state}",
        hint="workers must see the corpus at the same path (corpus.path)",
    )


# ---- running tasks ---------------------------------------------------------------------------------------------------


class TaskCancelledError(BaseException):
    """The driver cancelled the task. Not an ``Exception``, so that no stage takes it for a failure of a record."""


class _Reporter:
    """Counts the records that a task has done, and sends the count to the driver."""

    def __init__(self, worker: Worker, key: str, run: str) -> None:
        self._worker, self._key, self._run = worker, key, run
        self.count = 0
        self._next = time.monotonic() + _SEND_SECONDS

    def tick(self, count: int) -> None:
        """Count records. Raises ``TaskCancelledError`` if the driver does not want the task any more."""
        self.count += count
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _SEND_SECONDS
            task = self._worker.state.tasks.get(self._key)
            if task is None or task.state == "cancelled":
                raise TaskCancelledError
            self._worker.log_event(TOPIC, {"run": self._run, "task": self._key, "done": self.count})


def run_task(session: bytes, key: str, pickled: bytes) -> tuple[Any, int]:
    """Run the task with this key in this worker; returns its result and the number of records that it counted."""
    limit_threads()
    worker, joined = get_worker(), _session(session)
    _check_worker(joined, worker)
    reporter = _Reporter(worker, key, joined.run)
    with listening(reporter.tick):
        function, task = pickle.loads(pickled)  # noqa: S301 (the driver of this run wrote it)
        return function(task), reporter.count


@functools.lru_cache(1)
def _session(pickled: bytes) -> Session:
    session: Session = pickle.loads(pickled)  # noqa: S301 (the driver of this run wrote it)
    return session
