"""Decodes bytes by a named encoding or by ``auto``: UTF-8 if the bytes are valid UTF-8, else Windows-1252.

Unlike statistical detection, ``auto`` gives the same text on every machine. It decides for each line or article, so one
corpus may hold both encodings. Bytes that cannot be decoded become U+FFFD.
"""

from __future__ import annotations

from wdw_build.errors import ConfigError

AUTO = "auto"
# Text that declares Latin-1 is read as Windows-1252, which differs only in the bytes 0x80 to 0x9F: there, Latin-1 has
# control characters, which newswire does not use.
_LATIN_1 = {"iso-8859-1", "iso8859-1", "latin-1", "latin1", "l1", "us-ascii", "ascii"}


def decode(raw: bytes, encoding: str) -> str:
    """Decode bytes; ``encoding`` is ``auto`` or the name of a known encoding."""
    if encoding != AUTO:
        return raw.decode(encoding, "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def declared(name: str) -> str:
    """The encoding to use for the name in an XML declaration; ``auto`` if the name is empty."""
    plain = name.strip().lower().replace("_", "-")
    return "cp1252" if plain in _LATIN_1 else plain or AUTO


def readable_by_line(encoding: str) -> bool:
    """Whether Python knows the encoding and it writes a newline as one byte, at which files are split into lines."""
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
            f"corpus.options.encoding: {encoding!r} is not an encoding that can be read line by line",
            hint="Set it to auto, or to an encoding with a one-byte newline, such as utf-8, latin-1 or cp1252.",
        )
