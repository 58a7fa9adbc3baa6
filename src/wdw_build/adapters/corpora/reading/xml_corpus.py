"""``XmlCorpus``, the base class of readers of XML: finds the documents in files and archives, and parses each alone.

The parser never sees a document's DOCTYPE, so it expands and fetches nothing that is declared there. HTML entities
become their characters; unknown entities stay as they are. Control characters, which XML forbids, are dropped.

The members of .zip and .tar archives are not unpacked to disk. Their names only appear in messages, so a name such as
``../../x`` does no harm. Links and devices are skipped.
"""

from __future__ import annotations

import re
import tarfile
import zipfile
from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, ClassVar, TypeVar, cast
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from wdw_build.adapters.corpora.reading.base import FileCorpus, ReaderOptions
from wdw_build.adapters.corpora.reading.markup import declared, decode, readable_by_line, tidy, unescape
from wdw_build.adapters.corpora.reading.sgml_corpus import blocks
from wdw_build.adapters.corpora.reading.streams import BLOCK, HARMLESS, Lines, SpanLines, open_bytes
from wdw_build.ports import FileRange
from wdw_build.records import RawArticle, Unreadable

_DECLARATION = re.compile(rb"""<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']""")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_DEEPEST = 200
_ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")

# zipfile raises these, besides its own, for unknown compression methods, for passwords, and for damaged and empty names.
_OF_ZIP = (zipfile.BadZipFile, NotImplementedError, RuntimeError, UnicodeDecodeError, IndexError)
_DAMAGE = (*_OF_ZIP, tarfile.TarError)


class XmlOptions(ReaderOptions, frozen=True):
    """Options of the readers of XML. With ``auto``, an encoding that the XML declaration names comes first."""

    encoding: str = "auto"


XmlOptionsT = TypeVar("XmlOptionsT", bound=XmlOptions)


class XmlError(ValueError):
    """The document is not well-formed XML."""


class XmlCorpus(FileCorpus[XmlOptionsT]):
    """A reader of XML documents; a file or an archive member (.zip, .tar) holds at least one document."""

    tag: ClassVar[str]
    suffixes = (".xml", *_ARCHIVES)

    @abstractmethod
    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in one document."""

    def read_span(self, file: Path, place: str, span: FileRange) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of a file or of an archive's members. A place names the line where a document begins."""
        if not file.name.lower().endswith(_ARCHIVES):
            yield from self._documents(self.lines(file), place)
            return
        try:
            for name, stream in _members(file, self.options.max_unpack_ratio):
                yield from self._documents(SpanLines(stream), f"{place}/{tidy(name)}")
        except _DAMAGE as error:
            raise OSError(f"damaged archive: {tidy(str(error))}") from error

    def _documents(self, source: SpanLines, place: str) -> Iterator[RawArticle | Unreadable]:
        normalised = _NormalisedLines(source, self.tag)
        count = 0
        for block in blocks(normalised, self.tag, wrapped=True):
            count += 1
            where = f"{place}:{block.line}"
            encoding = normalised.encoding if self.options.encoding == "auto" else self.options.encoding
            if block.error:
                yield Unreadable(place=where, error=block.error)
            elif not readable_by_line(encoding):
                yield Unreadable(place=where, error=f"cannot read the encoding {encoding!r}")
            else:
                try:
                    yield self.article(parse(decode(block.raw, encoding)), where)
                except XmlError as error:
                    yield Unreadable(place=where, error=f"bad XML: {error}")
        if not count:
            yield Unreadable(place=place, error=f"holds no <{self.tag}>")


class _NormalisedLines:
    """The lines of a file with every document's tags in one form: no prefix, the case of ``tag``, at a line's start.

    ``encoding`` is the encoding that the last XML declaration read so far names.
    """

    def __init__(self, source: SpanLines, tag: str) -> None:
        self._lines, self._tag = source, tag.encode()
        self._any_form = re.compile(rb"<(/?)(?:[\w.-]{1,40}:)?%s(?=[\s>])" % self._tag, re.IGNORECASE)
        self.encoding = declared("")

    def __iter__(self) -> Lines:
        for number, content in self._lines:
            if content is None:
                yield number, None
                continue
            if declaration := _DECLARATION.search(content):
                self.encoding = declared(declaration[1].decode("ascii", "replace"))
            normalised = self._any_form.sub(lambda match: (b"</" if match[1] else b"\n<") + self._tag, content)
            for piece in normalised.split(b"\n"):
                yield number, piece


def parse(text: str) -> Element:
    """Parse a document; element names lose their prefix. Raises ``XmlError``."""
    builder = TreeBuilder()
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise XmlError("nested too deeply")
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
        # A document with an external DOCTYPE, which is not read, may use unknown entities without an error.
        parser.Parse(b'<!DOCTYPE article SYSTEM "unread">', False)
        parser.Parse(_NOT_XML.sub("", text).encode("utf-8", "replace"), True)
        return builder.close()
    except expat.ExpatError as error:
        raise XmlError(expat.ErrorString(error.code)) from None


def line(element: Element | None) -> str:
    """The text of an element on one line; empty for None."""
    return "" if element is None else tidy("".join(element.itertext()))


def paragraphs(elements: Iterator[Element]) -> tuple[str, ...]:
    """The texts of the elements, without empty ones."""
    return tuple(filter(None, map(line, elements)))


def first_value(root: Element, paths: tuple[str, ...]) -> str:
    """The first value that is not empty: the text at a path or, for ``path@name``, the value of an attribute."""
    for path in paths:
        where, is_attribute, name = path.rpartition("@")
        # The last @ may belong to a condition on an attribute, in brackets.
        if not is_attribute or name.endswith("]"):
            value = line(root.find(path))
        else:
            element = root if where == "." else root.find(where)
            value = "" if element is None else tidy(element.get(name, ""))
        if value:
            return value
    return ""


def _members(file: Path, max_ratio: float) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield (name, stream) for every member of XML, in the archive's order.

    Raises ``OSError`` if a member unpacks to more than ``max_ratio`` times its size or data follow the last member of a
    tar archive, and the library's errors if the archive is damaged. Reading a stream can raise them, too.
    """
    opened = _zip(file, max_ratio) if file.suffix.lower() == ".zip" else _tar(file, max_ratio)
    for name, stream in opened:
        if name.lower().endswith(".xml"):
            yield name, stream


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
