"""``XmlCorpus``, the base class of readers of XML: finds the documents in files and archives, and parses each alone.

The parser never sees a document's DOCTYPE, so it expands and fetches nothing that is declared there. The members of .zip and
.tar archives are not unpacked to disk. Their names only appear in messages, so a name such as ``../../x`` does no harm. Links
and devices are skipped.
"""

from __future__ import annotations

import re
import tarfile
import zipfile
from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, ClassVar, cast
from xml.etree.ElementTree import Element

from wdw_build.adapters.corpora.reading.base import FileCorpus, ReaderOptions
from wdw_build.adapters.corpora.reading.markup import declared, decode, readable_by_line, tidy
from wdw_build.adapters.corpora.reading.sgml_corpus import Block, blocks
from wdw_build.adapters.corpora.reading.streams import BLOCK, HARMLESS, Lines, SpanLines, open_bytes, open_lines
from wdw_build.adapters.corpora.reading.trees import MarkupError, parse_xml
from wdw_build.ports import WHOLE, FileRange
from wdw_build.records import RawArticle, Unreadable

_DECLARATION = re.compile(rb"""<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']""")
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")

# zipfile raises these, besides its own, for unknown compression methods, for passwords, and for damaged and empty names.
_OF_ZIP = (zipfile.BadZipFile, NotImplementedError, RuntimeError, UnicodeDecodeError, IndexError)
_DAMAGE = (*_OF_ZIP, tarfile.TarError)


class XmlOptions(ReaderOptions, frozen=True):
    """Options of the readers of XML. With ``auto``, an encoding that the XML declaration names comes first."""

    encoding: str = "auto"


class XmlCorpus(FileCorpus[XmlOptions]):
    """A reader of XML documents; a file or an archive member (.zip, .tar) holds at least one document."""

    tag: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = (".xml", *ARCHIVES)
    options_type = XmlOptions

    @abstractmethod
    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in one document."""

    def lines(self, file: Path, span: FileRange = WHOLE) -> SpanLines:
        """See ``FileCorpus.lines``; also of UTF-16."""
        return SpanLines(open_lines(file, self.options.max_unpack_ratio), span, self.longest)

    def read_span(self, file: Path, place: str, span: FileRange) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of a file or of an archive's members. A place names the line where a document begins."""
        if not file.name.lower().endswith(ARCHIVES):
            yield from self._documents(self.lines(file), place)
            return
        try:
            for name, stream in _members(file, self.options.max_unpack_ratio):
                if name.lower().endswith(self.suffixes):
                    yield from self._documents(SpanLines(stream), f"{place}/{tidy(name)}")
        except _DAMAGE as error:
            raise OSError(f"damaged archive: {tidy(str(error))}") from error

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
            yield Unreadable(place=place, error=f"holds no <{self.tag}>")

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


def _members(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield (name, stream) for every member, in the archive's order.

    Raises ``OSError`` if a member unpacks to more than ``max_ratio`` times its size or data follow the last member of a
    tar archive, and the library's errors if the archive is damaged. Reading a stream can raise them, too.
    """
    return _zip(file, max_ratio) if file.suffix.lower() == ".zip" else _tar(file, max_ratio)


def _zip(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if info.file_size > HARMLESS and info.file_size > max_ratio * info.compress_size:
                raise OSError(f"{info.filename} unpacks to more than {max_ratio:g} times its size")
            # zipfile stops at the size that the archive declares, so a false size lets no more bytes through.
            with archive.open(info) as stream:
                yield info.filename, stream


def _tar(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    # open_bytes does not know the suffix .tgz.
    packing = ".gz" if file.suffix.lower() == ".tgz" else ""
    with open_bytes(file, max_ratio, packing) as packed, tarfile.open(fileobj=packed, mode="r|") as archive:
        while (info := archive.next()) is not None:
            # The library remembers every member, and its types do not show where.
            cast(Any, archive).members.clear()
            stream = archive.extractfile(info) if info.isfile() else None
            if stream is not None:
                yield info.name, stream
        # tarfile takes a damaged header for the end. Only at the end of the file is the checksum of its compression known.
        while block := cast(Any, archive).fileobj.read(BLOCK):
            if block.strip(b"\0"):
                raise OSError("damaged archive: there are data after its last readable member")
