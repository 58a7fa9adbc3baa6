"""News crawls in WARC files: the main text of every page (trafilatura), its date and title, by the record (warcio).

A page's date is what the page says of itself; the day of the crawl is taken only if asked for. Records that are no
page (requests, descriptions of the crawl) are passed over; pages that are none to read (errors, images, another
language) get a kind that says so, and ``ingest`` counts them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urldefrag, urlsplit

from wdw_build.adapters.corpora.reading.base import FileCorpus, ReaderOptions
from wdw_build.adapters.corpora.reading.markup import tidy
from wdw_build.adapters.corpora.reading.streams import BLOCK, open_bytes
from wdw_build.records import RawArticle, Unreadable

LONGEST_PAGE = 8 << 20
_PAGES = ("text/html", "application/xhtml+xml")
_TEXTS = ("p", "quote", "item")


class WarcOptions(ReaderOptions, frozen=True):
    """Options of the reader ``warc``. The encoding of a page is found by its own declarations."""

    date: Literal["page", "crawl", "page-or-crawl"] = "page"
    language: str = "en"


class WarcReader(FileCorpus[WarcOptions]):
    """Reads .warc, compressed record by record or as a whole."""

    name = "warc"
    version = 1
    suffixes = (".warc",)
    needs = ("warc", "trafilatura", "htmldate", "lxml", "warcio")
    options_type = WarcOptions

    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield an article, or why there is none, for every response; places count records from 1."""
        from warcio.archiveiterator import ArchiveIterator
        from warcio.exceptions import ArchiveLoadFailed

        number = 0
        with open_bytes(file, self.options.max_unpack_ratio) as stream:
            try:
                for record in ArchiveIterator(_Source(stream)):
                    number += 1
                    if record.rec_type == "response":
                        yield self._page(record, f"{place}:{number}")
            except ArchiveLoadFailed as error:
                raise OSError(f"record {number + 1}: {error}") from error

    def _page(self, record: Any, place: str) -> RawArticle | Unreadable:
        headers = record.http_headers
        status = headers.get_statuscode() if headers else "none"
        if status != "200":
            return _nothing(record, place, f"http-{tidy(status)}")
        if not (headers.get_header("Content-Type") or "").lower().startswith(_PAGES):
            return _nothing(record, place, "no-page")
        try:
            content = _content(record)
        except zlib.error as error:
            return Unreadable(place=place, error=f"damaged page: {error}")
        if len(content) > LONGEST_PAGE:
            return Unreadable(place=place, error=f"a page of more than {LONGEST_PAGE >> 20} MB")
        try:
            return self._article(record, place, content)
        # The page is anybody's, and the extractor's faults with it are of every class; one page is lost, not the crawl.
        except Exception as error:
            return Unreadable(place=place, error=f"no text can be got out of the page: {type(error).__name__}: {error}")

    def _article(self, record: Any, place: str, content: bytes) -> RawArticle:
        from trafilatura.utils import load_html

        tree = load_html(content)
        if tree is None:
            return _nothing(record, place, "no-page")
        language = (tree.get("lang") or "").lower().partition("-")[0]
        if self.options.language and language and language != self.options.language:
            return _nothing(record, place, f"language-{tidy(language)}")
        crawled = record.rec_headers.get_header("WARC-Date") or ""
        found = _extract(tree, _address(record), crawled[:10])
        if found is None:
            return _nothing(record, place, "story")
        title = tidy(found.title or "")
        return RawArticle(
            place=place,
            id=_address(record) or place,
            date=self._date(found.date or "", crawled),
            source=_source(record),
            kind="story",
            title=title,
            dateline="",
            paragraphs=_paragraphs(found.body, title),
        )

    def _date(self, page: str, crawled: str) -> str:
        if self.options.date == "crawl":
            return crawled
        return page or (crawled if self.options.date == "page-or-crawl" else "")


class _Source:
    """A stream for warcio, which takes an ``EOFError`` for a good end, and loses what a read gave before it failed."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._given = 0

    def read(self, size: int = BLOCK) -> bytes:
        try:
            found: bytes = self._stream.read1(size)
        except EOFError as error:
            raise OSError(str(error)) from error
        self._given += len(found)
        return found

    def tell(self) -> int:
        return self._given


def _content(record: Any) -> bytes:
    """A page's bytes, one more than ``LONGEST_PAGE`` at most. Raises ``OSError`` if the archive ends within it."""
    stream = record.content_stream()
    pieces: list[bytes] = []
    size = 0
    while size <= LONGEST_PAGE and (piece := stream.read(min(BLOCK, LONGEST_PAGE + 1 - size))):
        pieces.append(piece)
        size += len(piece)
    if size <= LONGEST_PAGE and getattr(record.raw_stream, "limit", 0) > 0:
        raise OSError("the archive ends within a record")
    return b"".join(pieces)


def _extract(tree: Any, address: str, crawled: str) -> Any:
    """What trafilatura finds in a page: ``body``, ``title``, ``date``; None for nothing."""
    from trafilatura import bare_extraction

    # Without a latest date of its own, what counts as a date would depend on today.
    dates = {"original_date": True, "extensive_search": False, "max_date": crawled}
    return bare_extraction(
        tree,
        url=address,
        with_metadata=True,
        include_comments=False,
        include_tables=False,
        date_extraction_params=dates,
    )


def _nothing(record: Any, place: str, kind: str) -> RawArticle:
    """A page without a text: its kind, or if it is a story the lack of a text, is for ``ingest`` to turn down."""
    return RawArticle(
        place=place,
        id=place,
        date=record.rec_headers.get_header("WARC-Date") or "",
        source=_source(record),
        kind=kind,
        title="",
        dateline="",
        paragraphs=(),
    )


def _address(record: Any) -> str:
    return tidy(urldefrag(record.rec_headers.get_header("WARC-Target-URI") or "").url)


def _source(record: Any) -> str:
    try:
        host = urlsplit(_address(record)).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def _paragraphs(body: Any, title: str) -> tuple[str, ...]:
    """The texts of the body's paragraphs, quotations and list entries, the innermost ones; headings are left out."""
    found = []
    for element in body.iter(*_TEXTS):
        if element.find("p") is None and element.find("item") is None:
            text = tidy("".join(element.itertext()))
            if text and text != title:
                found.append(text)
    return tuple(found)
