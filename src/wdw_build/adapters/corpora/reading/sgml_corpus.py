"""Finds the blocks between two tags, and ``SgmlCorpus``, the base class of readers of SGML, in which a block is an article."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import ClassVar, NamedTuple

from wdw_build.adapters.corpora.reading.base import LineFiles, OptionsT
from wdw_build.adapters.corpora.reading.streams import LONGEST, too_long
from wdw_build.ports import FileRange
from wdw_build.records import RawArticle, Unreadable

_ONLY_TAGS = re.compile(rb"(?:\s*<[^<>]*>)*\s*")
_LONGEST_TAGS = 4096
_PADDING = b" \t\r\x00\x1a"


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
    mark, closing = tag.encode(), f"</{tag}>".encode()
    opening = re.compile(rb"\s*(?:\xef\xbb\xbf)?<%s(?=[\s>]|$)" % mark)
    held: list[bytes] = []  # the lines of the open block
    start = size = 0
    skipping = from_tag  # up to the next start tag: before the first one, and after a block that is too long
    reported = False  # one error for consecutive lines outside of blocks
    for number, line in lines:
        if line is None:
            if not skipping:
                yield Block(start if held else number, b"", too_long(longest))
            held, size, skipping = [], 0, True
        elif held and mark not in line and size <= longest:  # This quick test decides for most lines.
            held.append(line)
            size += len(line) + 1
        else:
            # The line, split after every end tag that other content follows.
            parts = line.replace(closing, closing + b"\n").split(b"\n") if closing in line else [line]
            if len(parts) > 1 and not parts[-1].strip(_PADDING):
                parts.pop()
            for part in parts:
                if opening.match(part):
                    if held:
                        yield Block(start, b"", f"no </{tag}> before the next <{tag}> in line {number}")
                    if is_beyond():
                        return
                    start, held, size = number, [part], len(part)
                    skipping = reported = False
                elif held:
                    held.append(part)
                    size += len(part) + 1
                elif not (skipping or wrapped or reported) and _has_text(part):
                    reported = True
                    yield Block(number, b"", f"text outside any <{tag}>")
                if size > longest:
                    yield Block(start, b"", too_long(longest))
                    held, size, skipping = [], 0, True
                elif held and closing in part:
                    yield Block(start, b"\n".join(held))
                    held, size = [], 0
    if held:
        yield Block(start, b"", "cut off by the end of the file")


def _has_text(part: bytes) -> bool:
    return bool(part.strip(_PADDING)) and not _ONLY_TAGS.fullmatch(part[:_LONGEST_TAGS])


class SgmlCorpus(LineFiles[OptionsT]):
    """A reader of files that hold one ``<tag ...>...</tag>`` after another.

    A span holds the blocks whose start tag is in one of its lines, with everything up to the next start tag.
    """

    tag: ClassVar[str]

    @abstractmethod
    def article(self, block: str, place: str) -> RawArticle | Unreadable:
        """The article in one block."""

    def read_span(self, file: Path, place: str, span: FileRange) -> Iterator[RawArticle | Unreadable]:
        """Yield an article or an ``Unreadable`` for every block. A place holds the number of the block's first line."""
        lines = self.lines(file, span)
        opening = re.compile(rb"<%s(?=[\s>])" % self.tag.encode())
        found = blocks(lines, self.tag, self.longest, from_tag=span.start > 0, is_beyond=lambda: lines.is_beyond)
        for block in found:
            where = f"{place}:{block.line}"
            if block.error:
                yield Unreadable(place=where, error=block.error)
            elif len(opening.findall(block.raw)) > 1:
                yield Unreadable(
                    place=where, error=f"no </{self.tag}> before the next <{self.tag}>, which begins within a line"
                )
            else:
                yield self.article(self.text(block.raw), where)
