"""``Engine`` on dask.distributed: each task is one dask task; results come back in the order of the tasks.

A run starts a cluster on this machine, or joins a running scheduler. Dask runs the tasks of a dead worker again on other
workers, and gives up after some deaths. A finished task that runs again finds its folder and returns at once.
"""

from __future__ import annotations

import contextlib
import json
import logging
import pickle
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, Security, Worker

from wdw_build.core.engine.engines import GPU, WorkerDiedError
from wdw_build.core.engine.execution import DaskConfig
from wdw_build.core.engine.worker_process import limit_threads, main_hidden, signals_held
from wdw_build.core.installed import environment
from wdw_build.errors import MissingResourceError, UsageError, WdwError

T = TypeVar("T")
U = TypeVar("U")

# Submitted tasks for each worker: the running one, and some that wait on the scheduler or at the worker.
_TASKS_PER_WORKER = 3
# Deaths of workers after which dask gives up a task.
_DEATHS = 4
_PROBE = ".workers"
_INSTALL = "install the same versions of all packages on every host, and restart the workers"


class DaskEngine:
    """``Engine`` on a dask cluster. ``store`` and ``corpus`` are the paths that every worker must see."""

    def __init__(
        self, settings: DaskConfig, workers: int, store: Path, corpus: str, say: Callable[[str], None]
    ) -> None:
        self._settings, self._processes, self._store, self._corpus = settings, workers, store, corpus
        self._say, self._exit = say, ExitStack()
        self._client: Client | None = None

    @property
    def workers(self) -> int:
        """See ``Engine.workers``."""
        return max(1, len(self._connected().scheduler_info(n_workers=-1)["workers"]))

    @property
    def description(self) -> str:
        """The scheduler's address and the link to its dashboard."""
        client = self._connected()
        return f"dask: scheduler {client.scheduler.address}, dashboard {client.dashboard_link}"

    def start(self, prepare: Callable[[], None]) -> None:
        """See ``Engine.start``. Each worker loads what its first task needs, and keeps it."""

    def retire(self) -> None:
        """See ``Engine.retire``. A new worker would load everything again."""

    def map(self, function: Callable[[T], U], tasks: Iterable[T], needs: Sequence[str] = ()) -> Iterator[U]:
        """See ``Engine.map``."""
        client = self._connected()
        resources = {self._settings.gpu_resource: 1} if GPU in needs else None
        waiting, submitted = deque(tasks), deque[Future[Any]]()
        try:
            while waiting or submitted:
                while waiting and len(submitted) < _TASKS_PER_WORKER * self.workers:
                    pickled = pickle.dumps((function, waiting.popleft()))
                    submitted.append(client.submit(_run, pickled, pure=False, resources=resources))
                result = self._result(submitted[0])
                submitted.popleft()
                yield result
        finally:
            client.cancel(list(submitted), force=True)

    def _result(self, future: Future[Any]) -> Any:
        try:
            return future.result()
        except KilledWorker as error:
            raise WorkerDiedError(
                f"{_DEATHS} workers that ran one task died",
                hint="the logs of the workers say why (memory limit, time limit of the job); finished tasks are kept",
            ) from error

    def _connected(self) -> Any:
        if self._client is None:
            seconds = self._settings.wait_seconds
            dask.config.set({"distributed.scheduler.allowed-failures": _DEATHS - 1})
            address = self._address() if self._settings.joins else self._started()
            try:
                self._client = Client(address, timeout=seconds, security=self._security(), set_as_default=False)
                self._exit.callback(self._client.close)
                self._client.wait_for_workers(1, timeout=seconds)
            except (OSError, TimeoutError, ValueError) as error:
                raise MissingResourceError(
                    f"no scheduler with workers at {address}: {error}",
                    hint="start them: dask scheduler; dask worker ADDRESS --nthreads 1 --nworkers N; finished tasks are kept",
                ) from error
            _silence()
            self._check()
            self._say(self.description)
        return self._client

    def _address(self) -> str:
        if not self._settings.scheduler_file:
            return self._settings.scheduler
        try:
            return str(json.loads(Path(self._settings.scheduler_file).read_bytes())["address"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MissingResourceError(
                f"{self._settings.scheduler_file} is not a scheduler file: {error}",
                hint=f"dask scheduler --scheduler-file {self._settings.scheduler_file}",
            ) from error

    def _security(self) -> Security | None:
        settings = self._settings
        if not settings.tls_ca_file:
            return None
        return Security(
            require_encryption=True,
            tls_ca_file=settings.tls_ca_file,
            tls_client_cert=settings.tls_certificate,
            tls_client_key=settings.tls_key,
        )

    def _started(self) -> str:
        """Start a cluster on this machine; returns its address."""
        folder = self._exit.enter_context(tempfile.TemporaryDirectory(prefix="wdw-build-dask-"))
        # Until the cluster ends, because dask may start a worker at any time in place of one that died.
        self._exit.enter_context(main_hidden())
        # The threads that start workers keep the mask, and so does each worker.
        with signals_held():
            cluster: Any = LocalCluster(
                n_workers=self._settings.workers or self._processes,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                # No limit: dask must not spill results, pause a worker or kill it.
                memory_limit=0,
                local_directory=folder,
                silence_logs=logging.CRITICAL,
            )
        self._exit.callback(cluster.close)
        return str(cluster.scheduler_address)

    def _check(self) -> None:
        """Raise the error of a worker that cannot run tasks; one that joins later is not checked."""
        self._store.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._store, prefix=_PROBE) as probe:
            expected = environment(), Path(probe.name), self._corpus
            answers = self._connected().run(_problem, *expected, on_error="return")
        for address, answer in answers.items():
            if isinstance(answer, ModuleNotFoundError):
                raise MissingResourceError(f"worker {address} cannot run wdw-build: {answer}", hint=_INSTALL)
            if isinstance(answer, Exception):
                raise answer

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            self._exit.close()


def _problem(versions: dict[str, str], probe: Path, corpus: str, dask_worker: Worker) -> WdwError | None:
    """Why a worker cannot run this run's tasks, or None. ``Client.run`` passes the worker by the argument's name."""
    place, here = f"worker {dask_worker.address}", environment()
    if dask_worker.state.nthreads != 1:
        return UsageError(
            f"{place} runs {dask_worker.state.nthreads} tasks at a time; wdw-build needs one",
            hint="start it with: dask worker ... --nthreads 1 --nworkers N",
        )
    if different := [
        f"{name} {here.get(name)} instead of {wanted}" for name, wanted in versions.items() if here.get(name) != wanted
    ]:
        return MissingResourceError(f"{place} has {', '.join(different)}", hint=_INSTALL)
    if missing := [path for path in (probe, Path(corpus)) if "*" not in str(path) and not path.exists()]:
        return MissingResourceError(
            f"{place} does not see {missing[0]}",
            hint="every worker must see output_dir and corpus.path at the same paths, on a shared file system",
        )
    return None


def _run(pickled: bytes) -> Any:
    """The result of a task, which is pickled so that dask does not look into it."""
    limit_threads()
    function, task = pickle.loads(pickled)  # noqa: S301 (the driver of this run wrote it)
    return function(task)


def _silence() -> None:
    """Keep dask's own log lines off stderr: what a user must know is said here."""
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


def state(settings: DaskConfig, store: Path, corpus: str) -> str:
    """The scheduler, its workers and its dashboard, in words. Raises ``MissingResourceError`` if it does not answer."""
    with DaskEngine(settings, 1, store, corpus, lambda _: None) as engine:
        return f"{engine.description}, workers: {engine.workers}"
