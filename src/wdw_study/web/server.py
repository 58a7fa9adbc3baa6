"""The server of an application: its address, and the checks and headers of every request."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI, Request, Response

from wdw_build.api import UsageError

ENTER = "/enter"
LOOPBACK = "127.0.0.1"
_EXPOSED = (
    "other machines can reach this page, its traffic is not encrypted, and anyone with the address can read the corpus; "
    "use an SSH tunnel, or a reverse proxy with TLS on this machine and leave out --host"
)
_SECONDS_TO_STOP = 3
_MOST_BYTES = 256 * 1024
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


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


def server_of(app: FastAPI) -> uvicorn.Server:
    """The server of an application, which does not run yet."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
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
        server_of(app).run(sockets=[listener.socket])


async def guard(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    """Middleware: refuse large bodies, forbid the caching of pages, and mark cookies ``Secure`` if a proxy used TLS."""
    size = request.headers.get("content-length", "" if "transfer-encoding" in request.headers else "0")
    if not size.isdecimal() or int(size) > _MOST_BYTES:
        response = Response("The form is too large.", 413, media_type="text/plain")
    else:
        response = await answer(request)
    response.headers.update(_HEADERS)
    response.headers.setdefault("cache-control", "no-store")
    if request.url.scheme == "https" and "set-cookie" in response.headers:
        response.headers["set-cookie"] += "; secure"
    return response
