"""Reads NewsML: the Reuters Corpus RCV1 (``<newsitem>``), NewsML 1 (``<NewsItem>``) and NewsML-G2 (``<newsItem>``).

The three formats keep an article's parts in different elements. The date is that of the first version, because later versions
report on the same day. The text is the paragraphs (``<p>``) of the body.
"""

from __future__ import annotations

from typing import NamedTuple
from xml.etree.ElementTree import Element

from wdw_build.adapters.corpora.reading.xml_corpus import XmlCorpus, XmlOptions, first_value, line, paragraphs
from wdw_build.records import RawArticle, Unreadable


class _Format(NamedTuple):
    """The paths of an article's parts in one format; the first that holds a value counts. ``path@name`` is an attribute."""

    body: str
    id: tuple[str, ...]
    date: tuple[str, ...]
    source: tuple[str, ...]
    title: tuple[str, ...]
    dateline: tuple[str, ...]
    kind: tuple[str, ...] = ()
    stories: tuple[str, ...] = ()


# The element of the body identifies the format.
_FORMATS = (
    _Format(
        body="text",
        id=(".@itemid",),
        date=(".@date", ".//dc[@element='dc.date.published']@value"),
        source=(".//dc[@element='dc.source']@value", ".//dc[@element='dc.publisher']@value"),
        title=("headline", "title"),
        dateline=("dateline",),
    ),
    _Format(
        body="contentSet",
        id=(".@guid",),
        date=("itemMeta/firstCreated", "contentMeta/contentCreated", "itemMeta/versionCreated"),
        source=("itemMeta/provider@literal", "itemMeta/provider@qcode", "contentMeta/infoSource@literal"),
        title=("contentMeta/headline", "itemMeta/title"),
        dateline=("contentMeta/dateline",),
        kind=("itemMeta/itemClass@qcode",),
        stories=("text", "news"),
    ),
    _Format(
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


class NewsmlReader(XmlCorpus[XmlOptions]):
    """Reads .xml files and archives of them."""

    name = "newsml"
    version = 1
    tag = "newsitem"
    options_type = XmlOptions

    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in a news item. If it has no id, its place becomes its id."""
        for paths in _FORMATS:
            body = root.find(paths.body)
            if body is not None:
                return _article(root, body, paths, place)
        bodies = ", ".join(paths.body for paths in _FORMATS)
        return Unreadable(place=place, error=f"none of {bodies} in the news item")


def _article(root: Element, body: Element, paths: _Format, place: str) -> RawArticle:
    kind = first_value(root, paths.kind).rpartition(":")[2].lower()
    return RawArticle(
        place=place,
        id=first_value(root, paths.id) or place,
        date=first_value(root, paths.date),
        source=first_value(root, paths.source),
        kind="story" if kind in ("", *paths.stories) else kind,
        title=first_value(root, paths.title),
        dateline=first_value(root, paths.dateline),
        paragraphs=_paragraphs(body),
    )


def _paragraphs(body: Element) -> tuple[str, ...]:
    """The paragraphs of the body. The text of a body without ``<p>``, such as plain text, becomes one paragraph."""
    texts = paragraphs(body.iter("p"))
    if texts:
        return texts
    plain = body if body.tag == "text" else body.find(".//DataContent")
    return tuple(filter(None, (line(plain),)))
