"""Runs a task in a worker process, and tells the driver how many records are done.

A task is sent pickled, so that dask does not look into it. The counts travel as events of the topic ``TOPIC``, with the id
of the run.
"""

from __future__ import annotations

import functools
import pickle
import time
from typing import Any

from distributed import Worker, get_worker

from wdw_build.adapters.dask.joining import Session, check_worker
from wdw_build.core.engine.protocol import listening
from wdw_build.core.engine.worker_process import limit_threads

TOPIC = "wdw-build"
# A worker sends its ticks at most this often.
_SEND_SECONDS = 1.0


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
    check_worker(joined, worker)
    reporter = _Reporter(worker, key, joined.run)
    with listening(reporter.tick):
        function, task = pickle.loads(pickled)  # noqa: S301 (the driver of this run wrote it)
        return function(task), reporter.count


@functools.lru_cache(1)
def _session(pickled: bytes) -> Session:
    session: Session = pickle.loads(pickled)  # noqa: S301 (the driver of this run wrote it)
    return session
