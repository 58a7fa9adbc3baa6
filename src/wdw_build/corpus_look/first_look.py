"""A first look at a corpus: some of its records as ``ingest`` understands them, before anything is built."""

from __future__ import annotations

import itertools
import re
import tempfile
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.adapters.corpora.composed import Several, WithEntries
from wdw_build.adapters.corpora.reading.mapping import RowFiles
from wdw_build.core.progress import Progress
from wdw_build.core.run.accounting import input_id
from wdw_build.core.run.runner import run_alone
from wdw_build.core.run.task import Job
from wdw_build.core.store.manifest import Ingredients
from wdw_build.corpus_look.date_field import formats, is_date
from wdw_build.corpus_look.field_guess import columns_of
from wdw_build.corpus_look.sample import CorpusSample
from wdw_build.errors import ConfigError, meant
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.config.settings import Config
from wdw_build.ports import CorpusReader
from wdw_build.records import Article, RawArticle, Rejection, Unreadable
from wdw_build.stages import ingest
from wdw_build.stages.ingest import IngestConfig
from wdw_build.stages.ingest.entries import FEW_ENTRIES, KindShares, Oddities, lost_files
from wdw_build.text.counts import ExampleCounts
from wdw_build.text.dates import DAY_FIRST, EPOCH_FORMAT, USUAL_FORMATS, DateOrders, parse_date
from wdw_build.text.lexicon import MONTH_START
from wdw_build.text.pages.profile import wire_lines, wires_of
from wdw_build.text.sentences.repair import first_repair

Entry = RawArticle | Unreadable

# Records of a corpus that ``init`` and ``config check`` sample.
SAMPLED = 2000
# If the records do not show the order of numeric dates, the corpus is read for this long, or to its end.
_SECONDS = 20.0
_CLOCK_EVERY = 256
_OPTIONAL = ("id", "source", "title")
# Dates are of one form if they differ only in their numbers and in the name of the month.
_FORMS, _LONGEST_DATE = 3, 40
_NUMBER_OR_MONTH = re.compile(rf"\d+|\b{MONTH_START}[a-z]{{0,6}}\b", re.IGNORECASE)
# If a smaller share of the dates cannot be read, no remedy is given; a smaller share of texts with page text is not mentioned.
_FEW = 0.01
_HOW_TO_READ_DATES = (
    "to read more dates, add forms with day, month and year to ingest.date_formats; rewrite other dates, such as '3 days ago', "
    "with row_function, an option of the readers jsonl, csv and parquet (docs/howto/your-format.md, Without init)"
)
_CUT, _LONGEST_CUT = "captions, bylines or other text around the story, which are cut", 80
_NAME = r"[A-Z][a-z][\w.'’-]*"
_REMEDY = "; if it is no part of the story, remove it with row_function (docs/reference/readers.md)"
# What pages put into a story. Captions and links repeat a name: "Ann Ames/AP Ann Ames/AP", "Bob Beck Bob J. BeckStorm hits …".
_PAGE_TEXT = {
    f"a name twice in a row, which may become an answer{_REMEDY}": re.compile(
        rf"\b({_NAME}) ({_NAME}(?: {_NAME}){{0,2}}?)(?:/[\w/ ]{{2,30}}?)? \1 (?:[A-Z][\w.'’-]* )?\2\S*"
    ),
    f"a label before the story{_REMEDY}": re.compile(r"\A[A-Z][A-Z/& -]{3,40}:"),
}


@dataclass(frozen=True)
class FirstLook:
    """Records of a corpus, and the result of each, in the same order."""

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


def sample_look(config: Config, reader: CorpusReader, sample: CorpusSample) -> FirstLook:
    """Run ``ingest`` on a sample of a corpus.

    Raises ``CorpusError`` if no record gives an article, and the errors of reader and settings.
    """
    corpus: Iterable[Entry] = sample.kept if sample.has_all else reader.read()
    look = _with_dates(config.ingest, sample.kept, corpus)
    look = replace(look, results=ingested(sample.kept, config, look.section))
    notes = [
        *reader.file_notes(),
        *lost_files([f"{entry.place}: {entry.error}" for entry in sample.ended]),
        *look.notes,
        *_absent_fields(config, look, reader),
        *_rejected(look),
        *_kinds(look),
        *wire_lines(wires_of(article for _, article in look.pairs)),
        *_of_texts(look),
    ]
    return replace(look, notes=notes)


