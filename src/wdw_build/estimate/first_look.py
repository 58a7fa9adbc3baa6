"""A first look at a corpus: its first records as ``ingest`` understands them, before anything is built."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.config.settings import Config, IngestConfig
from wdw_build.core.progress import Progress
from wdw_build.core.run.run_alone import run_alone
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.tasks.job import Job
from wdw_build.errors import ConfigError
from wdw_build.records import Article, RawArticle, Rejection, Unreadable
from wdw_build.registry import Backends, InMemoryReader, WithReader
from wdw_build.stages import ingest
from wdw_build.text.dates import DAY_FIRST, USUAL_FORMATS, DateOrders
from wdw_build.text.oddities import Oddities

Entry = RawArticle | Unreadable

_RECORDS = 100
# If the first records do not show the order of numeric dates, later ones are read for so long, or to the end.
_SECONDS = 20.0
_CLOCK_EVERY = 256
_OPTIONAL = ("id", "source", "title")


@dataclass(frozen=True)
class FirstLook:
    """The first records of a corpus, and the result of each, in the same order."""

    entries: Sequence[Entry]
    results: Sequence[Article | Rejection]
    section: IngestConfig
    """The settings that were used; ``date_formats`` has the formats that were found."""
    notes: Sequence[str]
    """What the user should know: absent fields, unreadable records, odd texts, and how dates are read."""
    unclear_dates: ConfigError | None
    """Why ``ingest`` would refuse the dates of the corpus; None if it would not, or if that is not known yet."""
    is_order_open: bool = False
    """Whether the order of numeric dates is unknown; days of articles are then those with the day first."""

    @property
    def pairs(self) -> list[tuple[RawArticle, Article]]:
        """The records that became articles, as read and as understood."""
        return [
            (entry, result)
            for entry, result in zip(self.entries, self.results, strict=True)
            if isinstance(entry, RawArticle) and isinstance(result, Article)
        ]

    @property
    def reasons(self) -> dict[str, int]:
        """The number of rejected records by reason."""
        return dict(Counter(result.reason for result in self.results if isinstance(result, Rejection)).most_common())


def first_look(config: Config, reader: Any) -> FirstLook:
    """Read the first records of a corpus, and run ``ingest`` on them.

    Raises ``CorpusError`` if no record gives an article, and the errors of reader and settings.
    """
    entries: list[Entry] = []
    stream: Iterator[Entry] = reader.read()
    for entry in stream:
        entries.append(entry)
        if len(entries) == _RECORDS:
            break
    look = _with_dates(config.ingest, entries, stream)
    look = replace(look, results=ingested(entries, config, look.section))
    return replace(look, notes=[*look.notes, *_absent_fields(config, look), *_rejected(look), *_odd(look)])


def ingested(entries: Sequence[Entry], config: Config, section: IngestConfig) -> list[Article | Rejection]:
    """The result of ``ingest`` for each record. Raises ``CorpusError`` if no record gives an article."""
    stage, any_share = ingest.STAGE, msgspec.structs.replace(section, max_bad_input=1.0)
    made_of = Ingredients(stage=stage.name, version=stage.version, config={}, seed=config.seed, backends={}, inputs={})
    job = Job(stage, any_share, made_of, {}, WithReader(Backends(config), InMemoryReader(entries)))
    with tempfile.TemporaryDirectory(prefix="wdw-look-") as folder:
        results = run_alone(job, iter(entries), Path(folder), Progress("quiet"))[1]
        return [result for result in results if isinstance(result, Article | Rejection)]


def _with_dates(section: IngestConfig, entries: Sequence[Entry], later: Iterator[Entry]) -> FirstLook:
    """The look with the formats of dates, but without results. Reads beyond ``entries`` only if their dates are ambiguous."""
    if section.date_formats:
        return FirstLook(entries, (), section, (), None)
    dates, is_whole = DateOrders(), False
    _count(dates, entries, section)
    if dates.is_ambiguous:
        is_whole = _search(dates, later, section)
    found = msgspec.structs.replace(section, date_formats=(*USUAL_FORMATS, dates.order or DAY_FIRST))
    try:
        _ = dates.formats
    except ConfigError as error:
        if is_whole or dates.order:
            return FirstLook(entries, (), found, (), error, is_order_open=True)
        note = f"{error.message}, as far as they were read; ingest stops if that is so for all"
        return FirstLook(entries, (), found, (note,), None, is_order_open=True)
    return FirstLook(entries, (), found, tuple(filter(None, [dates.in_words])), None)


def _count(dates: DateOrders, entries: Sequence[Entry], section: IngestConfig) -> None:
    for entry in entries:
        if isinstance(entry, RawArticle) and not (section.kinds and entry.kind not in section.kinds):
            dates.count(entry.date, entry.place)


def _search(dates: DateOrders, later: Iterator[Entry], section: IngestConfig) -> bool:
    """Read on until a date decides; returns whether the corpus was read to its end without one."""
    begun = time.monotonic()
    for number, entry in enumerate(later):
        _count(dates, [entry], section)
        if dates.order or (number % _CLOCK_EVERY == 0 and time.monotonic() - begun > _SECONDS):
            return False
    return True


def _absent_fields(config: Config, look: FirstLook) -> list[str]:
    """A line for each optional field that the configuration names and no record has."""
    fields = config.corpus.options.get("fields")
    given = fields if isinstance(fields, dict) else {}
    records = [entry for entry in look.entries if isinstance(entry, RawArticle)]
    return [
        f"no record has the field {given[name]!r}, which corpus.options.fields.{name} names"
        for name in _OPTIONAL
        if name in given
        and all(getattr(record, name) in ("", record.place if name == "id" else "") for record in records)
    ]


def _rejected(look: FirstLook) -> list[str]:
    """A line for each reason, with the first rejected record."""
    first: dict[str, Rejection] = {}
    for result in look.results:
        if isinstance(result, Rejection):
            first.setdefault(result.reason, result)
    meanings = ingest.STAGE.reasons
    return [
        f"{count} of {len(look.entries)} records are rejected as {reason} ({meanings[reason].meaning}), such as "
        f"{first[reason].detail or first[reason].id}"
        for reason, count in look.reasons.items()
    ]


def _odd(look: FirstLook) -> list[str]:
    oddities = Oddities()
    for _, article in look.pairs:
        oddities.count(article)
    return oddities.lines
