"""``Engine`` on dask.distributed: each task is one dask task; results come back in the order of the tasks.

Dask runs the tasks of a dead worker again on other workers, and gives up after some deaths; this engine then submits the
task some more times, because other tasks may have killed the workers. After the loss of a scheduler, the engine waits for
it and submits what was not finished. A finished task that runs again finds its folder and returns at once.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import secrets
import shutil
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar

from distributed import CancelledError, Client, Future, KilledWorker

from wdw_build.adapters.dask.cluster import Cluster, Say, WorkerTimeouts
from wdw_build.adapters.dask.worker import INSTALL, TOPIC, Session, check_replies, problem_of, run_task, state_of
from wdw_build.core.config.execution_settings import DaskConfig
from wdw_build.errors import ConfigError, MissingResourceError, StageError

T = TypeVar("T")
U = TypeVar("U")

# Submitted tasks for each worker: the running one, and some that wait on the scheduler or at the worker.
_TASKS_PER_WORKER = 3
# How often a task is submitted again after dask gave it up.
_RESUBMISSIONS = 3
_POLL_SECONDS = 0.2
_RESULT_SECONDS = 10.0
# The scheduler is asked for its workers this often.
_LOOK_SECONDS = 2.0


class DaskEngine:
    """``Engine`` on a dask cluster. ``store`` and ``corpus`` are the paths that every worker must see."""

    is_local = False

    def __init__(self, settings: DaskConfig, workers: int, store: Path, corpus: str, say: Say) -> None:
        if corpus == "-":
            raise ConfigError(
                "corpus.path is -, and the workers of execution.engine: dask cannot read standard input",
                hint="save the corpus in a file that the workers see, or set execution.engine: local",
            )
        self._settings, self._folder, self._corpus, self._say = settings, store, corpus, say
        self._events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._cluster = Cluster(settings, workers, say, self._subscribe)
        self._patience = WorkerTimeouts(settings.wait_seconds, say)
        self._session: Session | None = None
        self._looked, self._resource, self._workers = 0.0, "", 0

    @property
    def workers(self) -> int:
        """See ``Engine.workers``."""
        return max(1, len(self._cluster.workers()))

    @property
    def description(self) -> str:
        """See ``Engine.description``."""
        return self._cluster.description

    def start(self, prepare: Callable[[], None] | None = None) -> None:
        """See ``Engine.start``. The workers of a joined cluster run already."""
        if prepare is not None:
            self._cluster.share(prepare)

    def retire(self) -> None:
        """See ``Engine.retire``. A new worker would load everything again."""

    def map(
        self,
        function: Callable[[T], U],
        tasks: Iterable[T],
        on_tick: Callable[[int], None] | None = None,
        resources: Sequence[str] = (),
    ) -> Iterator[U]:
        """See ``Engine.map``."""
        resource = self._settings.gpu_resource if resources else ""
        batch = _Batch(function, list(tasks), on_tick or (lambda _: None), {resource: 1} if resource else {})
        session = pickle.dumps(self._joined(resource))
        try:
            for number in range(len(batch.tasks)):
                while number not in batch.results:
                    batch.submit(self._cluster.client(), session, _TASKS_PER_WORKER * self._count(resource))
                    batch.collect()
                    self._listen(batch)
                yield batch.results.pop(number)
        finally:
            batch.cancel()

    def _joined(self, resource: str) -> Session:
        """The session, after the checks of the workers. Raises the first error of a worker."""
        if self._session is None:
            run = secrets.token_hex(8)
            folder = self._folder / f".workers-{run}"
            folder.mkdir(parents=True)
            self._session = Session(run, folder, self._corpus, state_of(self._corpus))
            self._session.probe.write_text(run, encoding="utf-8")
            while not self._count(resource):
                time.sleep(_POLL_SECONDS)
            answers = self._cluster.client().run(problem_of, self._session, on_error="return")
            # A worker that cannot be reached checks itself in its first task, if it comes back.
            reached = {address: answer for address, answer in answers.items() if not isinstance(answer, OSError)}
            for address, answer in reached.items():
                if answer is not None:
                    raise _of_worker(f"worker {address}", answer)
            check_replies(self._session, list(reached))
        return self._session

    def _count(self, resource: str) -> int:
        """The number of workers. Raises ``MissingResourceError`` if there has been none for ``wait_seconds``."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_SECONDS or not self._workers or resource != self._resource:
            self._looked, self._resource, self._workers = now, resource, len(self._cluster.workers(resource))
            if self._workers:
                self._patience.end()
            elif not self._patience.lasts(self._no_worker(resource)):
                raise MissingResourceError(
                    self._no_worker(resource),
                    hint=f"start some: dask worker {self._cluster.argument} --nthreads 1 --nworkers N"
                    + (f" --resources {resource}=1" if resource else "")
                    + "; or set a longer execution.dask.wait_seconds. Finished tasks are kept",
                )
        return self._workers

    def _no_worker(self, resource: str) -> str:
        offering = f" that offers {resource}" if resource else ""
        return f"no worker{offering} at {self._cluster.place}"

    def _subscribe(self, client: Client) -> None:
        client.subscribe_topic(TOPIC, self._hear)

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        _, content = event
        if self._session is not None and content["run"] == self._session.run:
            self._events.put(content)

    def _listen(self, batch: _Batch[Any, Any]) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                event = self._events.get_nowait()
                batch.count(event["task"], event["done"])

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._cluster.close()
        if self._session is not None:
            shutil.rmtree(self._session.folder, ignore_errors=True)


