"""Listens on an address and serves an application with uvicorn, in the foreground or, for tests, in a thread."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import threading
from collections.abc import Callable, Iterator
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI

from wdw_build.errors import UsageError
from wdw_build.web.base.app import ENTER

LOOPBACK = "127.0.0.1"
_EXPOSED = (
    "other machines can reach this page, its traffic is not encrypted, and anyone with the address can read the corpus; "
    "use an SSH tunnel, or a reverse proxy with TLS on this machine and leave out --host"
)
_SECONDS_TO_STOP = 3
_SECONDS_TO_START = 30


class Listener:
    """A bound socket. The port is known before the application is made. Port 0 means a free port."""

    def __init__(self, host: str = LOOPBACK, port: int = 0) -> None:
        """Bind. Raises ``UsageError`` if the host is not of this machine or the port is in use."""
        try:
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            # getaddrinfo wraps ports above 65535; create_server refuses them.
            self.socket = socket.create_server((address[0], port), family=family)
        except (OSError, OverflowError) as error:
            raise UsageError(
                f"cannot listen on {host} port {port}: {error}",
                hint="leave out --port to use a free port, and --host to listen on this machine",
            ) from error
        self.port = int(self.socket.getsockname()[1])
        self.loopback = ipaddress.ip_address(self.socket.getsockname()[0]).is_loopback
        self._host = host

    @property
    def warning(self) -> str:
        """What the person who starts the server must know; empty on the loopback address."""
        return "" if self.loopback else _EXPOSED

    def address(self, token: str) -> str:
        """The address that signs a browser in. A listener on all addresses has the name of this machine in it."""
        bound = self.socket.getsockname()[0]
        name = socket.gethostname() if ipaddress.ip_address(bound).is_unspecified else self._host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}{ENTER}?token={quote(token, safe='')}"


def _server(app: FastAPI) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            # Addresses hold tokens.
            access_log=False,
            log_config=None,
            log_level="warning",
            server_header=False,
            # A proxy with TLS runs on this machine; it says in X-Forwarded-Proto that the request was encrypted.
            proxy_headers=True,
            forwarded_allow_ips=LOOPBACK,
            timeout_graceful_shutdown=_SECONDS_TO_STOP,
        )
    )


def serve(app: FastAPI, listener: Listener, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C. ``ready`` is called when the socket listens."""
    with contextlib.suppress(KeyboardInterrupt):
        ready()
        _server(app).run(sockets=[listener.socket])


@contextlib.contextmanager
def running(app: FastAPI, listener: Listener) -> Iterator[None]:
    """Serve in a thread while the block runs."""
    server = _server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener.socket]}, daemon=True)
    thread.start()
    waited = threading.Event()
    for _ in range(_SECONDS_TO_START * 100):
        if server.started or not thread.is_alive():
            break
        waited.wait(0.01)
    if not server.started:
        raise RuntimeError("the server did not start")
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()
