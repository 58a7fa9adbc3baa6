"""The newswire of the TREC disks and of AQUAINT: ``<DOC>`` blocks with a ``<DOCNO>``, each collection in its own dress.

Known are the Associated Press, the Los Angeles Times, the Financial Times, the Wall Street Journal, FBIS and AQUAINT.
The date comes from the DOCNO where it holds one, else from the fields of that collection. What has another form is read
all the same: any headline, any date element, the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from wdw_build.adapters.corpora.reading.base import FileCorpus, ReaderOptions
from wdw_build.adapters.corpora.reading.encodings import AUTO
from wdw_build.adapters.corpora.reading.markup import blocks, paragraphs_by_layout, tidy, unescape
from wdw_build.records import RawArticle, Unreadable

_INDENT = 2
_TITLES = ("HEADLINE", "HEAD", "HL", "TI", "H3", "TITLE", "SLUG")
_DATES = ("DATE_TIME", "DATE", "DATE1", "DD")
_TEXTS = ("LEADPARA", "LP", "TEXT")
_PARAGRAPH = re.compile(r"</?P\b[^>]*>")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][\w.-]*(?:\s[^<>]*)?>")
# Typesetting of the disks and of AQUAINT that HTML does not know.
_ENTITIES = {
    **dict.fromkeys(("blank", "LR", "UR", "QR", "QL", "QC", "TL", "MD", "Cx1f", "Cx13", "Cx11"), " "),
    "hyph": "-",
    "sect": "§",
    "para": "¶",
    "bull": "•",
    "rsquo": "’",
    "lsquo": "‘",
    "cir": "°",
}
_ENTITY = re.compile(rf"&({'|'.join(_ENTITIES)});")
# "Section, Day": what the Los Angeles Times puts behind a date.
_WEEKDAY = re.compile(r",\s*(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b.*$", re.IGNORECASE)
# "FT  14 MAY 91 / ", before the headline of the Financial Times.
_FT_HEAD = re.compile(r"^FT\s+\d{1,2}\s+[A-Z]{3}\s+\d{2}\s*/\s*")


class TrecOptions(ReaderOptions, frozen=True):
    """Options of the reader ``trec``. ``source`` is for ids that do not tell it."""

    encoding: str = AUTO
    source: str = ""


def _century(year: str) -> str:
    """The disks end in 1994: two digits are years of the last century."""
    return f"19{year}"


_ID_DATES: tuple[tuple[re.Pattern[str], str, Callable[[re.Match[str]], str]], ...] = (
    # AP880212-0001, WSJ870324-0001: year, month, day
    (re.compile(r"(AP|WSJ)(\d\d)(\d\d)(\d\d)-\d+"), "", lambda m: f"{_century(m[2])}-{m[3]}-{m[4]}"),
    # LA010189-0001: month, day, year
    (re.compile(r"(LA)(\d\d)(\d\d)(\d\d)-\d+"), "LATIMES", lambda m: f"{_century(m[4])}-{m[2]}-{m[3]}"),
    # NYT19980601.0001 of AQUAINT, AFP_ENG_20030401.0002
    (re.compile(r"([A-Z]{2,4})(?:_[A-Z]+_)?(\d{4})(\d\d)(\d\d)\.\d+"), "", lambda m: f"{m[2]}-{m[3]}-{m[4]}"),
    # FT911-3, FBIS3-1: the date stands in a field
    (re.compile(r"(FT|FBIS)\d+-\d+"), "", lambda _: ""),
)


class TrecReader(FileCorpus[TrecOptions]):
    """Reads .sgml and .txt, files without a suffix such as ap880212 by a glob, and all of them compressed."""

    name = "trec"
    version = 1
    suffixes = (".sgml", ".sgm", ".txt", ".trec", ".xml", ".gz")
    options_type = TrecOptions

    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield every DOC of a file, and an ``Unreadable`` for one that is cut off or has no DOCNO."""
        for block in blocks(self.lines(file), "DOC"):
            where = f"{place}:{block.line}"
            if block.error:
                yield Unreadable(place=where, error=block.error)
            else:
                yield self._article(_COMMENT.sub("", self.text(block.raw)), where)

    def _article(self, block: str, place: str) -> RawArticle | Unreadable:
        name = _line("DOCNO", block)
        if not name:
            return Unreadable(place=place, error="a DOC without DOCNO")
        source, date = _source_and_date(name)
        before, _, _ = block.partition("<TEXT")
        return RawArticle(
            place=place,
            id=name,
            date=date or _stated_date(before),
            source=self.options.source or source,
            kind=_kind(block),
            title=_FT_HEAD.sub("", _first(_TITLES, block)),
            dateline=_line("DATELINE", before),
            paragraphs=tuple(part for tag in _TEXTS for text in _elements(tag, block) for part in _paragraphs(text)),
        )


def _source_and_date(name: str) -> tuple[str, str]:
    """Source and ISO date of an id, as far as it tells them."""
    for form, source, date in _ID_DATES:
        if found := form.fullmatch(name):
            return source or found[1], date(found)
    return "", ""


def _stated_date(block: str) -> str:
    """The first date element's text: '910514' and '03/24/87' as ISO dates, without what a newspaper puts behind it."""
    text = _WEEKDAY.sub("", _first(_DATES, block))
    if found := re.fullmatch(r"(\d\d)(\d\d)(\d\d)", text):
        return f"{_century(found[1])}-{found[2]}-{found[3]}"
    if found := re.fullmatch(r"(\d\d)/(\d\d)/(\d\d)", text):
        return f"{_century(found[3])}-{found[1]}-{found[2]}"
    return text


def _kind(block: str) -> str:
    """AQUAINT tells news from the rest by DOCTYPE; the others do not."""
    kind = _line("DOCTYPE", block).lower()
    return "story" if not kind or "news" in kind or kind == "story" else kind.replace(" ", "-")


def _elements(tag: str, text: str) -> list[str]:
    """What stands in every element of that name; one that is not closed ends with the block."""
    return re.findall(rf"<{tag}\b[^>]*>(.*?)(?:</{tag}\s*>|</DOC>)", text, re.DOTALL)


def _first(tags: tuple[str, ...], text: str) -> str:
    return next((found for tag in tags if (found := _line(tag, text))), "")


def _line(tag: str, text: str) -> str:
    found = _elements(tag, text)
    return tidy(_plain(found[0])) if found else ""


def _plain(text: str) -> str:
    return unescape(_ENTITY.sub(lambda match: _ENTITIES[match[1]], _TAG.sub(" ", text)))


def _paragraphs(text: str) -> tuple[str, ...]:
    """By ``<P>``; without it, which is most of the Associated Press, by blank and indented lines."""
    if _PARAGRAPH.search(text):
        return tuple(filter(None, (tidy(_plain(piece)) for piece in _PARAGRAPH.split(text))))
    return paragraphs_by_layout(_plain(text), indent=_INDENT, blank_lines=True)
