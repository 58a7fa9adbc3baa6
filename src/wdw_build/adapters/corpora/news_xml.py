"""Reads articles in XML: NITF, NewsML in three forms, RSS and Atom feeds, and the XML that trafilatura writes.

The formats keep an article's parts in different elements. The date is that of the first version, because later versions report
on the same day. Of several versions of a text, the longest is read.

NITF, the News Industry Text Format, is for example that of the New York Times Annotated Corpus (LDC2008T19). Of a body in
blocks, the reader takes the block ``full_text``, which includes the lead paragraph. Articles of the Times from 1987 to 1990
start with "LEAD:" and often repeat the lead; the reader keeps it once. NewsML is the Reuters Corpus RCV1 (``<newsitem>``),
NewsML 1 (``<NewsItem>``) or NewsML-G2 (``<newsItem>``).
"""

from __future__ import annotations

import re
from typing import ClassVar, NamedTuple
from xml.etree.ElementTree import Element

from wdw_build.adapters.corpora.reading.markup import host_of
from wdw_build.adapters.corpora.reading.markup_files import XmlCorpus
from wdw_build.adapters.corpora.reading.trees import first_value, line, paragraphs
from wdw_build.records import RawArticle, Unreadable

# An article of the Times with one of these types is not a story, whatever other types it has.
_NOT_STORIES = (
    "letter, correction, editors' note, paid death notice, list, schedule, statistics, table, text, transcript, chronology, "
    "quote, question, caption"
).split(", ")
_LEAD = "LEAD:"
# Elements of which an item can have one per language.
_VERSIONS = frozenset(("newscomponent", "contentitem", "headline", "inlinexml", "inlinedata", "content", "summary"))
# The elements of a feed's item that can be its text. Those with a URL are pictures with their captions.
_FEED_TEXTS = frozenset("article body content description fulltext full-text story summary text".split())
# What formats call a story, and a post that was not published.
_KINDS = dict.fromkeys(("", "text", "news", "post", "publish"), "story") | {"yes": "draft"}
_CANCELED = re.compile(r"(?:^|:)cancell?ed$", re.IGNORECASE)


class _Format(NamedTuple):
    """The paths of an article's parts in one format; the first that holds a value counts. ``path@name`` is an attribute."""

    has: str
    """The element that identifies the format."""
    body: tuple[str, ...]
    id: tuple[str, ...]
    date: tuple[str, ...]
    source: tuple[str, ...]
    title: tuple[str, ...]
    dateline: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    """The first value that is not that of a story counts."""
    status: str = ""
    """Where the format says that the agency withdrew the article."""


_NITF = _Format(
    has=".",
    body=("body/body.content//block[@class='full_text']", "body"),
    id=(".//doc-id@id-string",),
    date=(".//pubdata@date.publication", ".//date.issue@norm", ".//date.release@norm"),
    source=(".//pubdata@name", ".//doc.copyright@holder", ".//distributor", ".//doc-id@regsrc"),
    title=(".//hedline/hl1", "head/title"),
    dateline=("body/body.head/dateline",),
)
_RCV1 = _Format(
    has="text",
    body=("text",),
    id=(".@itemid",),
    date=(".@date", ".//dc[@element='dc.date.published']@value"),
    source=(".//dc[@element='dc.source']@value", ".//dc[@element='dc.publisher']@value"),
    title=("headline", "title"),
    dateline=("dateline",),
)
_NEWSML_G2 = _Format(
    has="contentSet",
    body=("contentset/inlinexml", "contentset/inlinedata"),
    id=(".@guid",),
    date=("itemmeta/firstcreated", "contentmeta/contentcreated", "itemmeta/versioncreated"),
    source=("itemmeta/provider@literal", "itemmeta/provider@qcode", "contentmeta/infosource@literal"),
    title=("contentmeta/headline", "itemmeta/title", ".//head/title"),
    dateline=("contentmeta/dateline",),
    kind=("itemmeta/itemclass@qcode",),
    status="itemmeta/pubstatus@qcode",
)
_NEWSML_1 = _Format(
    has="NewsComponent",
    # The content of an <Encoding> is not text, but mostly a picture in Base64.
    body=(".//contentitem/datacontent",),
    id=(".//newsidentifier/publicidentifier", ".//newsidentifier/newsitemid"),
    date=("newsmanagement/firstcreated", "newsmanagement/thisrevisioncreated", ".//newsidentifier/dateid"),
    source=(".//newsidentifier/providerid",),
    title=(".//newslines/headline",),
    dateline=(".//newslines/dateline",),
    kind=("newsmanagement/newsitemtype@formalname",),
    status="newsmanagement/status@formalname",
)
_FEED = _Format(
    has=".",
    body=("encoded", "*"),
    id=("guid", "id", "link", "link@href"),
    date=("pubdate", "published", "date", "updated"),
    source=("link", "link@href", "guid", "id", "source/title"),
    title=("title",),
)
# Exports of WordPress and of Blogger also have pages, attachments, menus and comments, and what was not published.
_WORDPRESS = _FEED._replace(has="post_type", kind=("post_type", "status"))
_BLOGGER_KIND = "category[@scheme='http://schemas.google.com/g/2005#kind']"
_BLOGGER = _FEED._replace(has=_BLOGGER_KIND, kind=(f"{_BLOGGER_KIND}@term", "control/draft"))
_TRAFILATURA = _Format(
    has=".",
    body=("main",),
    id=(".@url", ".@source", ".@fingerprint"),
    date=(".@date",),
    source=(".@hostname", ".@sitename", ".@url", ".@source"),
    title=(".@title",),
)


