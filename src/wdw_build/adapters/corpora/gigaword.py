"""Reads the SGML of LDC Gigaword: files without a root element, one ``<DOC id type>`` after another, usually gzipped.

The reader knows all editions (LDC2003T05 to LDC2011T07) and the annotated edition (LDC2012T21). It takes source and date
from the id. It splits text without ``<P>``, which is rare in stories, at blank and indented lines.

Of the annotated edition (Napoles, Gormley & Van Durme 2012), it restores the raw text. Character offsets say which tokens a
space separates; treebank brackets and quotation marks become plain characters. That edition does not mark paragraphs, so
every sentence is read as a paragraph. Its headlines and datelines are trees.
"""

from __future__ import annotations

import re

from wdw_build.adapters.corpora.reading.base import ReaderOptions
from wdw_build.adapters.corpora.reading.markup import attributes, paragraphs_by_layout, tidy, unescape
from wdw_build.adapters.corpora.reading.sgml_corpus import SgmlCorpus
from wdw_build.records import RawArticle, Unreadable

_INDENT = 2
_HEADLINE = re.compile(r"<HEADLINE\s*>(.*?)(?:</HEADLINE\s*>|<DATELINE\s*>|<TEXT\s*>|</DOC>)", re.DOTALL)
_DATELINE = re.compile(r"<DATELINE\s*>(.*?)(?:</DATELINE\s*>|<TEXT\s*>|</DOC>)", re.DOTALL)
_TEXT = re.compile(r"<TEXT\s*>(.*?)(?:</TEXT\s*>|</DOC>)", re.DOTALL)
_PARAGRAPH = re.compile(r"</?P\s*>")
# AFP_ENG_20030401.0002; in the first edition, AFE19940512.0003.
_ID = re.compile(r"(?P<source>[A-Za-z]+?)(?:_[A-Za-z]+_)?(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})\.\d+")

# Of the annotated edition.
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
