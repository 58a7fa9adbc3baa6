"""Chat models behind an HTTP endpoint of the OpenAI form: vLLM, llama.cpp, or a hosted model."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from msgspec import field

from wdw_build.core.section import NonNegativeInt, PositiveInt, Section
from wdw_build.errors import ConfigError, MissingResourceError

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