class _NewsCorpus(XmlCorpus):
    formats: ClassVar[tuple[_Format, ...]]

    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in one document. If it has no id, its place becomes its id."""
        _keep_english(root)
        for paths in self.formats:
            if root.find(paths.has.lower()) is not None:
                return _article(root, paths, place)
        return Unreadable(
            place=place, error=f"none of {', '.join(paths.has for paths in self.formats)} in the news item"
        )


class NitfReader(_NewsCorpus):
    """Reads .xml files and archives of them."""

    name = "nitf"
    version = 4
    tag = "nitf"
    formats = (_NITF,)


class NewsmlReader(_NewsCorpus):
    """Reads .xml files and archives of them."""

    name = "newsml"
    version = 4
    tag = "newsitem"
    formats = (_RCV1, _NEWSML_G2, _NEWSML_1)


class FeedReader(_NewsCorpus):
    """Reads .xml, .rss and .atom files and archives of them."""

    name = "feed"
    version = 4
    tag = "item|entry"
    suffixes = (".rss", ".atom", ".xml")
    formats = (_WORDPRESS, _BLOGGER, _FEED)


class TrafilaturaReader(_NewsCorpus):
    """Reads .xml files and archives of them."""

    name = "trafilatura"
    version = 3
    tag = "doc"
    formats = (_TRAFILATURA,)


def _keep_english(root: Element) -> None:
    """Remove the versions in other languages beside a version in English."""
    for parent in list(root.iter()):
        versions = [child for child in parent if child.tag in _VERSIONS and child.get("lang")]
        others = [child for child in versions if not child.get("lang", "").lower().startswith("en")]
        for child in others if len(others) < len(versions) else ():
            parent.remove(child)


def _article(root: Element, paths: _Format, place: str) -> RawArticle:
    return RawArticle(
        place=place,
        id=first_value(root, paths.id) or place,
        date=first_value(root, paths.date) or _date_in_parts(root),
        source=next(filter(None, (_source(root, path) for path in paths.source)), ""),
        kind=_kind(root, paths),
        title=first_value(root, paths.title),
        dateline=first_value(root, paths.dateline),
        paragraphs=_without_lead(_body(root, paths.body)),
    )


def _source(root: Element, path: str) -> str:
    """The source at a path, which is the host of an address; an id without a host, such as ``urn:x``, is no source."""
    value = first_value(root, (path,))
    return host_of(value) if "://" in value or path in ("guid", "id") else value.removeprefix("www.")


def _kind(root: Element, paths: _Format) -> str:
    if paths.status and _CANCELED.search(first_value(root, (paths.status,))):
        return "canceled"
    classifiers = root.iter("classifier")
    types = {line(element).lower() for element in classifiers if element.get("type") == "types_of_material"}
    values = (re.split("[:#]", first_value(root, (path,)))[-1].lower() for path in paths.kind)
    if kind := next((kind for value in values if (kind := _KINDS.get(value, value)) != "story"), ""):
        return kind
    return next((kind.replace(" ", "-") for kind in _NOT_STORIES if kind in types), "story")


def _date_in_parts(root: Element) -> str:
    """The date in the meta elements of the Times; empty if a part is missing."""
    meta = {element.get("name", ""): element.get("content", "").strip() for element in root.iter("meta")}
    parts = [meta.get(f"publication_{part}", "") for part in ("year", "month", "day_of_month")]
    return "-".join(part.zfill(2) for part in parts) if all(parts) else ""


def _body(root: Element, paths: tuple[str, ...]) -> tuple[str, ...]:
    """The longest text at the first path that has any."""
    for path in paths:
        bodies = root.findall(path)
        if path == "*":
            bodies = [body for body in bodies if body.tag in _FEED_TEXTS and not body.get("url")]
        texts = list(map(paragraphs, bodies))
        if longest := max(texts, key=lambda text: sum(map(len, text)), default=()):
            return longest
    return ()


def _without_lead(body: tuple[str, ...]) -> tuple[str, ...]:
    """The paragraphs without the mark "LEAD:", and without the lead itself if the next paragraph repeats it."""
    if not body or not body[0].startswith(_LEAD):
        return body
    lead, rest = body[0].removeprefix(_LEAD).strip(), body[1:]
    repeated = bool(rest) and rest[0].casefold().startswith(lead.casefold())
    return rest if repeated else tuple(filter(None, (lead, *rest)))
