"""ingest: turns the entries of a corpus into clean, dated articles; an unusable entry is rejected with its file and line.

Like the paper (section 2), the stage uses newswire stories with their dates. It repairs damaged text first. Then it cuts
lines that recur in the source, what precedes the first sentence, credits and notes to editors, and the dateline from the
first remaining paragraph; the article stores all of them. A step before ``run`` reads the corpus once to count the lines.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from wdw_build.core.config.settings import IngestConfig
from wdw_build.core.rule import Rule
from wdw_build.core.stage import CORPUS, RUN, Context, Funnel, Partitions, Stage, Step
from wdw_build.core.store.sorted_counts import summed_counts, write_counts
from wdw_build.errors import CorpusError
from wdw_build.ports import READER
from wdw_build.records import Article, RawArticle, Record, Rejection, Unreadable
from wdw_build.text.dates import parse_date
from wdw_build.text.sentences.credits import cut_credits
from wdw_build.text.sentences.datelines import split_dateline, split_opening
from wdw_build.text.sentences.furniture import Furniture, FurnitureCounter, learned
from wdw_build.text.sentences.openings import cut_opening, marks, without_furniture
from wdw_build.text.sentences.repair import repair_article

# In a smaller corpus a single unreadable entry would exceed the default of max_bad_input.
_FEW_ENTRIES = 100
_ENTRIES = "entries.json"
_COUNT, _LEARN = "count", "learn"
_COUNTS, _FURNITURE = "lines.counts", "furniture.json"


def _article(raw: RawArticle, day: dt.date, config: IngestConfig, furniture: Furniture) -> Article | None:
    """The article, or None if only credits and dateline are left of its text."""
    paragraphs, dateline = list(raw.paragraphs), raw.dateline
    lines, opening, credits = list[str](), list[str](), list[str]()
    if config.cut_openings:
        paragraphs, lines = without_furniture(paragraphs, raw.source, furniture)
        # A reader that gives the dateline knows where the story begins.
        if not dateline:
            paragraphs, opening = cut_opening(paragraphs, raw.title, raw.source, furniture)
    if config.cut_credits:
        paragraphs, credits = cut_credits(paragraphs)
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
        credits=(*opening, *credits, *lines),
    )


def _repaired(raw: RawArticle, config: IngestConfig) -> RawArticle:
    return repair_article(raw) if config.repair_text else raw


def _count_furniture(inputs: Iterator[RawArticle | Unreadable], config: IngestConfig, context: Context) -> None:
    """Count the lines of a block of the corpus, and the words after marks."""
    counter = FurnitureCounter()
    if config.cut_openings:
        for raw in inputs:
            if isinstance(raw, RawArticle) and not (config.kinds and raw.kind not in config.kinds):
                paragraphs = _repaired(raw, config).paragraphs
                found = () if raw.dateline else marks(paragraphs)
                after = ((mark.kind, paragraphs[mark.paragraph][mark.end :]) for mark in found)
                counter.add(raw.source, paragraphs, after)
    write_counts(context.folder / _COUNTS, counter.counts)


def _learn_furniture(_: Iterator[Any], config: IngestConfig, context: Context) -> None:
    """Sum the counts of the blocks, and write the furniture of each source."""
    counts = summed_counts([folder / _COUNTS for folder in context.results(_COUNT)], context.folder)
    (context.folder / _FURNITURE).write_bytes(msgspec.json.encode(learned(counts), order="deterministic"))


@functools.lru_cache(maxsize=1)
def _furniture(folder: Path) -> Furniture:
    """The furniture of the corpus; each process reads it once."""
    return msgspec.json.decode((folder / _FURNITURE).read_bytes(), type=Furniture)


def _judge(raw: RawArticle, config: IngestConfig, zone: ZoneInfo | None, furniture: Furniture) -> Article | Rejection:
    article_id = raw.id or raw.place
    if config.kinds and raw.kind not in config.kinds:
        return Rejection(id=article_id, reason="not-a-story", detail=raw.kind)
    day = parse_date(raw.date, config.date_formats, zone)
    if day is None:
        return Rejection(id=article_id, reason="no-date", detail=f"{raw.place}: {raw.date[:80]!r}")
    article = _article(_repaired(raw, config), day, config, furniture)
    if article is None:
        return Rejection(id=article_id, reason="no-body", detail=raw.place)
    return article


class _Entries(msgspec.Struct):
    """Counts of the corpus entries in a block."""

    read: int = 0
    unreadable: int = 0
    articles: int = 0
    first_error: str = ""

    def add(self, other: _Entries) -> None:
        """Add the counts of a later block."""
        self.read += other.read
        self.unreadable += other.unreadable
        self.articles += other.articles
        self.first_error = self.first_error or other.first_error

    def check(self, most: float) -> None:
        """Raise ``CorpusError`` if too many entries were unreadable, or no entry became an article.

        ``most``: the share of unreadable entries that is allowed.
        """
        if self.unreadable > max(1, most * max(self.read, _FEW_ENTRIES)) or (
            self.read and self.unreadable == self.read
        ):
            raise CorpusError(
                f"{self.unreadable} of {self.read} entries of the corpus are unreadable; the first: {self.first_error}",
                hint="correct the files or the reader's options; ingest.max_bad_input is the share that is allowed",
            )
        if not self.read:
            raise CorpusError(
                "no article in the corpus: 0 entries read",
                hint="check corpus.path: its files are empty, or have a header alone",
            )
        if not self.articles:
            raise CorpusError(
                f"no article in the corpus: {self.read} entries read, none with a date, a text and a kind of ingest.kinds",
                hint="check corpus.options (field names), ingest.kinds and ingest.date_formats",
            )


def run(
    inputs: Iterator[RawArticle | Unreadable], config: IngestConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Yield an article or a rejection for every entry of a block of the corpus."""
    zone = ZoneInfo(config.time_zone) if config.time_zone else None
    furniture = _furniture(context.results(_LEARN)[0])
    entries = _Entries()
    for raw in inputs:
        entries.read += 1
        if isinstance(raw, Unreadable):
            entries.unreadable += 1
            entries.first_error = entries.first_error or f"{raw.place}: {raw.error}"
            yield Rejection(id=raw.place, reason="unreadable", detail=raw.error)
        else:
            result = _judge(raw, config, zone, furniture)
            entries.articles += isinstance(result, Article)
            yield result
    (context.folder / _ENTRIES).write_bytes(msgspec.json.encode(entries))


