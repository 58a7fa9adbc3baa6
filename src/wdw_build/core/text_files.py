"""Text files that people write, or save with other programs: byte order marks, UTF-16, and lone surrogates."""

from __future__ import annotations

import codecs
from pathlib import Path

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def has_surrogates(text: str) -> bool:
    """Whether a text cannot be written as UTF-8. Python decodes bytes that are not UTF-8 to lone surrogates."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def utf_16_of(head: bytes) -> str:
    """The UTF-16 codec of a file that begins so, by its mark or by the zeros of four ASCII characters; empty for none."""
    if head.startswith(_UTF_16):
        return "utf-16"
    return "utf-16-le" if head[1:8:2] == bytes(4) and all(head[:8:2]) else ""


def read_utf_8(path: Path) -> bytes:
    """The content of a file, from UTF-16 or UTF-8, as UTF-8 without a byte order mark. Raises ``OSError``."""
    content = path.read_bytes()
    if codec := utf_16_of(content[:8]):
        return content.decode(codec, "replace").encode("utf-8", "replace")
    return content.removeprefix(codecs.BOM_UTF8)


def read_lines(path: Path) -> list[tuple[int, bytes]]:
    """The number, from 1, and the content of each line that is not blank, as ``read_utf_8``. Raises ``OSError``."""
    lines = read_utf_8(path).splitlines()
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
