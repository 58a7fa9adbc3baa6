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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.adapters.endpoint import (
    REFUSED,
    SETTINGS,
    EndpointAnswer,
    EndpointConfig,
    ServerError,
    key_of,
    read_completion,
)
from wdw_build.core.hashing import digest
from wdw_build.core.progress import printable
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.errors import MissingResourceError, StageError, WdwError

# Seconds. A server may ask for a longer wait, even of a day; a long wait is reported.
_LONGEST_WAIT, _LONG_WAIT = 60.0, 10.0
_SHOWN = 200  # characters of an output or a server's message
_KEPT = "finished answers are kept, and the same command asks for the others"
# Errors of the network that stay, however often a request is sent.
_FINAL = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class EndpointClient:
    """Sends prompts. After the first failure, no more are sent.

    ``name``: whose messages these are. ``folder``: where answers are kept, a file for each request, or None. ``say`` writes a
    line to the log.
    """

    def __init__(self, name: str, settings: EndpointConfig, folder: Path | None, say: Callable[[str], None]) -> None:
        self._name, self._settings, self._folder, self._say = name, settings, folder, say
        self._key, self._url = key_of(settings), f"{settings.url.rstrip('/')}/chat/completions"
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._stopped = threading.Event()
        self._failure: WdwError = StageError(f"{name} was stopped", hint=_KEPT)

    def answers(self, prompts: Sequence[str]) -> Iterator[EndpointAnswer]:
        """The answers in the order of the prompts. Requests run in parallel; equal ones are sent once, kept ones not again.

        Raises ``MissingResourceError`` if nothing listens at the URL or the key is refused, ``StageError`` for other failures
        that are not about the prompt.
        """
        requests = [self._request(prompt) for prompt in prompts]
        known: dict[str, EndpointAnswer | Future[EndpointAnswer]] = {}
        with ThreadPoolExecutor(self._settings.parallel) as threads:
            try:
                for key, request in requests:
                    if key not in known:
                        known[key] = self._kept(key) or threads.submit(self._answer, key, request)
                for key, _ in requests:
                    answer = known[key]
                    yield answer if isinstance(answer, EndpointAnswer) else answer.result()
            finally:
                self._stopped.set()
                threads.shutdown(cancel_futures=True)

    def open(self, prompts: Sequence[str]) -> list[str]:
        """The different prompts that have no kept answer."""
        return [prompt for prompt in dict.fromkeys(prompts) if self._kept(self._request(prompt)[0]) is None]

    def report(self, answers: Sequence[EndpointAnswer]) -> None:
        """Say how many problems are unanswered, and why. Raises ``StageError`` if the server refused all of them."""
        # The last text of each fault is its example.
        examples = {answer.fault: answer.text for answer in answers if answer.fault}
        if answers and all(answer.fault == REFUSED for answer in answers):
            raise StageError(
                f"{self._name}: {self._settings.url} refused every request, such as with {examples[REFUSED]}",
                hint=f"correct model or options in {SETTINGS}, or the context length of the server",
            )
        for fault, text in examples.items():
            count = sum(answer.fault == fault for answer in answers)
            example = f": {printable(' '.join(text.split())[:_SHOWN])}" if text else ""
            self._say(f"{self._name}: {count} of {len(answers)} problems are unanswered: {fault}{example}")

    def _request(self, prompt: str) -> tuple[str, dict[str, Any]]:
        """The key of a request among the kept answers, and the request."""
        messages = [{"role": "user", "content": prompt}]
        request = {"model": self._settings.model, "messages": messages, **self._settings.limits}
        return digest([self._settings.url, request]), request

    def _kept(self, key: str) -> EndpointAnswer | None:
        """The kept answer to a request; None if there is none, or if its file is damaged."""
        return jsonl.read_document(self._folder / f"{key}.json", EndpointAnswer) if self._folder else None

    def _answer(self, key: str, request: dict[str, Any]) -> EndpointAnswer:
        """The answer to a request, which is then kept unless it has a fault."""
        try:
            answer = self._asked(msgspec.json.encode(request))
        except WdwError as error:
            if not self._stopped.is_set():
                self._failure = error
            self._stopped.set()
            raise self._failure from None
        if self._folder is not None and not answer.fault:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._folder / f"{key}.json", msgspec.json.encode(answer))
        return answer

    def _asked(self, body: bytes) -> EndpointAnswer:
        reason = ""
        for attempt in range(self._settings.retries + 1):
            if self._stopped.is_set():
                raise self._failure
            try:
                return read_completion(self._sent(body))
            except ServerError as error:
                reason = str(error)
                if error.is_about_prompt:
                    return EndpointAnswer(reason, REFUSED)
                if not error.may_pass:
                    raise self._refused(error) from None
                if attempt < self._settings.retries:
                    self._pause(min(2.0**attempt if error.wait is None else error.wait, _LONGEST_WAIT), reason)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                raise StageError(
                    f"{self._name}: {self._url} gave no chat completion of the OpenAI form",
                    hint="the URL must be the base URL of such an endpoint, which mostly ends in /v1",
                ) from None
        raise StageError(
            f"{self._name}: no answer from {self._url} after {self._settings.retries + 1} attempts: {reason}",
            hint=f"{_KEPT}; lower parallel, or raise retries or timeout, in {SETTINGS}",
        )

    def _pause(self, seconds: float, reason: str) -> None:
        """Wait before the next attempt; a long wait is reported."""
        if seconds >= _LONG_WAIT:
            self._say(f"{self._name}: {reason}; the next attempt is in {seconds:.0f} s")
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
                    f"{self._name}: cannot reach {self._url}: {reason}",
                    hint=f"start the server, or correct the URL; {_KEPT}",
                ) from None
            raise ServerError(reason) from None

    def _http_error(self, error: urllib.error.HTTPError) -> ServerError:
        """The error for a status that is not 200."""
        try:
            message = self._without_key(error.read()).decode(errors="replace")
        except (OSError, http.client.HTTPException):
            message = ""
        # A date, which a server may give too, is not read.
        retry_after = error.headers.get("Retry-After", "").strip()
        return ServerError(
            message, error.code, float(retry_after) if retry_after.isascii() and retry_after.isdigit() else None
        )

    def _refused(self, error: ServerError) -> WdwError:
        message = f"{self._name}: {self._url} refused a request with {error}"
        if error.status in (401, 403):
            hint = "set key_variable to the environment variable that holds a valid key"
            return MissingResourceError(message, hint=hint)
        return StageError(message, hint=f"correct url, model or options in {SETTINGS}; {_KEPT}")

    def _without_key(self, response: bytes) -> bytes:
        return response.replace(self._key.encode(), b"[key]") if self._key else response
