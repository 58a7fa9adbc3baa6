"""Asks an endpoint of the OpenAI form, and keeps each answer on disk.

The key is sent in one header. It is removed from every response, because servers repeat it in their messages, and redirects
are not followed, because they would send it to another server.
"""

from __future__ import annotations

import gzip
import http.client
import socket
import ssl
import threading
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from wdw_bench.systems.endpoint import NAME, ApiConfig, key_of
from wdw_bench.systems.endpoint.completion import REFUSED, Answer, ServerError, read_completion
from wdw_build.api import MissingResourceError, StageError, WdwError, printable, replace_file

# Seconds. A server may ask for a longer wait, even of a day; a long wait is reported.
_LONGEST_WAIT, _LONG_WAIT = 60.0, 10.0
_KEPT = "finished answers are kept, and the same command asks for the others"
# Errors of the network that stay, however often a request is sent.
_FINAL = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Client:
    """Sends requests, from several threads. After the first failure all threads stop.

    ``folder``: where answers are kept, a file for each request, or None. ``say`` writes a line to the log.
    """

    def __init__(self, settings: ApiConfig, folder: Path | None, say: Callable[[str], None]) -> None:
        self._settings, self._folder, self._say, self._key = settings, folder, say, key_of(settings)
        self._url = f"{settings.url.rstrip('/')}/chat/completions"
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._stopped = threading.Event()
        self._failure: WdwError = StageError(f"{NAME} was stopped", hint=_KEPT)

    def stop(self) -> None:
        """Let waiting threads end."""
        self._stopped.set()

    def kept(self, key: str) -> Answer | None:
        """The kept answer to a request; None if there is none, or if its file is damaged."""
        if self._folder is None:
            return None
        try:
            return msgspec.json.decode((self._folder / f"{key}.json").read_bytes(), type=Answer)
        except (OSError, msgspec.MsgspecError):
            return None

    def answer(self, key: str, request: Mapping[str, Any]) -> Answer:
        """The answer to a request, which is then kept unless it has a fault.

        Raises ``MissingResourceError`` if nothing listens at the URL or the key is refused, ``StageError`` for other failures
        that are not about the prompt.
        """
        try:
            answer = self._asked(msgspec.json.encode(request))
        except WdwError as error:
            if not self._stopped.is_set():
                self._failure = error
            self.stop()
            raise self._failure from None
        if self._folder is not None and not answer.fault:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._folder / f"{key}.json", msgspec.json.encode(answer))
        return answer

    def _asked(self, body: bytes) -> Answer:
        reason = ""
        for attempt in range(self._settings.retries + 1):
            if self._stopped.is_set():
                raise self._failure
            try:
                return read_completion(self._sent(body))
            except ServerError as error:
                reason = str(error)
                if error.is_about_prompt:
                    return Answer(reason, REFUSED)
                if not error.may_pass:
                    raise self._refused(error) from None
                if attempt < self._settings.retries:
                    self._pause(min(2.0**attempt if error.wait is None else error.wait, _LONGEST_WAIT), reason)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                raise StageError(
                    f"{NAME}: {self._url} gave no chat completion of the OpenAI form",
                    hint=f"bench.settings.{NAME}.url must be the base URL of such an endpoint, which mostly ends in /v1",
                ) from None
        raise StageError(
            f"{NAME}: no answer from {self._url} after {self._settings.retries + 1} attempts: {reason}",
            hint=f"{_KEPT}; lower parallel, or raise retries or timeout, in bench.settings.{NAME}",
        )

    def _pause(self, seconds: float, reason: str) -> None:
        """Wait before the next attempt; a long wait is reported."""
        if seconds >= _LONG_WAIT:
            self._say(f"{NAME}: {reason}; the next attempt is in {seconds:.0f} s")
        self._stopped.wait(seconds)

    def _sent(self, body: bytes) -> bytes:
        """The response to one attempt, without the key. Raises ``ServerError``, or an error that a user can act on."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, body, headers, method="POST")  # noqa: S310 (the scheme was checked)
        try:
            with self._opener.open(request, timeout=self._settings.timeout) as response:
                data = response.read()
                # Some proxies compress what nobody asked them to compress.
                is_gzip = response.headers.get("Content-Encoding") == "gzip"
                return self._without_key(gzip.decompress(data) if is_gzip else data)
        except urllib.error.HTTPError as error:
            with error:
                raise self._http_error(error) from None
        except (OSError, http.client.HTTPException, EOFError, zlib.error) as error:
            cause = error.reason if isinstance(error, urllib.error.URLError) else error
            reason = printable(self._without_key(str(cause).encode()).decode()) or type(cause).__name__
            if isinstance(cause, _FINAL):
                raise MissingResourceError(
                    f"{NAME}: cannot reach {self._url}: {reason}",
                    hint=f"start the server, or correct bench.settings.{NAME}.url; {_KEPT}",
                ) from None
            raise ServerError(reason) from None

    def _http_error(self, error: urllib.error.HTTPError) -> ServerError:
        """The error for a status that is not 200."""
        try:
            said = self._without_key(error.read()).decode(errors="replace")
        except (OSError, http.client.HTTPException):
            said = ""
        # A date, which a server may give too, is not read.
        asked = error.headers.get("Retry-After", "").strip()
        return ServerError(said, error.code, float(asked) if asked.isascii() and asked.isdigit() else None)

    def _refused(self, error: ServerError) -> WdwError:
        message = f"{NAME}: {self._url} refused a request with {error}"
        if error.status in (401, 403):
            hint = "set key_variable to the environment variable that holds a valid key"
            return MissingResourceError(message, hint=hint)
        return StageError(message, hint=f"correct url, model or options in bench.settings.{NAME}; {_KEPT}")

    def _without_key(self, response: bytes) -> bytes:
        return response.replace(self._key.encode(), b"[key]") if self._key else response
