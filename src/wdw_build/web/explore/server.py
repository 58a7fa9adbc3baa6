"""The HTTP server of ``explore``: it listens on the loopback address and answers GET below a secret path.

Other pages in the same browser can send requests to this server. They do not know the secret, and a host name that they
point at this machine (DNS rebinding) fails the check of ``Host``. Pages have no scripts.
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
    # No other server can bind the port while this one has it.
    allow_reuse_address = False
    site: Site
    token: str

    @property
    def hosts(self) -> set[str]:
        """The accepted values of ``Host``."""
        port = self.server_address[1]
        return {f"{_LOOPBACK}:{port}", f"localhost:{port}"}


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "wdw-build"
    sys_version = ""
    timeout = _WAIT_SECONDS

    def do_GET(self) -> None:
        """Answer with one page."""
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            self._send(421, "This server only answers requests to its loopback address.")
            return
        if len(self.path) > _MOST_LENGTH or not self.path.startswith("/"):
            self._send(400, "This server has no such address.")
            return
        parts = urlsplit(self.path)
        token, _, name = parts.path[1:].partition("/")
        if not secrets.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            self._send(404, "Use the complete address that wdw-build explore printed.")
            return
        try:
            asked = dict(parse_qsl(parts.query, errors="replace", max_num_fields=_MOST_FIELDS))
        except ValueError:
            self._send(400, "The address has too many fields.")
            return
        try:
            status, page = self.server.site.answer(name, asked)
        except Exception:
            self._send(
                500,
                "An internal error prevented this page. The terminal that runs wdw-build explore shows the traceback.",
            )
            raise
        self._send(status, page)

    def _refuse(self) -> None:
        self._send(405, "This server only answers GET.", Allow="GET")

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
        """Log nothing: addresses hold the secret."""


def make_server(run: Run, port: int, progress: Progress) -> tuple[_Server, str]:
    """A server that does not serve yet, and its address. Port 0 means a free port.

    Raises ``UsageError`` if the port is in use.
    """
    catalogue = open_catalogue(run, progress)
    try:
        server = _Server((_LOOPBACK, port), _Handler)
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"cannot listen on port {port}: {error}", hint="leave out --port to use a free port"
        ) from error
    server.token = secrets.token_urlsafe(24)
    server.site = Site(run, catalogue, f"/{server.token}/")
    return server, f"http://{_LOOPBACK}:{server.server_address[1]}/{server.token}/"


def serve(run: Run, port: int, progress: Progress, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C. ``ready`` is called with the address."""
    server, address = make_server(run, port, progress)
    with server:
        ready(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            progress.say("explore: stopped")
