"""ingest: turns the entries of a corpus into clean, dated articles; an unusable entry is rejected with its file and line.

Like the paper (section 2), the stage uses newswire stories with their dates. It repairs damaged text first. Then it cuts page
text, what precedes the first sentence, credits and notes to editors, and the dateline from the first remaining paragraph; the
article stores all of them. A step before ``run`` reads the corpus once, for the profiles of sources and to find out whether numeric
dates have the day or the month first. A step after it rejects the copies of earlier articles, so that no other stage reads
them.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from wdw_build.core.progress import printable
from wdw_build.core.rule import Rule
from wdw_build.core.section import AddedRule, Section, Share
from wdw_build.core.stage import CORPUS, RUN, WITHDRAWN, Context, Stage, Step, blocks
from wdw_build.core.store import jsonl
from wdw_build.errors import ConfigError
from wdw_build.ports import LANGUAGE_DETECTOR, PAGE_TAGGER, READER, LanguageDetector, PageTagger
from wdw_build.records import Article, Joined, RawArticle, Record, Rejection, Unreadable
from wdw_build.stages.ingest.entries import Entries, lost_files, rejection_of
from wdw_build.text.counts import summed_counts, write_counts
from wdw_build.text.dates import DateOrders, check_formats, parse_date
from wdw_build.text.document_kinds import STORY, DocumentKind, kind_of
from wdw_build.text.pages.cleaning import Cleaned, cleaned
from wdw_build.text.pages.joined_lines import joined_spans, lines_to_read
from wdw_build.text.pages.profile import PAGES, WIRE, Sources, count_signs, joined_note, sources_of
from wdw_build.text.pages.tagged_lines import Reading, scores_of
from wdw_build.text.sentences.repair import repair_article

_ENTRIES = "entries.json"
# Articles read together.
_BATCH = 64
_COUNT, _LEARN = "count", "learn"
_COUNTS, _DATES, _LEARNED = "signs.counts", "dates.json", "learned.json"


class IngestConfig(Section, frozen=True):
    """What counts as an article."""

    kinds: tuple[str, ...] = ("story",)
    """Kinds of articles to keep, such as `story`, `brief` and `transcript` (docs/reference/algorithm.md); empty: all kinds."""
    judge_kinds: AddedRule = True
    """Find out what kind of document a text is that the reader calls a story: a caption, a list, another language."""
    date_formats: tuple[str, ...] = ()
    """Date formats besides ISO 8601 and dates with a month name: strptime codes, `epoch`, `day-first` or `month-first`.
    Empty: YYYYMMDD, and numeric dates (05/09/2016) in the order that fits the whole corpus."""
    time_zone: str = ""
    """Convert timestamps with a time zone to this zone, such as `America/New_York`. Empty: keep the day as written."""
    cut_credits: AddedRule = True
    """Remove credits, bylines, photo lines and notes to editors from the text."""
    cut_openings: AddedRule = True
    """Remove headlines, captions and other text before the first sentence, and page text inside the story."""
    mark_page_text: AddedRule = True
    """Remove also the page text that a trained tagger finds, with `cut_openings`; not from wires."""
    repair_text: AddedRule = True
    """Repair wrongly decoded characters, lost apostrophes and spaces, tokenised text and marks of Markdown."""
    profiles: dict[str, Literal["wire", "pages"]] = msgspec.field(default_factory=dict)
    """Source -> `wire`, which loses only datelines, credits and notes, or `pages`, which lose also openings and page text. Other
    sources get the profile that their texts show."""
    reject_copies: AddedRule = True
    """Reject an article that has the text of an earlier one, word for word or nearly so."""
    max_bad_input: Share = 0.01
    """The run fails if a larger share of entries is unreadable."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` for an unknown time zone."""
        try:
            _ = ZoneInfo(self.time_zone) if self.time_zone else None
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            hint = "use a name of the IANA database, such as UTC or America/New_York (pip install tzdata installs it)"
            raise ConfigError(f"ingest.time_zone: no zone {self.time_zone!r}", hint=hint) from error

    def may_keep(self, kind: str) -> bool:
        """Whether an article may be kept to which the reader gives this kind."""
        return not self.kinds or kind in self.kinds or (self.judge_kinds and kind == STORY)


class _Learned(msgspec.Struct):
    """What the whole corpus shows about its articles."""

    sources: Sources
    formats: tuple[str, ...]
    """The formats of dates to read."""
    dates: str
    """How ambiguous dates are read, and why; empty if there are none."""


