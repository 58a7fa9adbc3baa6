"""Reads a chat completion of the OpenAI form: the model's answer, the reason why there is none, or the server's error."""

from __future__ import annotations

import codecs
from typing import Any, NamedTuple

import msgspec

from wdw_build.reading.answers import final_answer

# Why a problem is unanswered.
REFUSED = "the server refused the prompt"
_CUT = "the output was cut off before an answer (raise max_tokens in options)"
_FILTERED = "a content filter withheld the answer"
_EMPTY = "the response has no text"
# Values of ``finish_reason`` at the limit of tokens.
_AT_LIMIT = ("length", "max_tokens", "model_length")
# Values of an error's ``code`` or ``type``, in place of a status, that blame the prompt.
_ABOUT_PROMPT = {"content_filter", "context_length_exceeded", "invalid_request_error"}


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model's output; with a ``fault`` it is no answer, and a refused prompt has the server's message as text."""

    text: str
    fault: str = ""


class ServerError(NamedTuple):
    """An error that was sent with status 200. ``status``: the one that its body gives, if any."""

    status: int | None
    message: str


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


def read_completion(response: bytes) -> Answer | ServerError:
    """The first choice of a response. Raises msgspec's errors or ``UnicodeDecodeError`` if it has not the OpenAI form."""
    fields = msgspec.json.decode(response.removeprefix(codecs.BOM_UTF8), type=dict[str, Any])
    if error := fields.get("error") or (fields if fields.get("object") == "error" else None):
        return _server_error(error)
    choices = msgspec.convert(fields, _Completion).choices
    if not choices:
        return Answer("", _EMPTY)
    return _server_error(choices[0].error) if choices[0].error else _answer(choices[0])


def _answer(choice: _Choice) -> Answer:
    text, reason = choice.message.text, (choice.finish_reason or "").lower()
    final = final_answer(text)
    if reason == "content_filter":
        return Answer(text, _FILTERED)
    # With max_tokens: 1, a letter or a surname ends at the limit. More words may be reasoning.
    if (text and not final) or (reason in _AT_LIMIT and len(final.split()) != 1):
        return Answer(text, _CUT)
    return Answer(text, "" if final else _EMPTY)


def _server_error(error: Any) -> ServerError:
    if not isinstance(error, dict):
        return ServerError(None, str(error))
    codes = [str(error.get(name)) for name in ("code", "status", "type")]
    statuses = [int(code) for code in codes if code in map(str, range(400, 600))]
    if not statuses and _ABOUT_PROMPT.intersection(codes):
        statuses = [400]
    return ServerError(statuses[0] if statuses else None, str(error.get("message") or error))
