"""Typed JSON lines: one prepared codec for each record type; errors name file, line and JSON path. Also whole documents."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from wdw_build.errors import CorpusError
from wdw_build.records import Record

R = TypeVar("R", bound=Record)
T = TypeVar("T")

_encoder = msgspec.json.Encoder()


def encode(record: Any) -> bytes:
    """One line of JSON with its newline. Keys are in the order of the declaration."""
    return _encoder.encode(record) + b"\n"


def document(value: Any) -> bytes:
    """A value as an indented JSON document with a newline at its end, for files that people read."""
    return msgspec.json.format(_encoder.encode(value), indent=1) + b"\n"


def read_document(path: Path, kind: type[T]) -> T | None:
    """The value in a JSON document; None if the file is missing or cannot be decoded."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


@functools.cache
def decoder(kind: type[R]) -> msgspec.json.Decoder[R]:
    """The decoder of a record type."""
    return msgspec.json.Decoder(kind)


def decode(line: bytes, kind: type[R], place: str) -> R:
    """Decode one line. Raises ``CorpusError``, which names ``place``, if the line is not a record of that type."""
    try:
        record: R = decoder(kind).decode(line)
        return record
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CorpusError(
            f"{place}: not a {kind.__name__}: {error}",
            hint="the file was changed or truncated; delete its stage's folder in the store and run the stage again",
        ) from error


def read(path: Path, kind: type[R]) -> Iterator[R]:
    """Yield the records of a file."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            yield decode(line, kind, f"{path}:{number}")