def _repaired(raw: RawArticle, config: IngestConfig) -> RawArticle:
    return repair_article(raw) if config.repair_text else raw


def _count(inputs: Iterator[RawArticle | Unreadable], config: IngestConfig, context: Context) -> None:
    """Count what a block of the corpus shows of its sources, and what numeric dates allow."""
    check_formats(config.date_formats)
    signs, dates = Counter[str](), DateOrders()
    if config.cut_openings or not config.date_formats:
        for raw in inputs:
            if isinstance(raw, RawArticle) and config.may_keep(raw.kind):
                dates.count(raw.date, raw.place)
                if config.cut_openings:
                    count_signs(_repaired(raw, config), signs)
    write_counts(context.folder / _COUNTS, signs)
    (context.folder / _DATES).write_bytes(msgspec.json.encode(dates))


def _learn(_: Iterator[Any], config: IngestConfig, context: Context) -> None:
    """Sum the counts of the blocks, and write the profiles of sources and the formats of dates.

    Raises ``ConfigError`` if no format is given and the order of numeric dates is unclear.
    """
    folders = context.results(_COUNT)
    dates = DateOrders()
    for folder in folders:
        dates.add(msgspec.json.decode((folder / _DATES).read_bytes(), type=DateOrders))
    corpus = _Learned(
        formats=config.date_formats or dates.formats,
        dates="" if config.date_formats else dates.in_words,
        sources=sources_of(summed_counts([folder / _COUNTS for folder in folders], context.folder)),
    )
    (context.folder / _LEARNED).write_bytes(msgspec.json.encode(corpus, order="deterministic"))


@functools.lru_cache(maxsize=1)
def _learned(folder: Path) -> _Learned:
    """What the corpus shows; each process reads it once."""
    return msgspec.json.decode((folder / _LEARNED).read_bytes(), type=_Learned)


