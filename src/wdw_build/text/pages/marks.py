"""Marks on the text of an article: parts that are no part of the story, with their kinds. The text is cut once, by the marks.

Finders read the text that is left and return spans in it. ``MarkedText`` keeps each part's place in the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wdw_build.records import Mark

DATELINE, BYLINE, CREDIT, CAPTION, HEADING, PAGE, COMMENTS, OTHER_STORY = (
    "dateline",
    "byline",
    "credit",
    "caption",
    "heading",
    "page",
    "comments",
    "other-story",
)


class MarkedSpan(NamedTuple):
    """A part of a paragraph that is no part of the story, to be marked.

    ``by``: what shows it: its form, the article (which repeats it), or the model.
    """

    paragraph: int
    start: int
    end: int
    kind: str
    by: str = "form"
    score: float = 1.0


# A part of the whole text: paragraph, start and end.
_Part = tuple[int, int, int]
# What follows a word without a space between them.
_CLOSES = re.compile(r"[,.;:!?)\]]|['’]s\b")


class MarkedText:
    """The text of an article and the marks on it.

    ``marks``: in the order in which they were set.
    """

    def __init__(self, paragraphs: Sequence[str]) -> None:
        self._whole = paragraphs
        self._left: list[list[_Part]] = [
            [(number, 0, len(text))] for number, text in enumerate(paragraphs) if text.strip()
        ]
        self.paragraphs = [text for text in paragraphs if text.strip()]
        """What is left of each paragraph of which something is left."""
        self.marks: list[Mark] = []

    def mark(self, spans: Iterable[MarkedSpan]) -> None:
        """Mark spans of ``paragraphs``, which then lose them. Spans of a paragraph are in text order and do not overlap."""
        by_paragraph: dict[int, list[MarkedSpan]] = {}
        for span in spans:
            if span.end > span.start:
                by_paragraph.setdefault(span.paragraph, []).append(span)
        if not by_paragraph:
            return
        left, paragraphs = list[list[_Part]](), list[str]()
        for number, (parts, text) in enumerate(zip(self._left, self.paragraphs, strict=True)):
            if number not in by_paragraph:
                left.append(parts)
                paragraphs.append(text)
                continue
            self.marks += [self._mark(parts, span, text) for span in by_paragraph[number]]
            rest = map(self._stripped, self._without(parts, by_paragraph[number]))
            stripped = [part for part in rest if part[1] < part[2]]
            if stripped:
                left.append(stripped)
                paragraphs.append(self._joined(stripped))
        self._left, self.paragraphs = left, paragraphs

    def _mark(self, parts: Sequence[_Part], span: MarkedSpan, text: str) -> Mark:
        places = [
            (start + max(0, span.start - offset), start + min(end - start, span.end - offset))
            for offset, (_, start, end) in self._placed(parts)
            if span.start < offset + end - start and span.end > offset
        ]
        return Mark(
            kind=span.kind,
            text=text[span.start : span.end].strip(),
            paragraph=parts[0][0],
            start=places[0][0] if places else parts[-1][2],
            end=places[-1][1] if places else parts[-1][2],
            by=span.by,
            score=span.score,
        )

    def _stripped(self, part: _Part) -> _Part:
        number, start, end = part
        text = self._whole[number][start:end]
        return number, start + len(text) - len(text.lstrip()), start + len(text.rstrip())

    def _joined(self, parts: Sequence[_Part]) -> str:
        text = ""
        for offset, (number, start, end) in self._placed(parts):
            text = text.ljust(offset) + self._whole[number][start:end]
        return text

    def _gap(self, part: _Part) -> int:
        """The number of spaces before a part that follows another."""
        return 0 if _CLOSES.match(self._whole[part[0]], part[1]) else 1

    def _placed(self, parts: Sequence[_Part]) -> Iterator[tuple[int, _Part]]:
        """Each part with its offset in the text that is left."""
        offset = 0
        for number, part in enumerate(parts):
            offset += self._gap(part) if number else 0
            yield offset, part
            offset += part[2] - part[1]

    def _without(self, parts: Sequence[_Part], spans: Sequence[MarkedSpan]) -> Iterator[_Part]:
        """The parts outside the spans."""
        starts = [0, *(span.end for span in spans)]
        ends = [*(span.start for span in spans), sum(end - start + 1 for _, start, end in parts)]
        for low, high in zip(starts, ends, strict=True):
            for offset, (paragraph, start, end) in self._placed(parts):
                first, last = start + max(0, low - offset), min(end, start + high - offset)
                if first < last:
                    yield paragraph, first, last


def paragraphs_as(kind: str, paragraphs: Sequence[str], numbers: Iterable[int]) -> Iterator[MarkedSpan]:
    """Whole paragraphs as spans."""
    for number in numbers:
        yield MarkedSpan(number, 0, len(paragraphs[number]), kind)
