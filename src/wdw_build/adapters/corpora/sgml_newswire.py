"""Reads the SGML of newswire collections: LDC Gigaword, and the TREC disks with AQUAINT.

Gigaword files have no root element, one ``<DOC id type>`` after another, and are usually gzipped. The reader knows all
editions (LDC2003T05 to LDC2011T07) and the annotated edition (LDC2012T21). It takes source and date from the id. It splits
text without ``<P>``, which is rare in stories, at blank and indented lines. Of the annotated edition (Napoles, Gormley & Van
Durme 2012), it restores the raw text. Character offsets say which tokens a space separates; treebank brackets and quotation
marks become plain characters. That edition does not mark paragraphs, so every sentence is read as a paragraph. Its headlines
and datelines are trees.

The TREC disks and AQUAINT have ``<DOC>`` blocks with a ``<DOCNO>``. The collections use different elements. The reader knows
the Associated Press, the Los Angeles Times, the Financial Times, the Wall Street Journal, FBIS and AQUAINT; in other
collections it takes the first headline, date and text elements that it finds. The date comes from the DOCNO if it holds
one, else from a date element.
"""

from __future__ import annotations

import re

from wdw_build.adapters.corpora.reading.base import ReaderOptions
from wdw_build.adapters.corpora.reading.markup import AUTO, attributes, paragraphs_by_layout, tidy, unescape
from wdw_build.adapters.corpora.reading.sgml_corpus import SgmlCorpus
from wdw_build.records import RawArticle, Unreadable

_INDENT = 2
_HEADLINE = re.compile(r"<HEADLINE\s*>(.*?)(?:</HEADLINE\s*>|<DATELINE\s*>|<TEXT\s*>|</DOC>)", re.DOTALL)
_DATELINE = re.compile(r"<DATELINE\s*>(.*?)(?:</DATELINE\s*>|<TEXT\s*>|</DOC>)", re.DOTALL)
_TEXT = re.compile(r"<TEXT\s*>(.*?)(?:</TEXT\s*>|</DOC>)", re.DOTALL)
_PARAGRAPH = re.compile(r"</?P\s*>")
# AFP_ENG_20030401.0002; in the first edition, AFE19940512.0003.
_ID = re.compile(r"(?P<source>[A-Za-z]+?)(?:_[A-Za-z]+_)?(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})\.\d+")

# Of the annotated edition of Gigaword.
_SENTENCE = re.compile(r"<sentence\b[^>]*>(.*?)</sentence>", re.DOTALL)
_TOKEN = re.compile(r"<token\b[^>]*>(.*?)</token>", re.DOTALL)
_PART = re.compile(r"<(word|CharacterOffsetBegin|CharacterOffsetEnd)>\s*(.*?)\s*</\1>", re.DOTALL)
_LEAF = re.compile(r"\([^\s()]+ ([^\s()]+)\)")
_TREEBANK = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
    "`": "'",
}


class GigawordOptions(ReaderOptions, frozen=True):
    """Options of the reader ``gigaword``."""

    normalise_wire: bool = True
    """Replace the wire's forms of dashes and quotation marks by plain ones."""


class GigawordReader(SgmlCorpus[GigawordOptions]):
    """Reads .sgm, .sgml, .xml and compressed files, whatever precedes .gz, .bz2 or .xz in their names."""

    name = "gigaword"
    version = 2
    tag = "DOC"
    suffixes = (".gz", ".bz2", ".xz", ".sgm", ".sgml", ".xml")
    options_type = GigawordOptions

    def article(self, block: str, place: str) -> RawArticle | Unreadable:
        """The article in one DOC."""
        head, _, rest = block.partition(">")
        document = attributes(head)
        if not document.get("id"):
            return Unreadable(place=place, error="a DOC without id")
        if "<sentences>" in rest:
            before, _, body = rest.partition("<sentences>")
            sentences = _SENTENCE.finditer(body.partition("</sentences>")[0])
            paragraphs = tuple(filter(None, (_sentence(match[1]) for match in sentences)))
        else:
            before, paragraphs = rest.partition("<TEXT")[0], self._paragraphs(rest)
        # Both are empty for an id of another form, which ``ingest`` rejects.
        match = _ID.fullmatch(document["id"])
        return RawArticle(
            place=place,
            id=document["id"],
            date=f"{match['year']}-{match['month']}-{match['day']}" if match else "",
            source=match["source"] if match else "",
            kind=document.get("type") or "story",
            title=self._line(_HEADLINE, before + "<TEXT>"),
            dateline=self._line(_DATELINE, before + "<TEXT>"),
            paragraphs=tuple(map(self._plain, paragraphs)),
        )

    def _line(self, element: re.Pattern[str], text: str) -> str:
        match = element.search(text)
        if not match:
            return ""
        text = tidy(unescape(match[1]))
        # Headlines and datelines of the annotated edition are trees.
        leaves = _LEAF.findall(text) if text.startswith("(") else []
        return self._plain(" ".join(map(_word, leaves)) if leaves else text)

    def _paragraphs(self, rest: str) -> tuple[str, ...]:
        match = _TEXT.search(rest)
        if not match:
            return ()
        if "<P" in match[1]:
            return tuple(filter(None, (tidy(unescape(piece)) for piece in _PARAGRAPH.split(match[1]))))
        return paragraphs_by_layout(unescape(match[1]), indent=_INDENT, blank_lines=True)

    def _plain(self, text: str) -> str:
        if not self.options.normalise_wire:
            return text
        return text.replace(" _ ", " -- ").replace("``", '"').replace("''", '"')


