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
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from wdw_build.adapters.corpora.reading.base import ReaderOptions
from wdw_build.adapters.corpora.reading.markup import AUTO, paragraphs_by_layout, tidy
from wdw_build.adapters.corpora.reading.markup_files import SgmlCorpus
from wdw_build.adapters.corpora.reading.trees import words
from wdw_build.records import RawArticle, Unreadable
from wdw_build.text.lexicon import WEEKDAY_NAME
from wdw_build.text.tokens import TREEBANK_BRACKETS

_INDENT = 2
# The rows of tables of the Los Angeles Times.
_ROWS = frozenset(("tablerow", "ctablerow"))
_EDGE = "\x1d"
# AFP_ENG_20030401.0002; in the first edition, AFE19940512.0003.
_ID = re.compile(r"(?P<source>[A-Za-z]+?)(?:_[A-Za-z]+_)?(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})\.\d+")

# Of the annotated edition of Gigaword.
_LEAF = re.compile(r"\([^\s()]+ ([^\s()]+)\)")
_TREEBANK = TREEBANK_BRACKETS | {"``": '"', "''": '"', "`": "'"}


def _with_quotes(text: str) -> str:
    return text.replace("``", '"').replace("''", '"')


def _marked(element: Element) -> str:
    """The text of an element, with an edge for each tag of a paragraph and a space for each other tag."""
    pieces = [element.text or ""]
    for child in element:
        edge = _EDGE if child.tag == "p" else " "
        pieces += [edge, "" if child.tag in _ROWS else _marked(child), edge, child.tail or ""]
    return "".join(pieces)


def _paragraphs(marked: str) -> tuple[str, ...]:
    """Split at the tags of paragraphs or, in text without them (most of the Associated Press), at blank and indented lines."""
    if _EDGE in marked:
        return tuple(filter(None, map(tidy, marked.split(_EDGE))))
    return paragraphs_by_layout(marked, indent=_INDENT, blank_lines=True)


class GigawordOptions(ReaderOptions, frozen=True):
    """Options of the reader ``gigaword``."""

    normalise_wire: bool = True
    """Replace the wire's forms of dashes and quotation marks by plain ones."""


