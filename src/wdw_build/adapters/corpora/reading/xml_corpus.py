"""``XmlCorpus``, the base class of readers of XML: finds the documents in files and archives, and parses each alone.

The parser never sees a document's DOCTYPE, so it expands and fetches nothing that is declared there.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar
from xml.etree.ElementTree import Element

from wdw_build.adapters.corpora.reading.archives import ARCHIVES
from wdw_build.adapters.corpora.reading.base import FileCorpus, ReaderOptions
from wdw_build.adapters.corpora.reading.markup import declared, decode, readable_by_line
from wdw_build.adapters.corpora.reading.sgml_corpus import Block, blocks
from wdw_build.adapters.corpora.reading.streams import Lines, SpanLines
from wdw_build.adapters.corpora.reading.trees import MarkupError, parse_xml
from wdw_build.ports import FileRange
from wdw_build.records import RawArticle, Unreadable

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