def run(
    inputs: Iterator[RawArticle | Unreadable], config: IngestConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Read the corpus into clean, dated articles."""
    # NumPy is slow to import, and commands that run no stage must answer at once.
    from wdw_build.similarity.copies import TextWriter

    zone = ZoneInfo(config.time_zone) if config.time_zone else None
    corpus, detector = _learned(context.results(_LEARN)[0]), context.port(LANGUAGE_DETECTOR)
    counts, texts = Entries(), TextWriter()
    for batch in blocks(inputs, _BATCH):
        judged = [_judge(entry, config, zone, corpus, detector) for entry in batch]
        pages = [dated for dated in judged if isinstance(dated, _Dated) and dated.profile == PAGES]
        if pages and _tags_pages(config):
            _mark_page_text(pages, corpus.sources, context.port(PAGE_TAGGER))
            _mark_joined_lines(pages, context.port(PAGE_TAGGER))
        for entry, judgement in zip(batch, judged, strict=True):
            result = judgement.result if isinstance(judgement, _Dated) else judgement
            counts.count(entry, result)
            if config.reject_copies and isinstance(result, Article):
                texts.add(result)
            yield result
    (context.folder / _ENTRIES).write_bytes(msgspec.json.encode(counts))
    texts.write(context.folder)


class _Dated(NamedTuple):
    """An article whose date was read, and its text in the course of its cleaning."""

    raw: RawArticle
    day: dt.date
    kind: DocumentKind
    text: Cleaned
    profile: str
    joined: Joined

    @property
    def result(self) -> Article | Rejection:
        """The article, or a rejection if only credits and dateline are left of its text."""
        raw, text = self.raw, self.text
        if not text.paragraphs:
            return Rejection(id=raw.own_id, reason="no-body", detail=raw.place)
        return Article(
            id=raw.own_id,
            date=self.day,
            source=raw.source,
            kind=self.kind.kind,
            kind_score=self.kind.score,
            profile=self.profile,
            joined=self.joined,
            title=raw.title,
            dateline=text.dateline,
            paragraphs=text.paragraphs,
            marks=text.marks,
        )


def _judge(
    raw: RawArticle | Unreadable,
    config: IngestConfig,
    zone: ZoneInfo | None,
    corpus: _Learned,
    detector: LanguageDetector,
) -> _Dated | Rejection:
    """The rejection of an entry, or its article before the page text is marked."""
    if isinstance(raw, Unreadable):
        return Rejection(id=raw.place, reason="unreadable", detail=raw.error)
    if not config.may_keep(raw.kind):
        return rejection_of(raw, DocumentKind(raw.kind, 1.0))
    day = parse_date(raw.date, corpus.formats, zone)
    if day is None:
        return Rejection(id=raw.own_id, reason="no-date", detail=f"{raw.place}: {raw.date[:80]!r}")
    raw = _repaired(raw, config)
    # Blurbs, times and speakers show in the whole text; the text of the article may lack them.
    kind = kind_of(raw, detector.english) if config.judge_kinds else DocumentKind(raw.kind, 1.0)
    if config.kinds and kind.kind not in config.kinds:
        return rejection_of(raw, kind)
    default = WIRE if corpus.sources.is_wire(raw.source) else PAGES
    profile = config.profiles.get(raw.source, default)
    text = cleaned(
        raw,
        cut_openings=config.cut_openings,
        cut_credits=config.cut_credits,
        is_wire=profile == WIRE,
    )
    return _Dated(raw, day, kind, text, profile, corpus.sources.joined_shares(raw.source))


def _tags_pages(config: IngestConfig) -> bool:
    return config.mark_page_text and config.cut_openings


def _mark_page_text(pages: Sequence[_Dated], sources: Sources, tagger: PageTagger) -> None:
    """Remove the page text that the tagger finds; it reads all articles together."""
    readings = [
        Reading(page.text.paragraphs, page.raw.title, repeated=sources.repeated(page.raw.source)) for page in pages
    ]
    for page, reading, scores in zip(pages, readings, scores_of(readings, tagger.probabilities), strict=True):
        page.text.mark(reading.spans(scores))


def _mark_joined_lines(pages: Sequence[_Dated], tagger: PageTagger) -> None:
    """Remove what runs into sentences; the tagger reads the lines of all articles together."""
    lines = [
        list(lines_to_read(page.text.paragraphs, page.joined, has_dateline=bool(page.text.dateline))) for page in pages
    ]
    for page, spans in zip(pages, joined_spans(lines, tagger.starts, tagger.probabilities), strict=True):
        if spans:
            page.text.mark(spans)


def check(_: Iterator[Any], config: IngestConfig, context: Context) -> None:
    """Raise ``CorpusError`` if the corpus is empty, no article is left, or more than ``max_bad_input`` is unreadable."""
    counts = Entries()
    for folder in context.results(RUN):
        counts.add(msgspec.json.decode((folder / _ENTRIES).read_bytes(), type=Entries))
    _say(context, [*context.port(READER).file_notes(), *lost_files(counts.ended)])
    counts.check(config.max_bad_input)
    corpus = _learned(context.results(_LEARN)[0])
    joined = joined_note(corpus.sources.joined) if _tags_pages(config) else []
    _say(context, [corpus.dates, *counts.lines, *joined])


def _say(context: Context, lines: Iterable[str]) -> None:
    for line in filter(None, lines):
        context.progress.say(f"ingest: {printable(line)}")


def _withdraw_copies(_: Iterator[Any], config: IngestConfig, context: Context) -> None:
    """Write a rejection of each article whose text an earlier one has, with the id of the earliest."""
    from wdw_build.similarity.copies import find_copies

    with (context.folder / WITHDRAWN).open("wb") as stream:
        for copy, original in find_copies(context.results(RUN)):
            stream.write(jsonl.encode(Rejection(id=copy, reason="copy", detail=original)))


STAGE = Stage(
    name="ingest",
    version=28,
    reads=(),
    writes=Article,
    config=IngestConfig,
    run=run,
    steps=(
        Step(_COUNT, _count, over=CORPUS, unit="articles"),
        Step(_LEARN, _learn, over=1),
        Step("check", check, after=True),
        Step("copies", _withdraw_copies, over=1, after=True, withdraws=True),
    ),
    ports=(READER, LANGUAGE_DETECTOR, PAGE_TAGGER),
    conditions={PAGE_TAGGER: _tags_pages},
    reasons={
        "unreadable": Rule("the entry cannot be read; the rejection gives the file and line"),
        "duplicate-id": Rule("an earlier article has the same id"),
        "not-a-story": Rule("the article's kind is not in ingest.kinds", ("kinds", "judge_kinds")),
        "no-date": Rule(
            "the date is missing, or in a format that ingest does not read (ingest.date_formats)", ("date_formats",)
        ),
        "no-body": Rule("there is no text besides title, dateline and credits"),
        "copy": Rule(
            "an earlier article has the same text, or nearly the same; the rejection names the earliest",
            ("reject_copies",),
        ),
    },
)
