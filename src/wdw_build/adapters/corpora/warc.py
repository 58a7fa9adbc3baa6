"""Reads news crawls in WARC files: main text, date and title of every page, extracted by trafilatura.

The date is the one that the page declares, or the day of the crawl if the option ``date`` says so. Only responses and
pages in ``resource`` records are read. A response that is not a readable page (an error, an image, another language) becomes an
article whose kind says so, which ``ingest`` rejects and counts.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urldefrag

import msgspec

from wdw_build.adapters.corpora.reading.base import FileCorpus, ReaderOptions
from wdw_build.adapters.corpora.reading.markup import AUTO, declared, host_of, readable_by_line, tidy
from wdw_build.adapters.corpora.reading.streams import BLOCK, DAMAGE, DamagedElsewhere, offsets, open_bytes
from wdw_build.adapters.corpora.reading.trees import paragraphs
from wdw_build.ports import END, FileRange
from wdw_build.records import RawArticle, Unreadable

LONGEST_PAGE = 8 << 20
_PAGES = ("text/html", "application/xhtml+xml")
_IS_PAGE = re.compile(rb"\A[^\w]*<(?:!doctype )?html\b", re.IGNORECASE)
_FOUND = ("200", "203")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_HEAD = 4096


class WarcOptions(ReaderOptions, frozen=True):
    """Options of the reader ``warc``. A page declares its encoding; the option ``encoding`` has no effect."""

    date: Literal["page", "crawl", "page-or-crawl"] = "page"
    """The date to take: the one that the page declares, the day of the crawl, or the latter where the former is missing."""
    language: str = "en"
    """The language of the pages to read; empty: any language."""


class WarcReader(FileCorpus[WarcOptions]):
    """Reads .warc files, plain or compressed, by record or as a whole."""

    name = "warc"
    version = 3
    suffixes = (".warc",)
    needs = ("trafilatura", "htmldate", "lxml", "warcio")
    options_type = WarcOptions

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of about ``block_bytes``, unpacked. To read a span, the records before it are passed over, not extracted."""
        starts = offsets(file, self.block_bytes)
        return [FileRange(start, end) for start, end in zip(starts, [*starts[1:], END], strict=True)]

    def read_span(self, file: Path, place: str, span: FileRange) -> Iterator[RawArticle | Unreadable]:
        """Yield an article or an ``Unreadable`` for every response or stored page whose record starts in a span.

        A place holds the number of the record, from 1.
        """
        from warcio.archiveiterator import ArchiveIterator
        from warcio.bufferedreaders import BufferedReader
        from warcio.exceptions import ArchiveLoadFailed

        # Its decompressor does not fit the current brotli.
        BufferedReader.DECOMPRESSORS.pop("br", None)
        number = start = 0
        with open_bytes(file, self.options.max_unpack_ratio) as stream:
            archive = ArchiveIterator(_Source(stream))
            try:
                for record in archive:
                    number += 1
                    start = archive.offset
                    if start >= span.end:
                        return
                    if start >= span.start and (record.rec_type == "response" or _is_stored_page(record)):
                        yield self._page(record, f"{place}:{number}")
            except (ArchiveLoadFailed, AttributeError, ValueError, *DAMAGE) as error:
                # AttributeError: a response without an address.
                # The span of the last record before the damage reports it.
                if start < span.start:
                    raise DamagedElsewhere from error
                if isinstance(error, DAMAGE):
                    raise
                raise OSError(f"record {number + 1}: {tidy(str(error))}") from error

    def _page(self, record: Any, place: str) -> RawArticle | Unreadable:
        headers = _headers(record)
        status = headers.get_statuscode() if headers else "none"
        kind = headers.get_header("Content-Type", "").lower() if headers else ""
        if status not in _FOUND:
            return _article(record, place, f"http-{tidy(status)}")
        if kind and not kind.startswith(_PAGES):
            return _article(record, place, "no-page")
        try:
            content = _content(record)
        except zlib.error as error:
            return Unreadable(place=place, error=f"damaged page: {error}")
        try:
            content = _unpacked(content, headers.get_header("Content-Encoding", "").lower())
            if len(content) > LONGEST_PAGE:
                return Unreadable(place=place, error=f"a page of more than {LONGEST_PAGE >> 20} MB")
            is_page = kind or _IS_PAGE.match(content)
            return self._extracted(record, place, _decoded(content, kind) if is_page else b"")
        # Unusual pages make the extractor raise errors of many classes. An error loses one page, not the crawl.
        except Exception as error:
            return Unreadable(place=place, error=f"cannot extract text from the page: {type(error).__name__}: {error}")

    def _extracted(self, record: Any, place: str, content: str | bytes) -> RawArticle:
        from trafilatura.utils import load_html

        tree = load_html(content)
        if tree is None:
            return _article(record, place, "no-page")
        language = (tree.get("lang") or tree.get("xml:lang") or "").strip().lower()
        if language and not language.startswith(self.options.language.lower()):
            return _article(record, place, f"language-{tidy(re.split('[-_]', language)[0])}")
        crawled = record.rec_headers.get_header("WARC-Date") or ""
        document = _extract(tree, _address(record), crawled[:10])
        if document is None:
            return _article(record, place, "story")
        dates = {"page": document.date or "", "crawl": crawled, "page-or-crawl": document.date or crawled}
        title = tidy(document.title or "")
        texts = paragraphs(document.body, has_layout=False)
        return msgspec.structs.replace(
            _article(record, _address(record) or place, "story"),
            place=place,
            date=dates[self.options.date],
            title=title,
            paragraphs=tuple(text for text in texts if text != title),
        )


