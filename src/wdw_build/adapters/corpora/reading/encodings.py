"""Bytes to text: an encoding that is named, or ``auto``: UTF-8 where the bytes are that, else Windows-1252.

The rule is the same on every machine, unlike a guess by statistics; it is applied line by line or article by article,
so that a corpus may mix the two. Bytes that cannot be decoded become U+FFFD.
"""

from __future__ import annotations

from wdw_build.errors import ConfigError

AUTO = "auto"
# In Latin-1 the bytes 0x80 to 0x9F are control characters, which no newswire means; what it means is Windows-1252.
_LATIN_1 = {"iso-8859-1", "iso8859-1", "latin-1", "latin1", "l1", "us-ascii", "ascii"}


def decode(raw: bytes, encoding: str) -> str:
    """The text of some bytes; ``encoding`` is ``auto`` or the name of an encoding that is known."""
    if encoding != AUTO:
        return raw.decode(encoding, "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def declared(name: str) -> str:
    """The encoding that an XML declaration means: ``auto`` if it names none."""
    plain = name.strip().lower().replace("_", "-")
    return "cp1252" if plain in _LATIN_1 else plain or AUTO


def readable_by_line(encoding: str) -> bool:
    """Whether the encoding is known and a newline is one byte in it: files are cut at that byte."""
    if encoding == AUTO:
        return True
    try:
        return b"\n".decode(encoding, "replace") == "\n"
    except (LookupError, UnicodeError, ValueError):
        return False


def check_encoding(encoding: str) -> None:
    """Raise ``ConfigError`` unless the encoding can be read line by line."""
    if not readable_by_line(encoding):
        raise ConfigError(
            f"corpus.options.encoding: {encoding!r} is no encoding that can be read line by line",
            hint="Give auto, or an encoding in which a newline is one byte, such as utf-8, latin-1 or cp1252.",
        )