def ingested(entries: Sequence[Entry], config: Config, section: IngestConfig) -> list[Article | Rejection]:
    """The result of ``ingest`` for each record. Raises ``CorpusError`` if no record gives an article."""
    stage, any_share = ingest.STAGE, msgspec.structs.replace(section, max_bad_input=1.0)
    made_of = Ingredients(stage=stage.name, version=stage.version, config={}, seed=config.seed, backends={}, inputs={})
    job = Job(stage, any_share, made_of, {}, WithEntries(Backends(config), entries))
    with tempfile.TemporaryDirectory(prefix="wdw-look-") as folder:
        output = run_alone(job, Path(folder), Progress("quiet"))
        articles: dict[str, Any] = {record.id: record for record in output.records()}
        rejections = defaultdict[str, deque[Rejection]](deque)
        for rejection in output.rejections():
            rejections[rejection.id].append(rejection)
        return [articles.pop(name, None) or rejections[name].popleft() for name in map(input_id, entries)]


def _with_dates(section: IngestConfig, entries: Sequence[Entry], corpus: Iterable[Entry]) -> FirstLook:
    """The look with the formats of dates, but without results. Reads ``corpus`` only if the dates of ``entries`` are ambiguous."""
    if section.date_formats:
        return FirstLook(entries, (), section, (), None)
    dates, is_whole = DateOrders(), False
    _count(dates, entries, section)
    if dates.is_ambiguous:
        searched = DateOrders()
        is_whole = _search(searched, corpus, section)
        dates = searched if is_whole or searched.order else dates
    with_formats = msgspec.structs.replace(section, date_formats=(*USUAL_FORMATS, dates.order or DAY_FIRST))
    try:
        _ = dates.formats
    except ConfigError as error:
        if is_whole or dates.order:
            return FirstLook(entries, (), with_formats, (), error, is_order_open=True)
        note = f"{error.message}, as far as they were read; ingest stops if that is so for all"
        return FirstLook(entries, (), with_formats, (note,), None, is_order_open=True)
    return FirstLook(entries, (), with_formats, tuple(filter(None, [dates.in_words])), None)


def _count(dates: DateOrders, entries: Sequence[Entry], section: IngestConfig) -> None:
    for entry in entries:
        if isinstance(entry, RawArticle) and section.may_keep(entry.kind):
            dates.count(entry.date, entry.place)


def _search(dates: DateOrders, corpus: Iterable[Entry], section: IngestConfig) -> bool:
    """Read until a date decides; returns whether the corpus was read to its end without one."""
    begun = time.monotonic()
    for number, entry in enumerate(corpus, 1):
        _count(dates, [entry], section)
        if dates.order or (number % _CLOCK_EVERY == 0 and time.monotonic() - begun > _SECONDS):
            return False
    return True


def _absent_fields(config: Config, look: FirstLook, reader: CorpusReader) -> list[str]:
    """A line for each optional field that the configuration names and no record has; of several corpora, no record of one."""
    notes, whole = list[str](), ("corpus.options", config.corpus.options, reader)
    for key, options, part in reader.corpora if isinstance(reader, Several) else [whole]:
        fields = options.get("fields")
        named = {name: fields[name] for name in _OPTIONAL if name in fields} if isinstance(fields, dict) else {}
        # A part is read again only if it names such a field.
        entries = look.entries if part is reader else itertools.islice(part.read(), SAMPLED if named else 0)
        records = [entry for entry in entries if isinstance(entry, RawArticle)]
        for name in named:
            if records and all(_lacks(record, name) for record in records):
                rows = part.first_rows(SAMPLED) if isinstance(part, RowFiles) else []
                known = columns_of([row.values for row in rows if not isinstance(row, Unreadable)])
                near = meant(str(named[name]), known).strip()
                note = f"no record has the field {named[name]!r}, which {key}.fields.{name} names"
                notes.append(f"{note}: {near}" if near else note)
    return notes


def _lacks(record: RawArticle, name: str) -> bool:
    """Whether a record has no value of an optional field; the place stands for a missing id."""
    value = getattr(record, name)
    return value == "" or (name == "id" and value == record.place)