def _sentence(text: str) -> str:
    """The words of a sentence, without a space between two words that touch by their offsets."""
    pieces: list[str] = []
    last = ""
    for token in _TOKEN.finditer(text):
        part = dict(_PART.findall(token[1]))
        if pieces and (not last or part.get("CharacterOffsetBegin") != last):
            pieces.append(" ")
        pieces.append(_word(unescape(part.get("word", ""))))
        last = part.get("CharacterOffsetEnd", "")
    return tidy("".join(pieces))


def _word(word: str) -> str:
    return _TREEBANK.get(word, word.replace("\\/", "/").replace("\\*", "*"))


# ---- TREC and AQUAINT -------------------------------------------------------------------------------------------------


_TITLES = ("HEADLINE", "HEAD", "HL", "TI", "H3", "TITLE", "SLUG")
_DATES = ("DATE_TIME", "DATE", "DATE1", "DD")
_TEXTS = ("LEADPARA", "LP", "TEXT")
_PARAGRAPH_TAG = re.compile(r"</?P\b[^>]*>")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][\w.-]*(?:\s[^<>]*)?>")
# Typesetting entities of the disks and of AQUAINT that HTML does not define.
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
# The Los Angeles Times writes a weekday and an edition after the date.
_WEEKDAY = re.compile(r",\s*(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b.*$", re.IGNORECASE)
# The Financial Times writes "FT  14 MAY 91 / " before the headline.
_FT_HEAD = re.compile(r"^FT\s+\d{1,2}\s+[A-Z]{3}\s+\d{2}\s*/\s*")


class TrecOptions(ReaderOptions, frozen=True):
    """Options of the reader ``trec``."""

    encoding: str = AUTO
    source: str = ""
    """The source of all articles; empty: the source that the DOCNO names."""


# The forms of ids, with the source if it is not the first group, and the date. The disks end in 1994.
_ID_DATES = (
    # AP880212-0001, WSJ870324-0001: year, month, day
    (re.compile(r"(AP|WSJ)(\d\d)(\d\d)(\d\d)-\d+"), "", r"19\2-\3-\4"),
    # LA010189-0001: month, day, year
    (re.compile(r"(LA)(\d\d)(\d\d)(\d\d)-\d+"), "LATIMES", r"19\4-\2-\3"),
    # NYT19980601.0001 of AQUAINT, AFP_ENG_20030401.0002
    (re.compile(r"([A-Z]{2,4})(?:_[A-Z]+_)?(\d{4})(\d\d)(\d\d)\.\d+"), "", r"\2-\3-\4"),
    # FT911-3, FBIS3-1: the date is in an element
    (re.compile(r"(FT|FBIS)\d+-\d+"), "", ""),
)


class TrecReader(SgmlCorpus[TrecOptions]):
    """Reads .sgml, .txt and the like, compressed or not. A glob also takes files without a suffix, such as ap880212."""

    name = "trec"
    version = 1
    tag = "DOC"
    suffixes = (".sgml", ".sgm", ".txt", ".trec", ".xml", ".gz")
    options_type = TrecOptions

    def article(self, block: str, place: str) -> RawArticle | Unreadable:
        """The article in one DOC."""
        block = _COMMENT.sub("", block)
        name = _line("DOCNO", block)
        if not name:
            return Unreadable(place=place, error="a DOC without DOCNO")
        source, date = _source_and_date(name)
        before, _, _ = block.partition("<TEXT")
        kind = _line("DOCTYPE", block).lower()  # only AQUAINT has it
        return RawArticle(
            place=place,
            id=name,
            date=date or _date_element(before),
            source=self.options.source or source,
            kind="story" if not kind or "news" in kind else kind.replace(" ", "-"),
            title=_FT_HEAD.sub("", _first(_TITLES, block)),
            dateline=_line("DATELINE", before),
            paragraphs=tuple(part for tag in _TEXTS for text in _elements(tag, block) for part in _paragraphs(text)),
        )


def _source_and_date(name: str) -> tuple[str, str]:
    """Source and ISO date of an id; each is empty if the id does not hold it."""
    for form, source, date in _ID_DATES:
        if match := form.fullmatch(name):
            return source or match[1], match.expand(date)
    return "", ""


def _date_element(block: str) -> str:
    """The text of the first date element, without a weekday after it; '910514' and '03/24/87' become ISO dates."""
    text = _WEEKDAY.sub("", _first(_DATES, block))
    if match := re.fullmatch(r"(\d\d)(\d\d)(\d\d)", text):
        return match.expand(r"19\1-\2-\3")
    if match := re.fullmatch(r"(\d\d)/(\d\d)/(\d\d)", text):
        return match.expand(r"19\3-\1-\2")
    return text


def _elements(tag: str, text: str) -> list[str]:
    """The contents of all elements of that name. An element without an end tag extends to the end of the block."""
    return re.findall(rf"<{tag}\b[^>]*>(.*?)(?:</{tag}\s*>|</DOC>)", text, re.DOTALL)


def _first(tags: tuple[str, ...], text: str) -> str:
    return next((content for tag in tags if (content := _line(tag, text))), "")


def _line(tag: str, text: str) -> str:
    contents = _elements(tag, text)
    return tidy(_plain(contents[0])) if contents else ""


def _plain(text: str) -> str:
    return unescape(_ENTITY.sub(lambda match: _ENTITIES[match[1]], _TAG.sub(" ", text)))


def _paragraphs(text: str) -> tuple[str, ...]:
    """Split at ``<P>`` or, in text without it (most of the Associated Press), at blank and indented lines."""
    if _PARAGRAPH_TAG.search(text):
        return tuple(filter(None, (tidy(_plain(piece)) for piece in _PARAGRAPH_TAG.split(text))))
    return paragraphs_by_layout(_plain(text), indent=_INDENT, blank_lines=True)
