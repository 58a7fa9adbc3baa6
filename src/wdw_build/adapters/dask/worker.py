"""Runs a task in a worker process: the worker's checks, ticks for the driver's bar, and log records for the driver.

A task is sent pickled, so that dask does not look into it. Ticks and log records travel as events of the topic ``TOPIC``;
the driver recognises its own by the run's id.
"""

from __future__ import annotations

import functools
import logging
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from distributed import Worker, get_worker

from wdw_build.adapters.dask.joining import Session, check_worker
from wdw_build.core.run.accounting import last_read
from wdw_build.core.run.progress import printable
from wdw_build.core.run.ticks import listening
from wdw_build.core.run.workers import limit_threads

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
            self.send({"done": self.count})

    def log(self, record: logging.LogRecord) -> None:
        """Send a log record."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="seconds"),
            "worker": self._worker.address,
            "task": self._key.rpartition("-")[0],
            "record": printable(last_read()),
            "level": record.levelname,
            "message": printable(f"{record.name}: {record.getMessage()}"),
        }
        self.send({"log": line})

    def send(self, content: dict[str, Any]) -> None:
        """Send an event to the driver."""
        self._worker.log_event(TOPIC, {"run": self._run, "task": self._key, **content})


class _LogHandler(logging.Handler):
    """Sends warnings and errors that libraries log during a task to the driver, with the task and its last record."""

    def __init__(self, reporter: _Reporter) -> None:
        super().__init__(logging.WARNING)
        self._reporter = reporter

    def emit(self, record: logging.LogRecord) -> None:
        """Send a log record, unless dask itself logged it."""
        if not record.name.startswith(("distributed", "dask", "tornado", "bokeh")):
            self._reporter.log(record)


@contextmanager
def _logged(handler: logging.Handler) -> Iterator[None]:
    root = logging.getLogger()
    root.addHandler(handler)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.removeHandler(handler)


def run_task(session: bytes, key: str, pickled: bytes) -> tuple[Any, int]:
    """Run the task with this key in this worker; returns its result and the number of records that it counted."""
    limit_threads()
    worker, joined = get_worker(), _session(session)
    check_worker(joined, worker)
    reporter = _Reporter(worker, key, joined.run)
    with listening(reporter.tick), _logged(_LogHandler(reporter)):
        function, task = pickle.loads(pickled)  # noqa: S301 (the driver of this run wrote it)
        return function(task), reporter.count


@functools.lru_cache(1)
def _session(pickled: bytes) -> Session:
    session: Session = pickle.loads(pickled)  # noqa: S301 (the driver of this run wrote it)
    return session