def _rejected(look: FirstLook) -> list[str]:
    """A line for each reason, with the first rejected record; for dates, with their forms, and a remedy if they are many.

    Files that cannot be read to their ends have lines of their own.
    """
    first, reasons = dict[str, Rejection](), Counter[str]()
    for entry, result in zip(look.entries, look.results, strict=True):
        if isinstance(result, Rejection) and not (isinstance(entry, Unreadable) and entry.ends_file):
            reasons[result.reason] += 1
            first.setdefault(result.reason, result)
    lines, meanings = [], ingest.STAGE.reasons
    for reason, count in reasons.most_common():
        forms = _date_forms(look) if reason == "no-date" else ""
        if reason == "not-a-story":
            rejections = [result for result in look.results if isinstance(result, Rejection)]
            kinds = Counter(rejection.detail for rejection in rejections if rejection.reason == reason)
            forms = f": {', '.join(f'{number:,} {kind}' for kind, number in kinds.most_common(_FORMS))} …"
        example = first[reason].detail or first[reason].id
        if reason == "copy":
            example = f"{first[reason].id}, a copy of {example}"
        lines.append(
            f"{count:,} of {len(look.entries):,} records are rejected as {reason} ({meanings[reason].meaning})"
            f"{forms or f', such as {example}'}"
        )
        if reason == "unreadable" and count > look.section.max_bad_input * max(len(look.entries), FEW_ENTRIES):
            lines.append("ingest stops if so many records are unreadable (ingest.max_bad_input)")
        undated = sum(isinstance(entry, RawArticle) and not entry.date.strip() for entry in look.entries)
        if reason == "no-date" and count - undated > _FEW * len(look.entries):
            lines.append(_seconds(look) or _HOW_TO_READ_DATES)
    return lines


def _kinds(look: FirstLook) -> list[str]:
    """A line for each kind of article, with an example, if there are several."""
    shares = KindShares()
    for result in look.results:
        shares.count(result)
    return shares.lines


def _undated(look: FirstLook) -> list[RawArticle]:
    """The records that were rejected because their dates cannot be read."""
    pairs = zip(look.entries, look.results, strict=True)
    lost = [entry for entry, result in pairs if isinstance(result, Rejection) and result.reason == "no-date"]
    return [entry for entry in lost if isinstance(entry, RawArticle)]


def _seconds(look: FirstLook) -> str:
    """What to do if most of the dates that were not read are numbers of seconds since 1970; else an empty string."""
    lost = [entry.date for entry in _undated(look) if entry.date]
    if not is_date(lost, 0.5) or formats(lost) != (EPOCH_FORMAT,):
        return ""
    other_dates = [raw.date for raw, _ in look.pairs if not parse_date(raw.date, (EPOCH_FORMAT,))]
    needed = [form for form in look.section.date_formats if any(parse_date(date, (form,)) for date in other_dates)]
    unit = "milliseconds" if len(lost[0]) > len("1000000000") else "seconds"
    return f"these are {unit} since 1970: ingest.date_formats: [{', '.join([EPOCH_FORMAT, *needed])}]"


def _date_forms(look: FirstLook) -> str:
    """The most frequent forms of the dates that were not read: the number of each, and its first date."""
    counts, first = Counter[str](), dict[str, str]()
    for entry in _undated(look):
        form = _NUMBER_OR_MONTH.sub(lambda match: "9" if match[0].isdigit() else "month", entry.date.strip())
        counts[form] += 1
        written = f"like {entry.date[:_LONGEST_DATE]!r}" if form else "without a date"
        first.setdefault(form, f"{written} ({entry.place})")
    forms = [f"{count:,} {first[form]}" for form, count in counts.most_common(_FORMS)]
    rest = counts.total() - sum(count for _, count in counts.most_common(_FORMS))
    return f": {', '.join(forms)}{f', {rest:,} others' if rest else ''}"


def _of_texts(look: FirstLook) -> list[str]:
    """A line with a count and an example for each kind of repair, for text that is cut, and for signs of page text that remains."""
    notes, oddities = ExampleCounts(), Oddities()
    # A line that is removed from one text may remain in another one.
    remaining = {paragraph for _, article in look.pairs for paragraph in article.paragraphs}
    for raw, article in look.pairs:
        oddities.count(article)
        if look.section.repair_text and (repair := first_repair(raw)):
            notes.note(repair[0], f"{repair[1]!r} -> {repair[2]!r}")
        if removed := next((mark.text for mark in article.marks if mark.text not in remaining), ""):
            notes.note(_CUT, repr(removed[:_LONGEST_CUT]))
        for sign, pattern in _PAGE_TEXT.items():
            if match := pattern.search(article.text):
                notes.note(sign, f"{match[0]!r} ({article.id})")
    lines = [
        f"{count:,} of {oddities.articles:,} texts hold {kind}, such as {notes.examples[kind]}"
        for kind, count in notes.counts.items()
        if kind not in _PAGE_TEXT or count > _FEW * oddities.articles
    ]
    return [*lines, *oddities.lines]
