"""Bytes of a file, unpacked on the way and cut into lines, with a bound on what is held in memory.

Lines end at a newline byte only. Reading by ``read1`` gives every line that stands before damage in a compressed file.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

BLOCK = 1 << 16
LONGEST = 64 << 20

Lines = Iterator[tuple[int, bytes | None]]


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading; .gz, .bz2 and .xz are unpacked as they are read. Raises ``OSError``."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return cast(IO[bytes], gzip.open(path, "rb"))
    if suffix == ".bz2":
        return cast(IO[bytes], bz2.open(path, "rb"))
    if suffix == ".xz":
        return cast(IO[bytes], lzma.open(path, "rb"))
    return path.open("rb")


def read_lines(path: Path, longest: int = LONGEST) -> Lines:
    """Yield (number from 1, line without its newline); None stands for a line of more than ``longest`` bytes.

    Raises what the unpacking raises on damage, after every whole line before it.
    """
    with open_bytes(path) as stream:
        number = 0
        held: list[bytes] = []
        size = 0
        while block := _some_bytes(stream):
            first, *others = block.split(b"\n")
            size += len(first)
            held.append(first)
            if size > longest:
                held.clear()
            if others:
                number += 1
                yield number, (None if size > longest else b"".join(held))
                for line in others[:-1]:
                    number += 1
                    yield number, (None if len(line) > longest else line)
                held, size = [others[-1]], len(others[-1])
        if size:
            yield number + 1, (None if size > longest else b"".join(held))


def _some_bytes(stream: IO[bytes]) -> bytes:
    return cast(bytes, stream.read1(BLOCK))  # type: ignore[attr-defined]


def too_long(longest: int = LONGEST) -> str:
    """The reason given for a line or an article that is not held in memory."""
    return f"longer than {longest >> 20} MB" if longest >= 1 << 20 else f"longer than {longest} bytes"