def _of_worker(worker: str, error: BaseException) -> BaseException:
    """The error of a worker, as one that a user can act on if the worker lacks this package."""
    if isinstance(error, ModuleNotFoundError):
        return MissingResourceError(f"{worker} cannot run wdw-build: {error}", hint=INSTALL)
    return error


class _Batch(Generic[T, U]):
    """The tasks of one ``map``: those not submitted, those submitted by their keys, and ``results`` by number."""

    def __init__(
        self,
        function: Callable[[T], U],
        tasks: Sequence[T],
        on_tick: Callable[[int], None],
        resources: dict[str, int],
    ) -> None:
        self.tasks = tasks
        self._function, self._on_tick, self._resources = function, on_tick, resources
        self.results: dict[int, U] = {}
        self._open = deque(range(len(tasks)))
        self._submitted: dict[str, tuple[int, Future[Any]]] = {}
        self._counted: Counter[int] = Counter()
        self._given_up: Counter[int] = Counter()
        self._ended = threading.Event()

    def submit(self, client: Client, session: bytes, most: int) -> None:
        """Submit tasks until ``most`` are submitted."""
        while self._open and len(self._submitted) < most:
            number = self._open.popleft()
            # Dask shows tasks under the part of the key before the hash, and expects their time by it.
            task = self.tasks[number]
            key = f"{self._label(task)}-{secrets.token_hex(16)}"
            pickled = pickle.dumps((self._function, task))
            future = client.submit(
                run_task, session, key, pickled, key=key, pure=False, resources=self._resources or None
            )
            future.add_done_callback(lambda _: self._ended.set())
            self._submitted[key] = number, future

    def collect(self) -> None:
        """Wait a moment for ends of tasks; take their results. Raises the error of a task."""
        self._ended.wait(_POLL_SECONDS)
        self._ended.clear()
        for key, (number, future) in list(self._submitted.items()):
            # Read once: it may change at any moment.
            status = future.status
            if status == "finished":
                self._take(key, number, future)
            elif status == "error":
                self._check(number, future)
            if status in {"error", "cancelled"}:
                del self._submitted[key]
                self._open.appendleft(number)

    def _label(self, task: T) -> str:
        return str(getattr(task, "label", self._function.__name__))

    def _take(self, key: str, number: int, future: Future[Any]) -> None:
        # The worker may die, or the scheduler go, before the result is here: the next round sees the new status.
        with contextlib.suppress(OSError, TimeoutError, CancelledError):
            self.results[number], count = future.result(timeout=_RESULT_SECONDS)
            self.count(key, count)
            del self._submitted[key]

    def _check(self, number: int, future: Future[Any]) -> None:
        """Raise the error of a task, unless its workers died and it may run again."""
        error = future.exception()
        if not isinstance(error, KilledWorker):
            raise _of_worker("a worker", error).with_traceback(future.traceback())
        self._given_up[number] += 1
        if self._given_up[number] > _RESUBMISSIONS:
            raise StageError(
                f"every worker that ran {self._label(self.tasks[number])} (task {number + 1} of {len(self.tasks)}) died",
                hint="the logs of the workers say why (memory limit, time limit of the job); finished tasks are kept",
            ) from error

    def count(self, key: str, count: int) -> None:
        """Note how many records a submitted task has done."""
        if key in self._submitted:
            number, _ = self._submitted[key]
            # A task that runs again counts from 0 again.
            if count > self._counted[number]:
                self._on_tick(count - self._counted[number])
                self._counted[number] = count

    def cancel(self) -> None:
        """Cancel the tasks that are not finished. Their workers stop them at their next record."""
        if futures := [future for _, future in self._submitted.values()]:
            with contextlib.suppress(OSError, TimeoutError):
                futures[0].client.cancel(futures, force=True)
