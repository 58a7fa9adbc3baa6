"""What the readers of XML articles share: documents cut out of files and archives, and parsed one by one.

A document is parsed without its DOCTYPE, so nothing that is declared there is ever expanded or fetched: entities of HTML
become their characters, unknown ones are left as they stand. Control characters, which XML does not allow, are dropped.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, TypeVar
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from wdw_build.adapters.corpora.reading.archives import ARCHIVES, is_archive, members
from wdw_build.adapters.corpora.reading.base import FileCorpus, ReaderOptions
from wdw_build.adapters.corpora.reading.encodings import declared, decode, readable_by_line
from wdw_build.adapters.corpora.reading.markup import blocks, tidy, unescape
from wdw_build.adapters.corpora.reading.streams import Lines, lines
from wdw_build.records import RawArticle, Unreadable

_DECLARATION = re.compile(rb"""<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']""")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_DEEPEST = 200


class XmlOptions(ReaderOptions, frozen=True):
    """Options of the readers of XML. ``declared``: as the file's XML declaration says, else as ``auto``."""

    encoding: str = "auto"


XmlOptionsT = TypeVar("XmlOptionsT", bound=XmlOptions)


class Malformed(ValueError):
    """The document is no well-formed XML; the message says where in it."""


class XmlCorpus(FileCorpus[XmlOptionsT]):
    """A corpus of XML documents, one or many a file, also within .zip and .tar."""

    tag: ClassVar[str]
    suffixes = (".xml", *ARCHIVES)
    options_type: type[XmlOptionsT]

    @abstractmethod
    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article of one document."""

    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of a file or of an archive's members; places name the line that a document begins in."""
        if not is_archive(file):
            yield from self._documents(self.lines(file), place)
            return
        for name, stream in members(file, (".xml",), self.options.max_unpack_ratio):
            yield from self._documents(lines(stream), f"{place}/{tidy(name)}")

    def _documents(self, found: Lines, place: str) -> Iterator[RawArticle | Unreadable]:
        document = _Declared(found, self.tag)
        count = 0
        for block in blocks(iter(document), self.tag, wrapped=True):
            count += 1
            where = f"{place}:{block.line}"
            encoding = document.encoding if self.options.encoding == "auto" else self.options.encoding
            if block.error:
                yield Unreadable(place=where, error=block.error)
            elif not readable_by_line(encoding):
                yield Unreadable(place=where, error=f"its encoding {encoding!r} cannot be read")
            else:
                yield self._parsed(decode(block.raw, encoding), where)
        if not count:
            yield Unreadable(place=place, error=f"holds no <{self.tag}>")

    def _parsed(self, text: str, place: str) -> RawArticle | Unreadable:
        try:
            return self.article(parse(text), place)
        except Malformed as error:
            return Unreadable(place=place, error=f"bad XML: {error}")


class _Declared:
    """The lines of a file with every document's tags written alike, each start tag at the beginning of a line.

    Alike: without a prefix, and in the case of ``tag``. ``encoding`` is what was declared last.
    """

    def __init__(self, found: Lines, tag: str) -> None:
        self._lines, self._tag = found, tag.encode()
        self._any = re.compile(rb"<(/?)(?:[\w.-]{1,40}:)?%s(?=[\s>])" % self._tag, re.IGNORECASE)
        self.encoding = declared("")

    def __iter__(self) -> Lines:
        for number, found in self._lines:
            if found is None:
                yield number, None
                continue
            if said := _DECLARATION.search(found):
                self.encoding = declared(said[1].decode("ascii", "replace"))
            for piece in self._any.sub(self._alike, found).split(b"\n"):
                yield number, piece

    def _alike(self, match: re.Match[bytes]) -> bytes:
        return (b"</" if match[1] else b"\n<") + self._tag


def parse(text: str) -> Element:
    """The element that a document is. Names lose their prefix. Raises ``Malformed``."""
    builder = TreeBuilder()
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise Malformed("nested too deeply")
        builder.start(name.rpartition(":")[2], attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name.rpartition(":")[2])

    def skipped(name: str, parameter: bool) -> None:
        builder.data("" if parameter else unescape(f"&{name};"))

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.SkippedEntityHandler = builder.data, skipped
    try:
        # With a DOCTYPE that is not read, an unknown entity is skipped and not an error.
        parser.Parse(b'<!DOCTYPE article SYSTEM "unread">', False)
        parser.Parse(_NOT_XML.sub("", text).encode("utf-8", "replace"), True)
        return builder.close()
    except expat.ExpatError as error:
        raise Malformed(expat.ErrorString(error.code)) from None


def line(element: Element | None) -> str:
    """The text of an element on one line, empty if there is none."""
    return "" if element is None else tidy("".join(element.itertext()))


def paragraphs(elements: Iterator[Element]) -> tuple[str, ...]:
    """The texts of elements that are not empty."""
    return tuple(filter(None, map(line, elements)))


def first_value(root: Element, paths: tuple[str, ...]) -> str:
    """The first of some places that holds anything: an element's text, or with ``path@name`` an attribute's value."""
    for path in paths:
        where, is_attribute, name = path.rpartition("@")
        # The last @ may belong to a condition on an attribute, in brackets.
        if not is_attribute or name.endswith("]"):
            found = line(root.find(path))
        else:
            element = root if where == "." else root.find(where)
            found = "" if element is None else tidy(element.get(name, ""))
        if found:
            return found
    return ""
