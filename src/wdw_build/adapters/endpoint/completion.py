"""Reads a chat completion of the OpenAI form: the model's answer, the reason why there is none, or the server's error."""

from __future__ import annotations

import codecs
import re
from typing import Any

import msgspec

from wdw_build.core.progress import printable
from wdw_build.reading.answers import final_answer

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

    def __init__(self, said: str, status: int | None = None, wait: float | None = None) -> None:
        text = printable(" ".join(said.split())[:_SHOWN])
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
