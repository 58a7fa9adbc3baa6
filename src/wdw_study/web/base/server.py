"""The server of an application: the address it listens on, and what holds for every request, whatever the page."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import re
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import quote, urlsplit

import h11
import uvicorn
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from wdw_build.core.progress import printable
from wdw_build.errors import UsageError

ENTER = "/enter"
# The key of a request's scope: the path below which a reverse proxy serves the pages, such as "/study1"; empty without one.
PREFIX = "wdw-build.prefix"
_PREFIX_HEADER = b"x-forwarded-prefix"
_PREFIX = re.compile(rb"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")
LOOPBACK = "127.0.0.1"
_EXPOSED = (
    "other machines can reach this page, its traffic is not encrypted, and anyone with the address can read the corpus; "
    "use an SSH tunnel, or a reverse proxy with TLS on this machine and leave out --host"
)
_SECONDS_TO_STOP = 3
# A request of 256 KiB at most, over a slow line.
_SECONDS_TO_SEND = 30.0
_MOST_BYTES = 256 * 1024
_MOST_ADDRESS = 4000
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
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


class _TimedProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection whose request is not complete in time. Uvicorn itself waits without end."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read a piece of a request, and wait on if it is not complete."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _watch(self) -> None:
        # A client that has sent nothing, or a part of a head, is idle to h11.
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_waiting()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(_SECONDS_TO_SEND, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _server(app: FastAPI) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=_TimedProtocol,
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
    """Serve in a thread while the block runs. The socket listens already, so that first requests wait for the server."""
    server = _server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener.socket]}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


# ---- every request -------------------------------------------------------------------------------------------------


class Guard:
    """ASGI middleware around the whole application.

    It refuses addresses of more than 4000 characters and bodies of more than 256 KiB. With ``loopback``, it refuses names
    of other hosts, which a foreign page could point at this machine (DNS rebinding). It forbids the caching of pages, and
    marks cookies ``Secure`` if a proxy received the request by TLS. Addresses of answers begin with the path that a proxy names
    in ``X-Forwarded-Prefix``; the proxy takes this path off requests. An unexpected exception is written to stderr, and
    ``failed`` makes the answer.
    """

    def __init__(self, app: ASGIApp, *, loopback: bool, failed: Callable[[Request], Response]) -> None:
        self._app, self._loopback, self._failed = app, loopback, failed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        prefix = _prefix(dict(scope["headers"]).get(_PREFIX_HEADER, b""))
        scope[PREFIX] = prefix.decode()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = _headers(message["headers"], prefix, is_encrypted=scope["scheme"] == "https")
                message = {**message, "headers": headers}
            await send(message)

        refusal = self._refusal(scope)
        body = None if refusal else await _body(receive)
        if refusal or body is None:
            status, text = refusal or (413, "The form is too large.")
            await Response(text, status, media_type="text/plain")(scope, receive, send_with_headers)
            return
        await self._answer(scope, _replaying(body, receive), send_with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and message if the request is refused before its body is read."""
        if len(scope["raw_path"]) + len(scope["query_string"]) > _MOST_ADDRESS:
            return 414, "The address is too long."
        if self._loopback and not _is_loopback(dict(scope["headers"]).get(b"host", b"").decode("latin-1")):
            return 421, "This server only answers requests to localhost or 127.0.0.1."
        return None

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_started = False

        async def observed(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self._app(scope, receive, observed)
        except Exception as error:
            report(scope, "".join(traceback.format_exception(error)).split("\n"))
            if not is_started:
                await self._failed(Request(scope))(scope, receive, send)


async def _body(receive: Receive) -> bytes | None:
    """The body of a request; None if it is too large or the client left."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > _MOST_BYTES:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def _replaying(body: bytes, receive: Receive) -> Receive:
    """``receive`` for the application: the body that was read, then what comes from the client."""
    unread = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return unread.pop() if unread else await receive()

    return replay


def _is_loopback(host: str) -> bool:
    """Whether a ``Host`` header names this machine. Any port is accepted: an SSH tunnel may use another one."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _prefix(given: bytes) -> bytes:
    """The path that a proxy names, without a slash at its end; empty if it is no plain path."""
    path = given.rstrip(b"/")
    return path if _PREFIX.fullmatch(path) else b""


def _headers(headers: list[tuple[bytes, bytes]], prefix: bytes, *, is_encrypted: bool) -> list[tuple[bytes, bytes]]:
    headers = [(name, _below(prefix, name, value)) for name, value in headers]
    set_here = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
    if not any(name.lower() == b"cache-control" for name, _ in headers):
        set_here.append((b"cache-control", b"no-store"))
    if is_encrypted:
        headers = [(name, value + b"; secure" if name == b"set-cookie" else value) for name, value in headers]
    return [*headers, *set_here]


def _below(prefix: bytes, name: bytes, value: bytes) -> bytes:
    """The value of a header, with an address of this server below the prefix."""
    if name == b"location" and value.startswith(b"/"):
        return prefix + value
    return value.replace(b"path=/;", b"path=" + prefix + b"/;") if name == b"set-cookie" else value


def report(scope: Scope, lines: Sequence[str]) -> None:
    """Write why a request failed to stderr. The query of the address is left out: it can hold a token or text of the corpus."""
    said = [f"{scope['method']} {scope['path']} failed:", *lines]
    sys.stderr.write("".join(f"{printable(line)}\n" for line in said if line))
    sys.stderr.flush()
