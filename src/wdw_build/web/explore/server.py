"""The server of ``explore``: the loopback address alone, a secret in the address, GET alone, no scripts.

Another page in the same browser can send requests here; it knows neither the secret nor, by a name that it makes lead here
(DNS rebinding), gets past the check of ``Host``.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from wdw_build.core.run.progress import Progress
from wdw_build.dataset import Run
from wdw_build.errors import UsageError
from wdw_build.web.explore.catalogue import open_catalogue
from wdw_build.web.explore.site import Site

_LOOPBACK = "127.0.0.1"
_MOST_FIELDS, _MOST_LENGTH, _WAIT_SECONDS = 20, 4000, 30
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Another server must not be able to take the port over while this one has it.
    allow_reuse_address = False
    site: Site
    token: str

    @property
    def hosts(self) -> set[str]:
        """What ``Host`` may say."""
        port = self.server_address[1]
        return {f"{_LOOPBACK}:{port}", f"localhost:{port}"}


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "wdw-build"
    sys_version = ""
    timeout = _WAIT_SECONDS

    def do_GET(self) -> None:
        """One page."""
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            self._send(421, "This server answers to its loopback address alone.")
            return
        if len(self.path) > _MOST_LENGTH or not self.path.startswith("/"):
            self._send(400, "That is no address of this server.")
            return
        parts = urlsplit(self.path)
        token, _, name = parts.path[1:].partition("/")
        if not secrets.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            self._send(404, "Use the whole address that wdw-build explore printed.")
            return
        try:
            asked = dict(parse_qsl(parts.query, errors="replace", max_num_fields=_MOST_FIELDS))
        except ValueError:
            self._send(400, "Too many fields.")
            return
        try:
            status, page = self.server.site.answer(name, asked)
        except Exception:
            self._send(500, "This page could not be made: a defect. The terminal of wdw-build explore says more.")
            raise
        self._send(status, page)

    def _refuse(self) -> None:
        self._send(405, "Only GET is answered.", Allow="GET")

    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = _refuse

    def _send(self, status: int, text: str, **more: str) -> None:
        body = text.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in {**_HEADERS, **more, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing: addresses hold the secret."""


def make_server(run: Run, port: int, progress: Progress) -> tuple[_Server, str]:
    """A server that is not serving yet, and its address. Port 0: one that is free.

    Raises ``UsageError`` if the port is taken.
    """
    catalogue = open_catalogue(run, progress)
    try:
        server = _Server((_LOOPBACK, port), _Handler)
    except (OSError, OverflowError) as error:
        raise UsageError(f"port {port} cannot be had: {error}", hint="leave --port out: a free one is taken") from error
    server.token = secrets.token_urlsafe(24)
    server.site = Site(run, catalogue, f"/{server.token}/")
    return server, f"http://{_LOOPBACK}:{server.server_address[1]}/{server.token}/"


def serve(run: Run, port: int, progress: Progress, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C. ``ready`` is told the address."""
    server, address = make_server(run, port, progress)
    with server:
        ready(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            progress.say("explore: ended")