class _Source:
    """A stream for warcio, which would take an ``EOFError`` for a regular end and lose bytes read before an error."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._position = 0

    def read(self, size: int = BLOCK) -> bytes:
        try:
            content: bytes = self._stream.read1(size)
        except EOFError as error:
            raise OSError(str(error)) from error
        self._position += len(content)
        return content

    def tell(self) -> int:
        return self._position


def _is_stored_page(record: Any) -> bool:
    """Whether a record is a page that was not fetched but copied into the archive, for example by ``warcit``."""
    return record.rec_type == "resource" and (record.content_type or "").lower().startswith(_PAGES)


def _headers(record: Any) -> Any:
    """The HTTP headers of a response; for a stored page, those of a page that was found."""
    from warcio.statusandheaders import StatusAndHeaders

    if record.rec_type == "resource":
        return StatusAndHeaders("200 OK", [("Content-Type", record.content_type)])
    return record.http_headers


def _content(record: Any) -> bytes:
    """The bytes of a page, at most ``LONGEST_PAGE + 1``. Raises ``OSError`` if the archive ends within the page."""
    stream = record.content_stream()
    pieces: list[bytes] = []
    size = 0
    while size <= LONGEST_PAGE and (piece := stream.read(min(BLOCK, LONGEST_PAGE + 1 - size))):
        pieces.append(piece)
        size += len(piece)
    if size <= LONGEST_PAGE and getattr(record.raw_stream, "limit", 0) > 0:
        raise OSError("the archive ends within a record")
    return b"".join(pieces)


def _zstd(content: bytes) -> bytes:
    import zstandard

    unpacked: bytes = zstandard.ZstdDecompressor().stream_reader(content).read(LONGEST_PAGE + 1)
    return unpacked


def _brotli(content: bytes) -> bytes:
    import brotli

    unpacked: bytes = brotli.Decompressor().process(content, output_buffer_limit=LONGEST_PAGE + 1)
    return unpacked


# The compressions of pages that warcio does not read.
_UNPACKERS = {"br": _brotli, "zstd": _zstd}


def _unpacked(content: bytes, encoding: str) -> bytes:
    """The bytes of a page, unpacked. Raises ``ModuleNotFoundError`` if the package for the compression is not installed."""
    try:
        return _UNPACKERS[encoding](content) if encoding in _UNPACKERS else content
    except ModuleNotFoundError:
        raise
    except Exception:  # a server may name a compression that the page does not have
        return content


def _decoded(content: bytes, kind: str) -> str | bytes:
    """The text of a page in the encoding that it or its server declares; its bytes if none is declared or they are UTF-8."""
    declaration = _CHARSET.search(kind.encode()) or _CHARSET.search(content[:_HEAD])
    try:
        content.decode()
    except UnicodeDecodeError:
        encoding = declared(declaration[1].decode()) if declaration else AUTO
        return content.decode(encoding, "replace") if readable_by_line(encoding) and encoding != AUTO else content
    return content


def _extract(tree: Any, address: str, crawled: str) -> Any:
    """The document that trafilatura extracts, with ``body``, ``title`` and ``date``; None if it finds no text."""
    from trafilatura import bare_extraction

    # Without max_date, trafilatura's date detection depends on the current day.
    dates = {"original_date": True, "extensive_search": False, "max_date": crawled}
    return bare_extraction(
        tree,
        url=address,
        with_metadata=True,
        include_comments=False,
        include_tables=False,
        date_extraction_params=dates,
    )


def _article(record: Any, name: str, kind: str) -> RawArticle:
    """An article without text. As it is, ``ingest`` rejects it for its kind or, if it is a story, for the missing text."""
    return RawArticle(
        place=name,
        id=name,
        date=record.rec_headers.get_header("WARC-Date") or "",
        source=host_of(_address(record)),
        kind=kind,
        title="",
        dateline="",
        paragraphs=(),
    )


def _address(record: Any) -> str:
    return tidy(urldefrag(record.rec_headers.get_header("WARC-Target-URI") or "").url)
