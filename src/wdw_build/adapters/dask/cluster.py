"""The connection to a dask scheduler: starts a cluster on this machine or joins a running one, and survives its restarts."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import dask
import msgspec
from distributed import Client, LocalCluster, Security
from distributed.comm.core import connect

from wdw_build.adapters.dask.preloaded import FORKED, start_server
from wdw_build.core.caller import main_hidden, signals_held
from wdw_build.core.config.execution_settings import DaskConfig
from wdw_build.errors import ConfigError, MissingResourceError

# One attempt to reach the scheduler, or one question to it, takes at most this long.
_ATTEMPT_SECONDS = 5
_RETRY_SECONDS = 0.5
# A run says that it waits after this time, and again every minute.
_SAY_AFTER_SECONDS = 5.0
_SAY_EVERY_SECONDS = 60.0
# A worker of a cluster on this machine has a minute to come back after a death until it is replaced.
_LOCAL = {"distributed.deploy.lost-worker-timeout": "60s", **FORKED}

Say = Callable[[str], None]


class WorkerTimeouts:
    """Waits for something for ``seconds``, and says so now and then."""

    def __init__(self, seconds: float, say: Say) -> None:
        self._seconds, self._say = seconds, say
        self._since: float | None = None
        self._next_line = 0.0

    def lasts(self, message: str) -> bool:
        """Whether to wait on. The first call since ``end`` starts the wait; ``message`` names what is missing."""
        now = time.monotonic()
        if self._since is None:
            self._since, self._next_line = now, now + _SAY_AFTER_SECONDS
        if now >= self._next_line:
            self._next_line = now + _SAY_EVERY_SECONDS
            self._say(f"{message}; waiting up to {self._seconds:g} s")
        return now - self._since < self._seconds

    def end(self) -> None:
        """Note that it is there."""
        self._since = None


class Cluster:
    """A dask cluster. A cluster on this machine starts on first use and ends with ``close``; a joined cluster stays."""

    def __init__(self, settings: DaskConfig, workers: int, say: Say, on_connect: Callable[[Client], None]) -> None:
        self._settings, self._processes, self._say = settings, settings.workers or workers, say
        self._on_connect = on_connect
        self._client: Client | None = None
        self._local: LocalCluster | None = None
        self._exit = ExitStack()

    def share(self, prepare: Callable[[], None]) -> None:
        """Load what the workers of a cluster on this machine share. In a joined cluster, ``wdw_build.preload`` does this."""
        if not self._settings.joins and self._local is None:
            start_server(prepare)

    @property
    def place(self) -> str:
        """The scheduler's address."""
        if self._local is not None:
            return str(self._local.scheduler_address)
        return self._settings.scheduler or self._settings.scheduler_file

    @property
    def argument(self) -> str:
        """What names the scheduler on the command line of ``dask worker``."""
        file = self._settings.scheduler_file
        return f"--scheduler-file {file}" if file else self.place

    @property
    def description(self) -> str:
        """The scheduler's address and the link to its dashboard."""
        client: Any = self.client()
        return f"dask: scheduler {client.scheduler.address}, dashboard {client.dashboard_link}"

    def client(self) -> Client:
        """The client, connected. Connects again if the connection was lost; futures of the lost connection are cancelled.

        Raises ``MissingResourceError`` if no scheduler answers for ``wait_seconds``.
        """
        if self._client is None or self._client.status != "running":
            if self._client is not None:
                self._say(f"lost the connection to the scheduler at {self.place}; its unfinished tasks run again")
            self._leave()
            if not self._settings.joins and self._local is None:
                self._local = self._start()
            self._client = self._connect()
            self._on_connect(self._client)
            self._say(self.description)
        return self._client

    def workers(self, resource: str = "") -> dict[str, dict[str, Any]]:
        """The running workers by address, those that offer the resource; empty if the scheduler does not answer."""
        if self._local is not None:
            # Replaces processes that died and could not be started again.
            self._local.scale(self._processes)
        with contextlib.suppress(OSError, TimeoutError):
            client: Any = self.client()
            found = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=_ATTEMPT_SECONDS)["workers"]
            return {
                address: worker
                for address, worker in found.items()
                if worker["status"] == "running" and (not resource or worker["resources"].get(resource, 0) >= 1)
            }
        return {}

    def close(self) -> None:
        """Leave a joined cluster, or end the cluster on this machine."""
        self._leave()
        self._exit.close()

    def _leave(self) -> None:
        if self._client is not None:
            # The connection may be gone already.
            with contextlib.suppress(OSError, TimeoutError):
                self._client.close(timeout=_ATTEMPT_SECONDS)
            self._client = None

    def _connect(self) -> Client:
        patience = WorkerTimeouts(self._settings.wait_seconds, self._say)
        while True:
            try:
                address, security = self._address(), self._security()
                asyncio.run(_greet(address, security))
                client = Client(address, timeout=_ATTEMPT_SECONDS, security=security, set_as_default=False)
                break
            except ValueError as error:
                raise ConfigError(
                    f"{self.place} does not name a scheduler: {error}",
                    hint="set execution.dask.scheduler to an address such as tcp://head:8786",
                ) from error
            except (OSError, TimeoutError) as error:
                if not patience.lasts(f"no scheduler answers at {self.place}"):
                    raise MissingResourceError(
                        f"no scheduler answers at {self.place} ({str(error) or 'it accepts the connection and says nothing'})",
                        hint=f"start one ({self._start_command}), or correct execution.dask; finished tasks are kept",
                    ) from error
                time.sleep(_RETRY_SECONDS)
        _silence()
        return client

    @property
    def _start_command(self) -> str:
        file = self._settings.scheduler_file
        return f"dask scheduler --scheduler-file {file}" if file else "dask scheduler"

    def _address(self) -> str:
        """The scheduler's address. Raises ``OSError`` while there is no scheduler file."""
        if not self._settings.scheduler_file:
            return self.place
        try:
            return str(json.loads(Path(self._settings.scheduler_file).read_bytes())["address"])
        except (ValueError, KeyError, TypeError) as error:
            raise OSError(f"{self._settings.scheduler_file} is not a scheduler file: {error}") from error

    def _security(self) -> Security | None:
        files = {
            "tls_ca_file": self._settings.tls_ca_file,
            "tls_client_cert": self._settings.tls_certificate,
            "tls_client_key": self._settings.tls_key,
        }
        given = {name: path for name, path in files.items() if path}
        for path in given.values():
            if not Path(path).is_file():
                raise ConfigError(f"execution.dask: no file {path}")
        return Security(require_encryption=True, **given) if given else None

    def _start(self) -> LocalCluster:
        folder = tempfile.TemporaryDirectory(prefix="wdw-build-dask-", ignore_cleanup_errors=True)
        local_directory = self._exit.enter_context(folder)
        self._exit.enter_context(dask.config.set(_LOCAL))
        # Until the cluster ends, because dask may start a worker at any time in place of one that died.
        self._exit.enter_context(main_hidden())
        # The threads that start workers keep the mask, and so does each worker.
        with signals_held():
            local = LocalCluster(
                n_workers=self._processes,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                # No limit: dask must not spill results, pause a worker or kill it.
                memory_limit=0,
                local_directory=local_directory,
                silence_logs=logging.CRITICAL,
            )
        self._exit.callback(_end, local)
        return local


