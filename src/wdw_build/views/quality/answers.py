"""Reads a reader's answers: the filled-in ``sheet.jsonl``, or the JSON that the page saved."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from wdw_build.errors import UsageError
from wdw_build.views.quality.judgements import Answer, SavedAnswers

S = TypeVar("S", bound=msgspec.Struct)

_HINT = "give the filled-in sheet.jsonl, or the file that the page saved"


class _AnswerLine(Answer, frozen=True, kw_only=True):
    """A line of the filled-in sheet; question, passage and choices are ignored."""

    sheet: str


def read_answers(path: Path) -> SavedAnswers:
    """The answers of a file. Raises ``UsageError`` if the file has neither form, or answers to several sheets."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", hint=_HINT) from error
    if _is_saved(content):
        return _decode(content, SavedAnswers, str(path))
    lines = [
        _decode(line, _AnswerLine, f"{path}:{number}")
        for number, line in enumerate(content.splitlines(), 1)
        if line.strip()
    ]
    if not lines:
        raise UsageError(f"{path} is empty", hint=_HINT)
    names = sorted({line.sheet for line in lines})
    if len(names) > 1:
        raise UsageError(f"{path} has lines of several sheets: {', '.join(names)}", hint="score one sheet at a time")
    return SavedAnswers(names[0], tuple(lines))


def _is_saved(content: bytes) -> bool:
    """Whether the page saved the file: one JSON object with answers."""
    try:
        document = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return isinstance(document, dict) and "answers" in document


def _decode(content: bytes, kind: type[S], place: str) -> S:
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"{place}: {error}", hint=_HINT) from error
