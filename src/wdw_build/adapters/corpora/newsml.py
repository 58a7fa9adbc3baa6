"""NewsML: the Reuters Corpus RCV1 (``<newsitem>``), NewsML 1 (``<NewsItem>``) and NewsML-G2 (``<newsItem>``).

The three have little more than the name in common, so each has the places of its own where an article's parts stand.
Of several dates the first creation counts, for a later version tells of the same day. The body is its paragraphs (``<p>``).
"""

from __future__ import annotations

from typing import NamedTuple
from xml.etree.ElementTree import Element

from wdw_build.adapters.corpora.reading.xml_corpus import XmlCorpus, XmlOptions, first_value, line, paragraphs
from wdw_build.records import RawArticle, Unreadable


class _Form(NamedTuple):
    """Where a form keeps each part: paths in order of choice; ``path@name`` is an attribute."""

    body: str
    id: tuple[str, ...]
    date: tuple[str, ...]
    source: tuple[str, ...]
    title: tuple[str, ...]
    dateline: tuple[str, ...]
    kind: tuple[str, ...] = ()
    stories: tuple[str, ...] = ()


# Told apart by the element that holds the body.
_FORMS = (
    _Form(
        body="text",
        id=(".@itemid",),
        date=(".@date", ".//dc[@element='dc.date.published']@value"),
        source=(".//dc[@element='dc.source']@value", ".//dc[@element='dc.publisher']@value"),
        title=("headline", "title"),
        dateline=("dateline",),
    ),
    _Form(
        body="contentSet",
        id=(".@guid",),
        date=("itemMeta/firstCreated", "contentMeta/contentCreated", "itemMeta/versionCreated"),
        source=("itemMeta/provider@literal", "itemMeta/provider@qcode", "contentMeta/infoSource@literal"),
        title=("contentMeta/headline", "itemMeta/title"),
        dateline=("contentMeta/dateline",),
        kind=("itemMeta/itemClass@qcode",),
        stories=("text", "news"),
    ),
    _Form(
        body="NewsComponent",
        id=(".//NewsIdentifier/PublicIdentifier", ".//NewsIdentifier/NewsItemId"),
        date=("NewsManagement/FirstCreated", "NewsManagement/ThisRevisionCreated", ".//NewsIdentifier/DateId"),
        source=(".//NewsIdentifier/ProviderId",),
        title=(".//NewsLines/HeadLine",),
        dateline=(".//NewsLines/DateLine",),
        kind=("NewsManagement/NewsItemType@FormalName",),
        stories=("news", "text"),
    ),
)


class NewsmlOptions(XmlOptions, frozen=True):
    """Options of the reader ``newsml``."""


class NewsmlReader(XmlCorpus[NewsmlOptions]):
    """Reads .xml and archives of it."""

    name = "newsml"
    version = 1
    tag = "newsitem"
    options_type = NewsmlOptions

    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article of a news item; without an id it is named by its place."""
        for form in _FORMS:
            body = root.find(form.body)
            if body is not None:
                return _article(root, body, form, place)
        return Unreadable(place=place, error=f"none of {', '.join(form.body for form in _FORMS)} in the news item")


def _article(root: Element, body: Element, form: _Form, place: str) -> RawArticle:
    kind = first_value(root, form.kind).rpartition(":")[2].lower()
    return RawArticle(
        place=place,
        id=first_value(root, form.id) or place,
        date=first_value(root, form.date),
        source=first_value(root, form.source),
        kind="story" if kind in ("", *form.stories) else kind,
        title=first_value(root, form.title),
        dateline=first_value(root, form.dateline),
        paragraphs=_paragraphs(body),
    )


def _paragraphs(body: Element) -> tuple[str, ...]:
    """The paragraphs; of a body without any, such as plain text in a ``DataContent``, its text as one."""
    found = paragraphs(body.iter("p"))
    if found:
        return found
    plain = body if body.tag == "text" else body.find(".//DataContent")
    return tuple(filter(None, (line(plain),)))
