"""ingest: turns the entries of a corpus into clean, dated articles; an unusable entry is rejected with its file and line.

Like the paper (section 2), the stage uses newswire stories with their dates. It repairs damaged encodings first. Then it cuts
credits and notes to editors from the text, and the dateline from the first remaining paragraph; the article stores both.
"""

from __future__ import annotations

import datetime as dt
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wdw_build.core.config.settings import IngestConfig
from wdw_build.core.stage import Context, Funnel, Stage
from wdw_build.errors import ConfigError, CorpusError
from wdw_build.ports import READER
from wdw_build.records import Article, RawArticle, Record, Rejection, Unreadable
from wdw_build.text.dates import parse_date
from wdw_build.text.sentences.credits import cut_credits
from wdw_build.text.sentences.datelines import split_dateline, split_opening
from wdw_build.text.sentences.repair import repair_article

# In a smaller corpus a single unreadable entry would exceed the default of max_bad_input.
_FEW_ENTRIES = 100
_CACHE_KB = 64 * 1024


class SeenIds:
    """The ids of all articles read so far, in a table on disk: memory does not grow with the corpus, and ids are exact."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.count = 0

    def __contains__(self, record_id: str) -> bool:
        return self._connection.execute("SELECT 1 FROM seen WHERE id = ?", (_key(record_id),)).fetchone() is not None

    def add(self, record_id: str) -> None:
        """Add an id that is not in the table."""
        self._connection.execute("INSERT INTO seen VALUES (?)", (_key(record_id),))
        self.count += 1


def _key(record_id: str) -> bytes:
    return record_id.encode("utf-8", "surrogatepass")


@contextmanager
def seen_ids(folder: Path) -> Iterator[SeenIds]:
    """An empty set of ids in a file, which is deleted afterwards."""
    path = folder / f".seen-{os.getpid()}.sqlite"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # Only this process reads the file, and nothing needs it after a crash: no journal, no waiting for the disk.
        for pragma in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "locking_mode = EXCLUSIVE",
            f"cache_size = -{_CACHE_KB}",
        ):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("CREATE TABLE seen (id BLOB PRIMARY KEY) WITHOUT ROWID")
        connection.execute("BEGIN")
        yield SeenIds(connection)
    finally:
        connection.close()
        path.unlink(missing_ok=True)


def _article(raw: RawArticle, day: dt.date, config: IngestConfig) -> Article | None:
    """The article, or None if only credits and dateline are left of its text."""
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
    """The zone to which timestamps are converted. Raises ``ConfigError`` for an unknown name."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        hint = "use a name of the IANA database, such as UTC or America/New_York (pip install tzdata installs it)"
        raise ConfigError(f"ingest.time_zone: no zone {name!r}", hint=hint) from error


def _judge(raw: RawArticle, config: IngestConfig, zone: ZoneInfo | None, seen: SeenIds) -> Article | Rejection:
    article_id = raw.id or raw.place
    if article_id in seen:
        return Rejection(id=article_id, reason="duplicate-id", detail=raw.place)
    if config.kinds and raw.kind not in config.kinds:
        return Rejection(id=article_id, reason="not-a-story", detail=raw.kind)
    day = parse_date(raw.date, config.date_formats, zone)
    if day is None:
        return Rejection(id=article_id, reason="no-date", detail=f"{raw.place}: {raw.date[:80]!r}")
    article = _article(repair_article(raw) if config.repair_text else raw, day, config)
    if article is None:
        return Rejection(id=article_id, reason="no-body", detail=raw.place)
    seen.add(article_id)
    return article


@dataclass
class _Entries:
    """Counts of the corpus entries read so far."""

    read: int = 0
    unreadable: int = 0
    first_error: str = ""

    def check(self, articles: int, most: float) -> None:
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
        if not articles:
            raise CorpusError(
                f"no article in the corpus: {self.read} entries read, none with a date, a text and a kind of ingest.kinds",
                hint="check corpus.options (field names), ingest.kinds and ingest.date_formats",
            )


def run(
    inputs: Iterator[RawArticle | Unreadable], config: IngestConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Yield an article or a rejection for every entry of the corpus.

    Raises ``CorpusError`` if the corpus is empty, no article is left, or more than ``max_bad_input`` is unreadable.
    """
    zone = _zone(config.time_zone)
    entries = _Entries()
    with seen_ids(context.folder) as seen:
        for raw in inputs:
            entries.read += 1
            if isinstance(raw, Unreadable):
                entries.unreadable += 1
                entries.first_error = entries.first_error or f"{raw.place}: {raw.error}"
                yield Rejection(id=raw.place, reason="unreadable", detail=raw.error)
            else:
                yield _judge(raw, config, zone, seen)
        entries.check(seen.count, config.max_bad_input)


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
        "unreadable": "the entry cannot be read (quarantined with file and line)",
        "duplicate-id": "an earlier article has the same id",
        "not-a-story": "the article's kind is not in ingest.kinds",
        "no-date": "the date is missing or in a format that is not in ingest.date_formats",
        "no-body": "no text besides title, dateline and credits",
    },
    decided_by={"not-a-story": ("kinds",), "no-date": ("date_formats",)},
)