class GigawordReader(SgmlCorpus[GigawordOptions]):
    """Reads .sgm, .sgml, .xml and compressed files, whatever precedes .gz, .bz2 or .xz in their names."""

    name = "gigaword"
    version = 4
    tag = "DOC"
    suffixes = (".gz", ".bz2", ".xz", ".sgm", ".sgml", ".xml")
    options_type = GigawordOptions

    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in one DOC."""
        name = root.get("id", "")
        if not name:
            return Unreadable(place=place, error="a DOC without id")
        sentences, text = root.find("sentences"), root.find("text")
        paragraphs: Iterable[str] = ()
        if sentences is not None:
            paragraphs = filter(None, map(_sentence, sentences.findall("sentence")))
        elif text is not None:
            paragraphs = _paragraphs(_marked(text))
        # Both are empty for an id of another form, which ``ingest`` rejects.
        match = _ID.fullmatch(name)
        return RawArticle(
            place=place,
            id=name,
            date=f"{match['year']}-{match['month']}-{match['day']}" if match else "",
            source=match["source"] if match else "",
            kind=(root.get("type") or "story").lower(),
            title=self._line(root, "headline"),
            dateline=self._line(root, "dateline"),
            paragraphs=tuple(map(self._plain, paragraphs)),
        )

    def _line(self, root: Element, part: str) -> str:
        text = words(root.find(part))
        # Headlines and datelines of the annotated edition are trees.
        leaves = _LEAF.findall(text) if text.startswith("(") else []
        return self._plain(" ".join(map(_word, leaves)) if leaves else text)

    def _plain(self, text: str) -> str:
        return _with_quotes(text.replace(" _ ", " -- ")) if self.options.normalise_wire else text


def _sentence(sentence: Element) -> str:
    """The words of a sentence, without a space between two words that touch by their offsets."""
    pieces: list[str] = []
    last = ""
    for token in sentence.iter("token"):
        begin, end = (tidy(token.findtext(f"characteroffset{edge}", "")) for edge in ("begin", "end"))
        if pieces and (not last or begin != last):
            pieces.append(" ")
        pieces.append(_word(tidy(token.findtext("word", ""))))
        last = end
    return tidy("".join(pieces))


def _word(word: str) -> str:
    return _TREEBANK.get(word, word.replace("\\/", "/").replace("\\*", "*"))


# ---- TREC and AQUAINT -------------------------------------------------------------------------------------------------


_TITLES = ("headline", "head", "hl", "ti", "h3", "title", "slug")
_DATES = ("date_time", "date", "date1", "dd", "pubdate")
_TEXTS = ("leadpara", "lp", "text")
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
_WEEKDAY = re.compile(rf",\s*{WEEKDAY_NAME}\b.*$", re.IGNORECASE)
# The Financial Times writes "FT  14 MAY 91 / " before the headline; the Wall Street Journal, "@" between its lines, and "----"
# before a byline.
_NOT_TITLE = re.compile(r"^FT\s+\d{1,2}\s+[A-Z]{3}\s+\d{2}\s*/\s*|\s@(?=\s)|\s----.*$")
# FBIS writes fields (<F>) and notes of its editors into the text.
_FBIS = re.compile(
    r"\A(?:\s*(?:Language|Article Type):.*\n)*(?:\s*\[[^\[\]]{1,400}\])?|\[(?:passages? omitted|[a-z]+ indistinct)\]"
)
# The forms of the Los Angeles Times that are no news, such as "Book Review". A column of news has the form "Brief", too.
_NO_NEWS = re.compile(r"column|letter|opinion|editorial|review|^list|correction|recipe|poll|transcript|chronology")
# The San Jose Mercury News marks the end of a paragraph.
_SJMN_END = re.compile(r"\s;\s")


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
    # FT911-3, FBIS3-1, SJMN91-06290001: the date is in an element
    (re.compile(r"(FT|FBIS|SJMN)\d+-\d+"), "", ""),
)


class TrecReader(SgmlCorpus[TrecOptions]):
    """Reads .sgml, .txt and the like, compressed or not. A glob also takes files without a suffix, such as ap880212."""

    name = "trec"
    version = 4
    tag = "DOC"
    suffixes = (".sgml", ".sgm", ".txt", ".trec", ".xml", ".gz")
    options_type = TrecOptions

    def text(self, raw: bytes) -> str:
        """Decode bytes of a file, and replace the entities of the disks."""
        return _ENTITY.sub(lambda match: _ENTITIES[match[1]], super().text(raw))

    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in one DOC."""
        name = words(root.find(".//docno"))
        if not name:
            return Unreadable(place=place, error="a DOC without DOCNO")
        source, date = _source_and_date(name)
        texts = [text for tag in _TEXTS for text in root.iter(tag)]
        paragraphs = [paragraph for text in texts for paragraph in _trec_paragraphs(text, source)]
        for text in texts:
            text.clear()  # a title or a date within the text is not that of the article
        return RawArticle(
            place=place,
            id=name,
            date=date or _date_element(root),
            source=self.options.source or source,
            kind=_kind(root).replace(" ", "-"),
            title=_with_quotes(_NOT_TITLE.sub("", _first(root, _TITLES))),
            dateline=words(root.find(".//dateline")),
            paragraphs=tuple(map(_with_quotes, paragraphs)),
        )


def _kind(root: Element) -> str:
    """The DOCTYPE of AQUAINT, or the first form in the TYPE of the Los Angeles Times that is no news; else ``story``."""
    kind = words(root.find(".//doctype")).lower()
    forms = words(root.find(".//type")).lower().split("; ")
    if kind:
        return "story" if "news" in kind else kind
    return next((form for form in forms if _NO_NEWS.search(form) and "brief" not in forms), "story")


def _source_and_date(name: str) -> tuple[str, str]:
    """Source and ISO date of an id; each is empty if the id does not hold it."""
    for form, source, date in _ID_DATES:
        if match := form.fullmatch(name):
            return source or match[1], match.expand(date)
    return "", ""


def _date_element(root: Element) -> str:
    """The text of the first date element, without a weekday after it; '910514' and '03/24/87' become ISO dates."""
    text = _WEEKDAY.sub("", _first(root, _DATES))
    if match := re.fullmatch(r"(\d\d)(\d\d)(\d\d)", text):
        return match.expand(r"19\1-\2-\3")
    if match := re.fullmatch(r"(\d\d)/(\d\d)/(\d\d)", text):
        return match.expand(r"19\3-\1-\2")
    return text


def _first(root: Element, tags: tuple[str, ...]) -> str:
    return next((content for tag in tags if (content := words(root.find(f".//{tag}")))), "")


def _trec_paragraphs(text: Element, source: str) -> Iterable[str]:
    if source == "FBIS":
        for field in text.iter("f"):
            field.text = ""
        return _paragraphs(_FBIS.sub("", _marked(text)))
    paragraphs = _paragraphs(_marked(text))
    return (piece for part in paragraphs for piece in _SJMN_END.split(part)) if source == "SJMN" else paragraphs
