"""Makes plain text of the bytes of a corpus: encodings, character entities, tidy lines, paragraphs by layout.

Bytes are decoded by a named encoding or by ``auto``: UTF-8 if the bytes are valid UTF-8, else Windows-1252. Unlike
statistical detection, ``auto`` gives the same text on every machine. It decides for each line or article, so one corpus may
hold both encodings. Bytes that cannot be decoded become U+FFFD. No declaration is read, so an entity expands to one
character at most.
"""

from __future__ import annotations

import functools
import html
import re
import unicodedata
from html.entities import html5
from urllib.parse import parse_qs, urlsplit

from wdw_build.errors import ConfigError

_SPACE_CONTROLS = "\r\v\f\x1c\x1d\x1e\x1f\x85"
_UNWANTED: dict[int, str | None] = {code: None for code in range(0xA0) if unicodedata.category(chr(code)) == "Cc"}
_UNWANTED |= dict.fromkeys(range(0xD800, 0xE000), None)
_UNWANTED |= dict.fromkeys(map(ord, _SPACE_CONTROLS), " ")
del _UNWANTED[ord("\n")], _UNWANTED[ord("\t")]

_ADDRESS = re.compile(r"https?://[^/]", re.IGNORECASE)
# Begins with one set, because a search for a set is fast.
_SHOWS_TWICE = re.compile("[\x80-\xa0](?:(?<=[\x80-\x9f])|(?<=Â\xa0))")
# The bytes of one UTF-8 character, each read as a Latin-1 character; at least one is neither a letter nor a mark.
_TWICE = re.compile(
    r"(?=.?.?.?[\x80-\x9f]|.?\xa0)(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})"
)
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));")
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
    """The encoding to use for the name in an XML declaration; ``auto`` if the name is empty.

    ``auto``, too, for UTF-16: a declaration that is read byte by byte is not in it, or no longer.
    """
    plain = name.strip().lower().replace("_", "-")
    if plain.startswith("utf-16"):
        return AUTO
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


def tidy(text: str) -> str:
    """The text on one line: each run of white space becomes a space; other control characters and surrogates are removed.

    First, UTF-8 that was decoded as Latin-1 is decoded again where a control character or a no-break space reveals it.
    """
    if not text.isascii() and _SHOWS_TWICE.search(text):
        text = _TWICE.sub(_decode_again, text)
    # Of white space, only the space is printable: most texts are tidy.
    if text.isprintable() and "  " not in text and text == text.strip(" "):
        return text
    joined = " ".join(text.split())
    return joined if joined.isprintable() else " ".join(joined.translate(_UNWANTED).split())


def _decode_again(match: re.Match[str]) -> str:
    try:
        return match[0].encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return match[0]


def unescape(text: str) -> str:
    """Replace character entities, once. An entity must end in a semicolon."""
    return _ENTITY.sub(lambda entity: _known_character(entity[0], *entity.groups()), text) if "&" in text else text


@functools.lru_cache(maxsize=1024)
def _known_character(entity: str, decimal: str | None, hexadecimal: str | None, name: str | None) -> str:
    if name:
        return html5.get(f"{name};", entity)
    code = int(decimal) if decimal else int(hexadecimal or "", 16)
    if 0x80 <= code < 0xA0:
        return html.unescape(entity)  # reads the number as a byte of Windows-1252
    return chr(code) if code <= 0x10FFFF else ""


def host_of(address: str) -> str:
    """The host name of a web address without "www."; empty if the address has none.

    The parameter ``url`` of an aggregator's address has the address of the article.
    """
    try:
        (linked,) = parse_qs(urlsplit(html.unescape(address)).query).get("url", [""])[-1:]
        host = urlsplit(linked if _ADDRESS.match(linked) else address.partition(" ")[0]).hostname
        return (host or "").removeprefix("www.")
    except ValueError:
        return ""


def layout(text: str, *, indent: int, blank_lines: bool) -> list[list[str]]:
    """The lines of each paragraph of text without markup: a line indented by at least ``indent`` columns starts one.

    With ``blank_lines``, an empty line also ends a paragraph.
    """
    paragraphs: list[list[str]] = [[]]
    for line in text.expandtabs().split("\n"):
        bare = line.strip()
        if not bare:
            if blank_lines:
                paragraphs.append([])
        elif len(line) - len(line.lstrip()) >= indent:
            paragraphs.append([bare])
        else:
            paragraphs[-1].append(bare)
    return paragraphs


def paragraphs_by_layout(text: str, *, indent: int, blank_lines: bool) -> tuple[str, ...]:
    """The paragraphs of text without markup, each on one line (see ``layout``)."""
    lines = layout(text, indent=indent, blank_lines=blank_lines)
    return tuple(filter(None, (tidy(" ".join(paragraph)) for paragraph in lines)))
