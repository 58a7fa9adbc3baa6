"""Reads the SGML of newswire corpora: blocks between two tags, character entities, tidy text, paragraphs by layout.

This is not an XML parser. It ignores declarations, so an entity expands to one character at most.
"""

from __future__ import annotations

import html
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from html.entities import html5
from typing import NamedTuple

from wdw_build.adapters.corpora.reading.lines import LONGEST, Lines, too_long

_SPACE_CONTROLS = "\r\v\f\x1c\x1d\x1e\x1f\x85"
_UNWANTED: dict[int, str | None] = {code: None for code in range(0xA0) if unicodedata.category(chr(code)) == "Cc"}
_UNWANTED |= dict.fromkeys(range(0xD800, 0xE000), None)
_UNWANTED |= dict.fromkeys(map(ord, _SPACE_CONTROLS), " ")
del _UNWANTED[ord("\n")], _UNWANTED[ord("\t")]

_SHOWS_TWICE = re.compile("[\x80-\x9f]|Â\xa0")
# The bytes of one UTF-8 character, each read as a Latin-1 character; at least one is neither a letter nor a mark.
_TWICE = re.compile(
    r"(?=.?.?.?[\x80-\x9f]|.?\xa0)(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})"
)
_ENTITY = re.compile(
    r"&(?:#(?P<decimal>[0-9]{1,7})|#[xX](?P<hex>[0-9a-fA-F]{1,6})|(?P<name>[A-Za-z][A-Za-z0-9]{1,31}));"
)
_ONLY_TAGS = re.compile(rb"(?:\s*<[^<>]*>)*\s*")
_LONGEST_TAGS = 4096
_PADDING = b" \t\r\x00\x1a"


def tidy(text: str) -> str:
    """The text on one line: each run of white space becomes a space; other control characters and surrogates are removed.

    First, UTF-8 that was decoded as Latin-1 is decoded again where a control character or a no-break space reveals it.
    """
    if not text.isascii() and _SHOWS_TWICE.search(text):
        text = _TWICE.sub(_decode_again, text)
    joined = " ".join(text.split())
    return joined if joined.isprintable() else " ".join(joined.translate(_UNWANTED).split())


def _decode_again(match: re.Match[str]) -> str:
    try:
        return match[0].encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return match[0]


