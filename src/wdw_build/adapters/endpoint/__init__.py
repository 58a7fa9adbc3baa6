"""Chat models behind an HTTP endpoint of the OpenAI form (vLLM, llama.cpp, a hosted model): settings, and what they answer.

A chat completion is read as the model's answer, the reason why there is none, or the server's error.
"""

from __future__ import annotations

import codecs
import os
import re
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import field

from wdw_build.core.progress import printable
from wdw_build.core.section import NonNegativeInt, PositiveInt, Section
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.reading.answers import final_answer

SETTINGS = "bench.settings.api"
"""The section of the configuration with these settings."""


class EndpointConfig(Section, frozen=True):
    """How to ask a model. The key itself is in no setting."""

    url: str = ""
    """Base URL of the endpoint, such as `http://localhost:8000/v1`, without `/chat/completions`."""
    model: str = ""
    """Name of the model at the endpoint, sent as it is."""
    key_variable: str = ""
    """Environment variable that contains the key; empty: no key."""
    options: dict[str, Any] = field(default_factory=dict)
    """Fields of the request that extend or override `temperature: 0` and `max_tokens: 64`; null omits a field."""
    parallel: PositiveInt = 4
    """Maximum number of simultaneous requests."""
    retries: NonNegativeInt = 6
    """Maximum number of retries after a time-out or a status of 408, 429 or 5xx. The wait doubles each time, up to one
    minute, unless `Retry-After` gives it."""
    timeout: PositiveInt = 120
    """Seconds to wait for an answer."""

    @property
    def limits(self) -> dict[str, Any]:
        """The fields of a request besides model and messages."""
        fields = {"temperature": 0, "max_tokens": 64} | self.options
        return {name: value for name, value in fields.items() if value is not None}


def key_of(settings: EndpointConfig) -> str:
    """The key from the environment; empty if none is needed.

    Raises ``MissingResourceError`` if the variable is not set, ``ConfigError`` if its value cannot be a key.
    """
    if not settings.key_variable:
        return ""
    key = os.environ.get(settings.key_variable, "").strip()
    if not key:
        raise MissingResourceError(
            f"there is no key for the endpoint: the environment variable {settings.key_variable} is not set",
            hint=f"set it to the key of {settings.url}, or empty {SETTINGS}.key_variable",
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ConfigError(
            f"the environment variable {settings.key_variable} does not hold a key",
            hint="a key has only letters, digits and punctuation on one line",
        )
    return key


def check_endpoint(settings: EndpointConfig) -> None:
    """Raises ``MissingResourceError`` without URL, model or key, ``ConfigError`` for a URL that is none."""
    if not (settings.url and settings.model):
        raise MissingResourceError(
            "there is no endpoint, or no model is named", hint=f"set {SETTINGS}.url and {SETTINGS}.model"
        )
    parts = urlsplit(settings.url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query:
        raise ConfigError(
            "the URL of the model is not the base URL of an endpoint",
            hint="give http://HOST:PORT/v1 or https://HOST/v1; a key belongs into an environment variable (key_variable)",
        )
    key_of(settings)


# ---- completions -----------------------------------------------------------------------------------------------------

# Why a problem is unanswered.
REFUSED = "the server refused the prompt"
_CUT = "the output was cut off before an answer (raise max_tokens in options)"
_FILTERED = "a content filter withheld the answer"
_EMPTY = "the response has no text, or only reasoning"
_SHOWN = 300  # characters of a server's message
# Values of ``finish_reason`` at the limit of tokens.
_AT_LIMIT = ("length", "max_tokens", "model_length")
# Values of an error's ``code`` or ``type``, in place of a status, that blame the prompt.
_ABOUT_PROMPT = {"content_filter", "context_length_exceeded", "invalid_request_error"}


class EndpointAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model's output; with a ``fault`` it is no answer, and a refused prompt has the server's message as text."""

    text: str
    fault: str = ""


class ServerError(Exception):
    """An attempt failed. ``status``: of the response or in its body; None if there is none. ``wait``: seconds until the next."""

    def __init__(self, message: str, status: int | None = None, wait: float | None = None) -> None:
        text = printable(" ".join(message.split())[:_SHOWN])
        super().__init__(f"status {status}: {text or status}" if status else text)
        self.status, self.wait = status, wait

    @property
    def is_about_prompt(self) -> bool:
        """Whether the prompt is at fault: it is too long, or stopped by a content filter."""
        return self.status in (400, 413, 422)

    @property
    def may_pass(self) -> bool:
        """Whether another attempt may succeed."""
        return self.status is None or self.status in (408, 429) or self.status >= 500


class _Part(msgspec.Struct, frozen=True):
    type: str = ""
    text: str | None = None


class _Message(msgspec.Struct, frozen=True):
    content: str | tuple[_Part, ...] | None = None

    @property
    def text(self) -> str:
        """The text without parts of other types, such as reasoning."""
        if not isinstance(self.content, tuple):
            return self.content or ""
        return "".join(part.text or "" for part in self.content if part.type in ("text", "output_text"))


class _Choice(msgspec.Struct, frozen=True):
    message: _Message
    finish_reason: str | None = None
    error: Any = None


class _Completion(msgspec.Struct, frozen=True):
    """The fields of a chat completion that are read."""

    choices: tuple[_Choice, ...] | None


def read_completion(response: bytes) -> EndpointAnswer:
    """The first choice of a response.

    Raises ``ServerError`` for an error in place of a choice, msgspec's errors or ``UnicodeDecodeError`` for another form.
    """
    fields = msgspec.json.decode(response.removeprefix(codecs.BOM_UTF8), type=dict[str, Any])
    if error := fields.get("error") or (fields if fields.get("object") == "error" else None):
        raise _server_error(error)
    choices = msgspec.convert(fields, _Completion).choices
    if not choices:
        return EndpointAnswer("", _EMPTY)
    choice = choices[0]
    if choice.error:
        raise _server_error(choice.error)
    text, reason = choice.message.text, (choice.finish_reason or "").lower()
    final = final_answer(text)
    if reason == "content_filter":
        return EndpointAnswer(text, _FILTERED)
    # With max_tokens: 1, a letter or a surname ends at the limit. More words may be reasoning.
    if reason in _AT_LIMIT and len(final.split()) != 1:
        return EndpointAnswer(text, _CUT)
    return EndpointAnswer(text, "" if final else _EMPTY)


def _server_error(error: Any) -> ServerError:
    if not isinstance(error, dict):
        return ServerError(str(error))
    codes = [str(error.get(name)) for name in ("code", "status", "type")]
    statuses = [int(code) for code in codes if re.fullmatch("[45][0-9][0-9]", code)]
    status = 400 if _ABOUT_PROMPT.intersection(codes) else None
    return ServerError(str(error.get("message") or error), statuses[0] if statuses else status)
