"""NITF, the News Industry Text Format, as in the New York Times Annotated Corpus (LDC2008T19).

The date is that of publication, else of issue. Of a body in blocks, ``full_text`` is read, which repeats the lead
paragraph. The Times of 1987 to 1990 begins with "LEAD:" and often says the lead twice; once is kept.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from wdw_build.adapters.corpora.reading.xml_corpus import XmlCorpus, XmlOptions, first_value, line, paragraphs
from wdw_build.records import RawArticle, Unreadable

# What the Times files under these types is no story, whatever else it is filed under.
_NO_STORIES = (
    "letter",
    "correction",
    "editors' note",
    "paid death notice",
    "list",
    "schedule",
    "statistics",
    "table",
    "text",
    "transcript",
    "chronology",
    "quote",
    "question",
    "caption",
)
_LEAD = "LEAD:"
_DATES = (".//pubdata@date.publication", ".//date.issue@norm", ".//date.release@norm")


class NitfOptions(XmlOptions, frozen=True):
    """Options of the reader ``nitf``."""


class NitfReader(XmlCorpus[NitfOptions]):
    """Reads .xml and archives of it."""

    name = "nitf"
    version = 1
    tag = "nitf"
    options_type = NitfOptions

    def article(self, root: Element, place: str) -> RawArticle | Unreadable:
        """The article of an ``<nitf>``; without an id it is named by its place."""
        return RawArticle(
            place=place,
            id=first_value(root, (".//doc-id@id-string",)) or place,
            date=first_value(root, _DATES) or _date_in_parts(root),
            source=first_value(root, (".//pubdata@name", ".//doc.copyright@holder")),
            kind=_kind(root),
            title=first_value(root, (".//hedline/hl1", ".//head/title")),
            dateline=first_value(root, (".//body.head/dateline",)),
            paragraphs=_without_lead(_body(root)),
        )


def _date_in_parts(root: Element) -> str:
    """The day from the meta elements of the Times, empty if there are none."""
    meta = {one.get("name", ""): one.get("content", "").strip() for one in root.iter("meta")}
    parts = [meta.get(f"publication_{part}", "") for part in ("year", "month", "day_of_month")]
    return "-".join(part.zfill(2) for part in parts) if all(parts) else ""


def _kind(root: Element) -> str:
    types = {line(one).lower() for one in root.iter("classifier") if one.get("type") == "types_of_material"}
    return next((kind.replace(" ", "-") for kind in _NO_STORIES if kind in types), "story")


def _body(root: Element) -> tuple[str, ...]:
    body = root.find(".//body.content")
    if body is None:
        return ()
    blocks = {one.get("class", ""): one for one in body.iter("block")}
    return paragraphs(blocks.get("full_text", body).iter("p"))


def _without_lead(found: tuple[str, ...]) -> tuple[str, ...]:
    """The paragraphs without the mark of the lead, and without a lead that the next paragraph begins with again."""
    if not found or not found[0].startswith(_LEAD):
        return found
    lead, rest = found[0].removeprefix(_LEAD).strip(), found[1:]
    said_again = bool(rest) and rest[0].casefold().startswith(lead.casefold())
    return rest if said_again else tuple(filter(None, (lead, *rest)))
