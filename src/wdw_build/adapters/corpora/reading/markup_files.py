"""Finds the blocks between two tags, and ``SgmlCorpus`` and ``XmlCorpus``, the base classes of readers of marked-up files.

In SGML, a block is an article. An XML document is parsed alone: the parser never sees a document's DOCTYPE, so it expands and
fetches nothing that is declared there.
"""

from __future__ import annotations

import itertools
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import ClassVar, NamedTuple
from xml.etree.ElementTree import Element

from wdw_build.adapters.corpora.reading.archives import ARCHIVES
from wdw_build.adapters.corpora.reading.base import FileCorpus, LineFiles, OptionsT, ReaderOptions
from wdw_build.adapters.corpora.reading.markup import declared, decode, readable_by_line
from wdw_build.adapters.corpora.reading.streams import LONGEST, Lines, SpanLines, too_long
from wdw_build.adapters.corpora.reading.trees import MarkupError, parse_sgml, parse_xml
from wdw_build.ports import FileRange
from wdw_build.records import RawArticle, Unreadable

_ONLY_TAGS = re.compile(rb"(?:\s*<[^<>]*>)*\s*")
_LONGEST_TAGS = 4096
_PADDING = b" \t\r\x00\x1a\xef\xbb\xbf"


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

    ``tag`` can be several names with "|" between. Lines of declarations, comments and other tags outside of blocks are skipped;
    other text there is an error unless ``wrapped`` says that an XML envelope surrounds the blocks, whose tags may have a prefix
    and any case. ``from_tag``: skip everything before the first start tag. ``is_beyond``: says that the last line is after the
    span that is read; the function returns at the first start tag in such a line.
    """
    prefix, flags = (rb"(?:[\w.-]{1,40}:)?", re.IGNORECASE) if wrapped else (b"", 0)
    mark = b"<" if wrapped else tag.encode()
    edges = re.compile(rb"<(/?)%s(%s)(?=[\s>]|$)" % (prefix, tag.encode()), flags)
    held: list[bytes] = []  # the lines of the open block
    open_tag = tag
    start = size = 0
    skipping = from_tag or wrapped  # up to the next start tag
    for number, line in lines:
        if line is None:
            if held or not skipping:
                yield Block(start if held else number, b"", too_long(longest))
            held, size, skipping = [], 0, True
            continue
        if held and mark not in line and size <= longest:  # This quick test decides for most lines.
            held.append(line)
            size += len(line) + 1
            continue
        for part in _parts(line, edges):
            opening = edges.match(part)
            if opening and not opening[1]:
                if held:
                    yield Block(start, b"", f"no </{open_tag}> before the next <{open_tag}> in line {number}")
                if is_beyond():
                    return
                held, start, size, open_tag = [part], number, len(part), opening[2].decode()
                skipping = wrapped
            elif held:
                held.append(part)
                size += len(part) + 1
            elif not skipping and part.strip(_PADDING) and not _ONLY_TAGS.fullmatch(part[:_LONGEST_TAGS]):
                skipping = True  # one error for consecutive lines outside of blocks
                yield Block(number, b"", f"text outside any <{tag}>")
            if size > longest:
                yield Block(start, b"", too_long(longest))
                held, size, skipping = [], 0, True
            elif held and _ends(part, edges, open_tag):
                yield Block(start, b"\n".join(held))
                held, size = [], 0
    if held:
        yield Block(start, b"", "cut off by the end of the file")


def _parts(line: bytes, edges: re.Pattern[bytes]) -> list[bytes]:
    """The parts of a line, each of which begins with a start tag or ends with an end tag."""
    cuts = [
        line.find(b">", edge.start()) + 1 or len(line) if edge[1] else edge.start() for edge in edges.finditer(line)
    ]
    return [line[start:end] for start, end in itertools.pairwise([0, *cuts, len(line)]) if start < end]


def _ends(part: bytes, edges: re.Pattern[bytes], tag: str) -> bool:
    return b"</" in part and any(edge[1] and edge[2].decode().lower() == tag.lower() for edge in edges.finditer(part))


class SgmlCorpus(LineFiles[OptionsT]):
    """A reader of files that hold one ``<tag ...>...</tag>`` after another.

    A span holds the blocks whose start tag is in one of its lines, with everything up to the next start tag.
    """

    tag: ClassVar[str]
    archives = ARCHIVES

    @abstractmethod
    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in one block."""

    def read_span(self, file: Path, place: str, span: FileRange) -> Iterator[RawArticle | Unreadable]:
        """Yield an article or an ``Unreadable`` for every block. A place holds the number of the block's first line."""
        for where, lines in self.pieces(file, place, span):
            yield from self.read_lines(lines, where, from_tag=span.start > 0)

    def read_lines(self, lines: SpanLines, place: str, *, from_tag: bool = False) -> Iterator[RawArticle | Unreadable]:
        """Yield an article or an ``Unreadable`` for every block; ``from_tag``: see ``blocks``."""
        all_blocks = blocks(lines, self.tag, self.longest, from_tag=from_tag, is_beyond=lambda: lines.is_beyond)
        for block in all_blocks:
            where = f"{place}:{block.line}"
            if block.error:
                yield Unreadable(place=where, error=block.error)
                continue
            try:
                yield self.article(parse_sgml(self.text(block.raw)), where)
            except MarkupError as error:
                yield Unreadable(place=where, error=f"bad SGML: {error}")


# ---- XML -------------------------------------------------------------------------------------------------------------

_DECLARATION = re.compile(rb"""<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']""")


class XmlOptions(ReaderOptions, frozen=True):
    """Options of the readers of XML. With ``auto``, an encoding that the XML declaration names comes first."""

    encoding: str = "auto"


class XmlCorpus(FileCorpus[XmlOptions]):
    """A reader of XML documents; a file or an archive member (.zip, .tar) holds at least one document."""

    tag: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = (".xml",)
    archives = ARCHIVES
    options_type = XmlOptions

    @abstractmethod
    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in one document."""

    def read_span(self, file: Path, place: str, span: FileRange) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of a file or of an archive's members. A place names the line where a document begins."""
        for where, lines in self.pieces(file, place, span):
            yield from self._documents(lines, where)

    def _documents(self, source: SpanLines, place: str) -> Iterator[RawArticle | Unreadable]:
        encoding, count = declared(""), 0

        def lines() -> Lines:
            nonlocal encoding
            for number, content in source:
                if content and (declaration := _DECLARATION.search(content)):
                    encoding = declared(declaration[1].decode("ascii", "replace"))
                yield number, content

        for block in blocks(lines(), self.tag, wrapped=True):
            count += 1
            yield self._article(block, encoding, f"{place}:{block.line}")
        if not count:
            yield Unreadable(place=place, error=f"holds no <{self.tag}>", ends_file=True)

    def _article(self, block: Block, encoding: str, place: str) -> RawArticle | Unreadable:
        encoding = encoding if self.options.encoding == "auto" else self.options.encoding
        if block.error:
            return Unreadable(place=place, error=block.error)
        if not readable_by_line(encoding):
            return Unreadable(place=place, error=f"cannot read the encoding {encoding!r}")
        try:
            return self.article(parse_xml(decode(block.raw, encoding)), place)
        except MarkupError as error:
            return Unreadable(place=place, error=f"bad XML: {error}")