def unescape(text: str) -> str:
    """Replace character entities, once. An entity must end in a semicolon."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    if name := match["name"]:
        return html5.get(f"{name};", match[0])
    code = int(match["decimal"]) if match["decimal"] else int(match["hex"], 16)
    if 0x80 <= code < 0xA0:
        return html.unescape(match[0])  # reads the number as a byte of Windows-1252
    return chr(code) if code <= 0x10FFFF else ""


def attributes(tag: str) -> dict[str, str]:
    """The attributes of a start tag; names are in lower case."""
    pairs = re.findall(r"""([A-Za-z][\w.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')""", tag)
    return {name.lower(): tidy(unescape(double or single)) for name, double, single in pairs}


def paragraphs_by_layout(text: str, *, indent: int, blank_lines: bool) -> tuple[str, ...]:
    """Split text without markup into paragraphs: a line indented by at least ``indent`` columns starts one.

    With ``blank_lines``, an empty line also ends a paragraph.
    """
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        bare = line.strip()
        if not bare:
            if blank_lines:
                paragraphs.append([])
        elif len(line.expandtabs()) - len(line.expandtabs().lstrip()) >= indent:
            paragraphs.append([bare])
        else:
            paragraphs[-1].append(bare)
    return tuple(filter(None, (tidy(" ".join(lines)) for lines in paragraphs)))


class Block(NamedTuple):
    """The bytes from a start tag to its end tag, both included; or an error if there is no complete block."""

    line: int
    raw: bytes
    error: str = ""


def blocks(
    lines: Iterable[tuple[int, bytes | None]],
    tag: str,
    longest: int = LONGEST,
    *,
    wrapped: bool = False,
    from_tag: bool = False,
    is_beyond: Callable[[], bool] = bool,
) -> Iterator[Block]:
    """Yield every ``<tag ...>...</tag>``, and an error for each block that is truncated or too long.

    A start tag must begin a line. Lines of declarations, comments and other tags outside of blocks are skipped; other
    text there is an error unless ``wrapped`` says that an XML envelope surrounds the blocks. ``from_tag``: skip
    everything before the first start tag. ``is_beyond``: says that the last line is after the span that is read; the
    function returns at the first start tag in such a line.
    """
    splitter = _BlockSplitter(tag, longest, wrapped)
    source = iter(lines)
    for number, line in splitter.from_first_tag(source, is_beyond) if from_tag else source:
        if line is None:
            yield from splitter.overflow(number)
        elif splitter.takes(line):
            splitter.add(line)
        else:
            for part in splitter.parts(line):
                if splitter.opening.match(part):
                    yield from splitter.interrupt(number)
                    if is_beyond():
                        return
                yield from splitter.feed(number, part)
    yield from splitter.end()


class _BlockSplitter:
    """The state of ``blocks``: the lines of the open block, or that its rest is being skipped."""

    def __init__(self, tag: str, longest: int, wrapped: bool) -> None:
        self.tag = tag
        self.wrapped = wrapped
        self.longest = longest
        self.mark = tag.encode()
        self.opening = re.compile(rb"\s*(?:\xef\xbb\xbf)?<%s(?=[\s>]|$)" % self.mark)
        self.closing = f"</{tag}>".encode()
        self.held: list[bytes] = []
        self.start = self.size = 0
        self.skipping = False
        self.reported = False

    def from_first_tag(self, lines: Lines, is_beyond: Callable[[], bool]) -> Lines:
        """The lines from the first start tag on, without what precedes the tag in its line; no lines if it is beyond."""
        for number, line in lines:
            if is_beyond():
                break
            parts = self.parts(line) if line is not None else []
            for position, part in enumerate(parts):
                if self.opening.match(part):
                    return itertools.chain([(number, b"".join(parts[position:]))], lines)
        return iter(())

    def takes(self, line: bytes) -> bool:
        """Whether a block is open that the line cannot end. This quick test decides for most lines."""
        return bool(self.held) and self.mark not in line and self.size <= self.longest

    def add(self, line: bytes) -> None:
        """Append a line to the open block."""
        self.held.append(line)
        self.size += len(line) + 1

    def parts(self, line: bytes) -> list[bytes]:
        """The line, split after every end tag that other content follows."""
        cut = line.replace(self.closing, self.closing + b"\n").split(b"\n") if self.closing in line else [line]
        return cut if len(cut) == 1 or cut[-1].strip(_PADDING) else cut[:-1]

    def feed(self, number: int, line: bytes) -> Iterator[Block]:
        """Process a line; yield the block that it completes, or the error that it reveals."""
        if self.opening.match(line):
            self.start, self.held, self.size = number, [line], len(line)
            self.skipping = self.reported = False
        elif self.held:
            self.add(line)
        elif not self.skipping:
            yield from self._outside(number, line)
        if self.size > self.longest:
            yield from self.overflow(number)
        elif self.held and self.closing in line:
            yield Block(self.start, b"\n".join(self.held))
            self.held, self.size = [], 0

    def overflow(self, number: int) -> Iterator[Block]:
        """Abandon the open block and skip everything up to the next start tag."""
        if not self.skipping:
            yield Block(self.start if self.held else number, b"", too_long(self.longest))
        self.held, self.size, self.skipping = [], 0, True

    def interrupt(self, number: int) -> Iterator[Block]:
        """Yield an error if a block is still open at the next start tag."""
        if self.held:
            yield Block(self.start, b"", f"no </{self.tag}> before the next <{self.tag}> in line {number}")

    def end(self) -> Iterator[Block]:
        """Yield an error if a block is still open at the end of the file."""
        if self.held:
            yield Block(self.start, b"", "cut off by the end of the file")

    def _outside(self, number: int, line: bytes) -> Iterator[Block]:
        if (
            not self.wrapped
            and not self.reported
            and line.strip(_PADDING)
            and not _ONLY_TAGS.fullmatch(line[:_LONGEST_TAGS])
        ):
            self.reported = True  # one error for consecutive lines
            yield Block(number, b"", f"text outside any <{self.tag}>")