def check(_: Iterator[Any], config: IngestConfig, context: Context) -> None:
    """Raise ``CorpusError`` if the corpus is empty, no article is left, or more than ``max_bad_input`` is unreadable."""
    entries = _Entries()
    for folder in context.results(RUN):
        entries.add(msgspec.json.decode((folder / _ENTRIES).read_bytes(), type=_Entries))
    entries.check(config.max_bad_input)


STAGE = Stage(
    name="ingest",
    version=7,
    reads=(),
    writes=Article,
    config=IngestConfig,
    run=run,
    setup_steps=(
        Step(_COUNT, _count_furniture, over=CORPUS, unit="articles"),
        Step(_LEARN, _learn_furniture, over=Partitions(1)),
    ),
    finalize_steps=(Step("check", check),),
    duplicates="duplicate-id",
    ports=(READER,),
    unit="articles",
    funnel=Funnel("articles", key="articles"),
    summary="Read the corpus into clean, dated articles.",
    reasons={
        "unreadable": Rule("the entry cannot be read (quarantined with file and line)"),
        "duplicate-id": Rule("an earlier article has the same id"),
        "not-a-story": Rule("the article's kind is not in ingest.kinds", ("kinds",)),
        "no-date": Rule("the date is missing or in a format that is not in ingest.date_formats", ("date_formats",)),
        "no-body": Rule("no text besides title, dateline and credits"),
    },
)
