"""Limits what a request may hold, and sets the security headers of every answer."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Guard:
    """ASGI middleware: refuses long addresses and bodies of more than 256 KiB; adds headers. Pages are never cached."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        if len(scope["raw_path"]) + len(scope["query_string"]) > _MOST_ADDRESS:
            await _refuse(send, 414, b"The address is too long.")
            return
        body = await _body(receive)
        if body is None:
            await _refuse(send, 413, b"The form is too large.")
            return

        async def replay() -> Message:
            nonlocal body
            if body is None:
                return await receive()
            message, body = {"type": "http.request", "body": body, "more_body": False}, None
            return message

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _headers(message["headers"])}
            await send(message)

        await self._app(scope, replay, send_with_headers)


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


def _headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    set_here = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
    if not any(name.lower() == b"cache-control" for name, _ in headers):
        set_here.append((b"cache-control", b"no-store"))
    return [*headers, *set_here]


async def _refuse(send: Send, status: int, text: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": _headers(headers)})
    await send({"type": "http.response.body", "body": text})