async def _greet(address: str, security: Security | None) -> None:
    """Open and close a connection. Raises ``OSError`` or ``TimeoutError`` if no scheduler answers.

    Raises ``ValueError`` for a malformed address. ``Client`` itself waits for ever at a port that accepts connections but
    does not answer, such as the dashboard's.
    """
    arguments = {} if security is None else security.get_connection_args("client")
    connection = await asyncio.wait_for(connect(address, timeout=_ATTEMPT_SECONDS, **arguments), 2 * _ATTEMPT_SECONDS)
    await connection.close()


def _end(local: LocalCluster) -> None:
    """End a cluster on this machine; its processes end with this one at the latest."""
    with contextlib.suppress(OSError, TimeoutError):
        local.close(timeout=_ATTEMPT_SECONDS)


def state(settings: DaskConfig) -> str:
    """The scheduler, its workers and its dashboard, in words.

    Raises ``MissingResourceError`` if it does not answer, or if a worker runs several tasks at a time.
    """
    cluster = Cluster(msgspec.structs.replace(settings, wait_seconds=1), 0, lambda _: None, lambda _: None)
    try:
        description = cluster.description
        workers = cluster.workers()
        several = [address for address, worker in workers.items() if worker["nthreads"] != 1]
        if several:
            raise MissingResourceError(
                f"{len(several)} of {len(workers)} workers run several tasks at a time; the first is {several[0]}",
                hint=f"start them with: dask worker {cluster.argument} --nthreads 1 --nworkers N",
            )
        return f"{description}, workers: {len(workers)}"
    finally:
        cluster.close()


def _silence() -> None:
    """Keep dask's own log lines off stderr: what a user must know is said here."""
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
