"""The labelled lines of data/labels/joined_lines.jsonl, which may begin with what is no part of the story."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from training.labelled_pages import cleaned_page
from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.records import RawArticle
from wdw_build.text.pages import joined_lines
from wdw_build.text.pages.first_look import lines_of
from wdw_build.text.pages.joined_lines import Features, JoinedLine, lines_to_read
from wdw_build.text.pages.profile import Sources

LABELS = Path(__file__).resolve().parents[2] / "data" / "labels" / "joined_lines.jsonl"
NETWORK, FIT, TEST = "network", "weights", "test"


class Label(msgspec.Struct):
    """Where a reader saw the story go on in a line of an article: ``story`` is an offset in the line, 0 if nothing is before it.

    ``sentence``: the offset of another sentence of the story that lost the stop before it. ``part``: what the line is used for.
    """

    corpus: str
    id: str
    source: str
    paragraph: int
    start: int
    length: int
    story: int
    part: str
    sentence: int = 0


class Labelled(NamedTuple):
    """A labelled line, whether ``ingest`` reads it, and the offsets in it at which the story may go on."""

    label: Label
    line: JoinedLine
    is_read: bool
    candidates: Sequence[tuple[int, Features]] = ()

    @property
    def cut(self) -> int:
        """Where the model in the package lets the story go on."""
        score, start = joined_lines.likeliest(self.candidates)
        return start if score >= joined_lines.LEAST else 0

    @property
    def starts(self) -> set[int]:
        """The numbers of the words at which a sentence starts without a stop before it."""
        wanted = {self.label.story, self.label.sentence} - {0}
        return {number for number, offset in enumerate(self.line.offsets) if offset in wanted}


def labels_of_lines() -> list[Label]:
    """All labels."""
    return [msgspec.json.decode(line, type=Label) for line in LABELS.read_bytes().splitlines()]


def read(
    labels: Sequence[Label], raws: Sequence[RawArticle], sources: Sources, tagger: PageTagger
) -> Iterator[Labelled]:
    """The labelled lines of a corpus."""
    by_id = {raw.id: raw for raw in raws}
    for (article, source), of_article in itertools.groupby(labels, key=lambda label: (label.id, label.source)):
        cleaned = cleaned_page(by_id[article], sources.repeated(source), tagger)
        paragraphs, shares = cleaned.paragraphs, sources.joined_shares(source)
        lines = {(line.paragraph, line.start): line for line in lines_of(paragraphs)}
        are_read = {line.place for line in lines_to_read(paragraphs, shares, has_dateline=bool(cleaned.dateline))}
        for label in of_article:
            line = lines.get((label.paragraph, label.start))
            if line and line.end - line.start == label.length:
                joined = JoinedLine(paragraphs[line.paragraph], line, shares)
                yield Labelled(label, joined, joined.place in are_read)
