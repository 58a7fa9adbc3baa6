"""Reads the XML formats of news agencies: NITF, and NewsML in three forms.

NITF, the News Industry Text Format, is for example that of the New York Times Annotated Corpus (LDC2008T19). The date is
the date of publication or, without one, of issue or release. Of a body in blocks, the reader takes the block
``full_text``, which includes the lead paragraph. Articles of the Times from 1987 to 1990 start with "LEAD:" and often
repeat the lead; the reader keeps it once.

NewsML is the Reuters Corpus RCV1 (``<newsitem>``), NewsML 1 (``<NewsItem>``) or NewsML-G2 (``<newsItem>``). The three
keep an article's parts in different elements. The date is that of the first version, because later versions report on the
same day. The text is the paragraphs (``<p>``) of the body.
"""

from __future__ import annotations

from typing import NamedTuple
from xml.etree.ElementTree import Element

from wdw_build.adapters.corpora.reading.xml_corpus import XmlCorpus, XmlOptions, first_value, line, paragraphs
from wdw_build.records import RawArticle, Unreadable

# An article of the Times with one of these types is not a story, whatever other types it has.
_NOT_STORIES = (
    "letter, correction, editors' note, paid death notice, list, schedule, statistics, table, text, transcript, chronology, "
    "quote, question, caption"
).split(", ")
_LEAD = "LEAD:"
_DATES = (".//pubdata@date.publication", ".//date.issue@norm", ".//date.release@norm")


class NitfReader(XmlCorpus[XmlOptions]):
    """Reads .xml files and archives of them."""

    name = "nitf"
    version = 1
    tag = "nitf"
    options_type = XmlOptions

    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article in an ``<nitf>``. If it has no id, its place becomes its id."""
        classifiers = root.iter("classifier")
        types = {line(element).lower() for element in classifiers if element.get("type") == "types_of_material"}
        return RawArticle(
            place=place,
            id=first_value(root, (".//doc-id@id-string",)) or place,
            date=first_value(root, _DATES) or _date_in_parts(root),
            source=first_value(root, (".//pubdata@name", ".//doc.copyright@holder")),
            kind=next((kind.replace(" ", "-") for kind in _NOT_STORIES if kind in types), "story"),
            title=first_value(root, (".//hedline/hl1", ".//head/title")),
            dateline=first_value(root, (".//body.head/dateline",)),
            paragraphs=_without_lead(_body(root)),
        )


def _date_in_parts(root: Element) -> str:
    """The date in the meta elements of the Times; empty if a part is missing."""
    meta = {element.get("name", ""): element.get("content", "").strip() for element in root.iter("meta")}
    parts = [meta.get(f"publication_{part}", "") for part in ("year", "month", "day_of_month")]
    return "-".join(part.zfill(2) for part in parts) if all(parts) else ""


def _body(root: Element) -> tuple[str, ...]:
    body = root.find(".//body.content")
    if body is None:
        return ()
    blocks = {block.get("class", ""): block for block in body.iter("block")}
    return paragraphs(blocks.get("full_text", body).iter("p"))


def _without_lead(body: tuple[str, ...]) -> tuple[str, ...]:
    """The paragraphs without the mark "LEAD:", and without the lead itself if the next paragraph repeats it."""
    if not body or not body[0].startswith(_LEAD):
        return body
    lead, rest = body[0].removeprefix(_LEAD).strip(), body[1:]
    repeated = bool(rest) and rest[0].casefold().startswith(lead.casefold())
    return rest if repeated else tuple(filter(None, (lead, *rest)))


# ---- NewsML ----------------------------------------------------------------------------------------------------------


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
