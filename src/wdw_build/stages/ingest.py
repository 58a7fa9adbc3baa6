"""ingest: from what a reader finds to clean, dated articles; what cannot be used is a rejection with its place.

Follows the paper's section 2 in taking newswire stories with their dates. Damaged encodings are repaired first. Then credits
and notes to editors are taken off the text, the dateline off the first paragraph that is left; both are kept.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wdw_build.core.config.settings import IngestConfig
from wdw_build.core.stage import Context, Funnel, Stage
from wdw_build.core.store.duplicate_ids import DuplicateIds, duplicate_ids
from wdw_build.errors import ConfigError, CorpusError
from wdw_build.ports import READER
from wdw_build.records import Article, RawArticle, Record, Rejection, Unreadable
from wdw_build.text.dates import parse_date
from wdw_build.text.sentences.credits import cut_credits
from wdw_build.text.sentences.datelines import split_dateline, split_opening
from wdw_build.text.sentences.repair import repair_article

# Below this many places a single damaged one would already exceed the usual share.
_FEW_PLACES = 100


def _article(raw: RawArticle, day: dt.date, config: IngestConfig) -> Article | None:
    """The article, or None if no text is left when the credits and the dateline are off."""
    paragraphs, credits = cut_credits(raw.paragraphs) if config.cut_credits else (list(raw.paragraphs), [])
    dateline = raw.dateline
    if paragraphs and not dateline:
        split = split_opening if config.cut_openings else split_dateline
        dateline, paragraphs[0] = split(paragraphs[0], raw.source)
    paragraphs = [paragraph for paragraph in paragraphs if paragraph.strip()]
    if not paragraphs:
        return None
    return Article(
        id=raw.id or raw.place,
        date=day,
        source=raw.source,
        kind=raw.kind,
        title=raw.title,
        dateline=dateline.strip(),
        paragraphs=tuple(paragraphs),
        credits=tuple(credits),
    )


def _zone(name: str) -> ZoneInfo | None:
    """The zone that days are settled to. Raises ``ConfigError`` if there is none of that name."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        hint = "Names are those of the IANA database, such as UTC or America/New_York (pip install tzdata brings it)."
        raise ConfigError(f"ingest.time_zone: no zone {name!r}", hint=hint) from error


def _judge(raw: RawArticle, config: IngestConfig, zone: ZoneInfo | None, seen: DuplicateIds) -> Article | Rejection:
    own_id = raw.id or raw.place
    if own_id in seen:
        return Rejection(id=own_id, reason="duplicate-id", detail=raw.place)
    if config.kinds and raw.kind not in config.kinds:
        return Rejection(id=own_id, reason="not-a-story", detail=raw.kind)
    day = parse_date(raw.date, config.date_formats, zone)
    if day is None:
        return Rejection(id=own_id, reason="no-date", detail=f"{raw.place}: {raw.date[:80]!r}")
    article = _article(repair_article(raw) if config.repair_text else raw, day, config)
    if article is None:
        return Rejection(id=own_id, reason="no-body", detail=raw.place)
    seen.add(own_id)
    return article


@dataclass
class _Places:
    """What was read so far."""

    read: int = 0
    unreadable: int = 0
    first_error: str = ""

    def check(self, articles: int, most: float) -> None:
        """Raise ``CorpusError`` if too much was unreadable, or no article came of it."""
        if self.unreadable > max(1, most * max(self.read, _FEW_PLACES)) or (self.read and self.unreadable == self.read):
            raise CorpusError(
                f"{self.unreadable} of {self.read} places of the corpus are unreadable; the first: {self.first_error}",
                hint="mend the files or the reader's options; ingest.max_bad_input is the share that is let pass",
            )
        if not articles:
            raise CorpusError(
                f"no article in the corpus: {self.read} places read, none with a date, a text and a wanted kind",
                hint="look at corpus.options (field names), ingest.kinds and ingest.date_formats",
            )


def run(
    inputs: Iterator[RawArticle | Unreadable], config: IngestConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Yield an article or a rejection for every place of the corpus.

    Raises ``CorpusError`` if there is nothing to read, no article is left, or more than ``max_bad_input`` is unreadable.
    """
    zone = _zone(config.time_zone)
    places = _Places()
    with duplicate_ids(context.folder) as seen:
        for raw in inputs:
            places.read += 1
            if isinstance(raw, Unreadable):
                places.unreadable += 1
                places.first_error = places.first_error or f"{raw.place}: {raw.error}"
                yield Rejection(id=raw.place, reason="unreadable", detail=raw.error)
            else:
                yield _judge(raw, config, zone, seen)
        places.check(seen.count, config.max_bad_input)


STAGE = Stage(
    name="ingest",
    version=4,
    reads=(),
    writes=Article,
    config=IngestConfig,
    run=run,
    ports=(READER,),
    scope="set",
    runs_alone=True,
    unit="articles",
    funnel=Funnel("articles", key="articles"),
    summary="Read the corpus into clean, dated articles.",
    reasons={
        "unreadable": "the place in the corpus cannot be read (quarantined with file and line)",
        "duplicate-id": "an earlier article has the same id",
        "not-a-story": "its kind is not in ingest.kinds",
        "no-date": "no date, or none that ingest.date_formats knows",
        "no-body": "no text besides title, dateline and credits",
    },
)
