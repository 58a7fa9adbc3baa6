"""The labelled articles of data/labels/page_segments.jsonl, with what their corpora show of their sources, cleaned or not."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.records import RawArticle
from wdw_build.text.pages.cleaning import Cleaned, cleaned
from wdw_build.text.pages.profile import Sources, count_signs, sources_of
from wdw_build.text.pages.tagged_lines import Reading
from wdw_build.text.sentences.repair import repair_article

LABELS = Path(__file__).resolve().parents[2] / "data" / "labels" / "page_segments.jsonl"


class Segment(NamedTuple):
    """A labelled part of a paragraph: its place, its kind (S: story, M: mixed) and the spans in it that do not belong."""

    paragraph: int
    start: int
    end: int
    kind: str
    spans: Sequence[tuple[int, int]]


class PageArticle(NamedTuple):
    """A labelled article. ``is_rest``: what is no part of the story was cut before, and the rest was labelled."""

    corpus: str
    id: str
    source: str
    title: str
    paragraphs: list[str]
    segments: list[Segment]
    is_test: bool = False
    is_rest: bool = False


def corpus_files(options: Sequence[str]) -> dict[str, Path]:
    """The file of each corpus, from options such as ``lk2024=FILE``."""
    return {name: Path(file) for name, _, file in (one.partition("=") for one in options)}


def raw_articles(file: Path) -> Iterator[RawArticle]:
    """The articles of a file of JSON lines with id, title, text and source."""
    with gzip.open(file, "rt") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            text = row["text"]
            paragraphs = text if isinstance(text, list) else [part for part in re.split(r"\n+", text) if part.strip()]
            yield RawArticle(
                place=row["id"],
                id=row["id"],
                date="",
                source=row.get("source") or "",
                kind="story",
                title=row.get("title") or "",
                dateline="",
                paragraphs=tuple(paragraphs),
            )


def read_labelled(files: dict[str, Path]) -> list[PageArticle]:
    """The labelled articles of these corpora (name: file)."""
    labels = {(row["corpus"], row["id"]): row for row in map(json.loads, LABELS.open(encoding="utf-8"))}
    return [
        _article(corpus, raw, label)
        for corpus, file in files.items()
        for raw in raw_articles(file)
        if (label := labels.get((corpus, raw.id)))
    ]


def counted(raws: Iterable[RawArticle]) -> Sources:
    """What the articles of a corpus show of its sources."""
    counts = Counter[str]()
    for raw in tqdm(raws, desc="sources", leave=False):
        count_signs(repair_article(raw), counts)
    return sources_of(sorted(counts.items()))


def cleaned_page(raw: RawArticle, repeated: Set[str], tagger: PageTagger | None) -> Cleaned:
    """The text of an article of a source with pages as ``ingest`` cleans it; without a tagger, by the finders.

    ``repeated``: the lines that its source repeats (``Sources.repeated``).
    """
    text = cleaned(raw, cut_openings=True, cut_credits=True, is_wire=False)
    if tagger:
        reading = Reading(text.paragraphs, raw.title, repeated=repeated)
        text.mark(reading.spans(tagger.probabilities(reading.texts)))
    return text


# The kind of what was cut before an article was labelled.
_CUT = "U"
_SENTENCE = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:Mr|Ms|Dr|St))(?<!\b(?:Mrs|Sen|Rep|Gov|Gen))(?<=[.!?])[\"”’)]*\s+(?=[\"“‘(]?[A-Z0-9])"
)


def _article(corpus: str, raw: RawArticle, label: dict[str, Any]) -> PageArticle:
    paragraphs = raw.paragraphs
    by_paragraph: dict[int, list[Segment]] = {}
    for number, start, end, kind, *spans in label["labels"]:
        by_paragraph.setdefault(number, []).append(Segment(number, start, end, kind, spans[0] if spans else ()))
    segments = []
    for number, paragraph in enumerate(paragraphs):
        labelled = sorted(by_paragraph.get(number, ()), key=lambda one: one.start)
        at = 0
        for segment in [*labelled, Segment(number, len(paragraph), len(paragraph), "", ())]:
            for gap in [*_SENTENCE.finditer(paragraph, at, segment.start), None]:
                end = gap.start() if gap else segment.start
                if paragraph[at:end].strip():
                    segments.append(Segment(number, at, end, "S", ()))
                at = gap.end() if gap else segment.end
            if segment.kind:
                segments.append(segment)
    is_rest = label.get("rest", False)
    if is_rest:
        paragraphs, segments = _without_cuts(paragraphs, segments)
    is_test = label.get("test", False)
    return PageArticle(corpus, raw.id, label["source"], raw.title, list(paragraphs), segments, is_test, is_rest)


def _without_cuts(paragraphs: Sequence[str], segments: Sequence[Segment]) -> tuple[tuple[str, ...], list[Segment]]:
    """The text and the segments of an article without what was cut before it was labelled."""
    kept: dict[int, str] = {}
    moved = list[Segment]()
    for segment in segments:
        if segment.kind == _CUT:
            continue
        before = f"{kept[segment.paragraph]} " if segment.paragraph in kept else ""
        kept[segment.paragraph] = before + paragraphs[segment.paragraph][segment.start : segment.end]
        number, end = len(kept) - 1, len(kept[segment.paragraph])
        moved.append(segment._replace(paragraph=number, start=len(before), end=end))
    return tuple(kept.values()), moved
