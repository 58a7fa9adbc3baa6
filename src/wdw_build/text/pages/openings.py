"""Finds what a page puts before the first sentence: headline, standfirst, captions with their credits, time stamps, bylines.

Extracted web pages glue these texts to the story, often without a full stop between. Their order differs, but they end in
marks that running text does not have: a time stamp, a photo credit, an agency in brackets with a dash. The story
begins after the last mark of the opening, and also after paragraphs without full stop. What these do not show is left to the models
(``tagged_lines``, ``joined_lines``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wdw_build.text.lexicon import MONTH, WEEKDAY, alternatives, phrases
from wdw_build.text.pages.credits import NO_MORE, OWNERS, PICTURE
from wdw_build.text.pages.datelines import split_dateline, split_opening
from wdw_build.text.pages.marks import CAPTION, CREDIT, HEADING, PAGE, MarkedSpan, paragraphs_as
from wdw_build.text.sentences.boundaries import SENTENCE_END

# Characters in which the opening ends, and paragraphs (some corpora have a sentence in each).
_LONGEST = 600
_LONGEST_MARK = 200
_MOST_PARAGRAPHS = 8
_DATE = rf"(?:(?:{WEEKDAY},?\s+)?(?:\d{{1,2}}\s+{MONTH}|{MONTH}\s+\d{{1,2}}),?\s+(?:19|20)\d\d|\d{{1,2}}/\d{{1,2}}/\d{{2,4}})"
_TIME = r"\d{1,2}[:.]\d\d(?:\s?[AaPp]\.?[Mm]\b\.?)?"
_ZONE = r"\s(?:(?:[A-Z]{1,3}T|UTC)\b|UK\b(?:\stime\b)?|[A-Z]\w+\stime\b)"
_WIRE = alternatives(phrases("wires"))
_UPDATED = r"(?i:last updated|updated|posted|published)(?:\sat)?:?\s"
_OWNER = rf"(?:{OWNERS}{NO_MORE})"
_MARKS = re.compile(
    # Quick pre-test: most characters begin no mark. The last three are other forms of the letters i and s.
    "(?=[|\\d(\\[A-Zfips\u0130\u0131\u017f])(?:"
    # "Wed Sep 21, 2011 6:06 am EDT", "14 May 2010 15.35 BST", "8 May 2010 Last updated at 12:54 GMT".
    rf"(?P<stamp>(?:\|\s)?\b{_DATE}(?:[,;]|\s[-–|])?\s(?:{_UPDATED})?{_TIME}(?:{_ZONE})?"
    # "06:56 GMT, Tuesday, 8 November 2011 07:56 UK".
    rf"|\b{_TIME}{_ZONE},?\s{_DATE}(?:\s{_TIME}\sUK)?)"
    # "Photograph: Ann Ames/AFP/Getty Images", "(AP Photo/Ann Ames)", "(By Ann Ames -- Associated Press)".
    rf"|(?P<credit>\b{PICTURE}(?:\s(?i:credit|courtesy(?:\sof)?))?\s?(?::|by|via|from|/)\s?[^.!?()]{{0,80}}?\b{_OWNER}(?:/{_OWNER})*"
    rf"|[(\[](?:\w+\s)?{PICTURE}\s?(?:[/:]|(?i:by|credit|courtesy)\b)[^()\[\]]{{0,160}}[)\]](?:\s?\([^()]{{3,60}}\s-+\s[^()]{{2,40}}\))?"
    r"|\((?:By\s)?[A-Z][^()]{2,60}\s(?:--?\s(?:For\s)?(?:The\s)?|for\sThe\s)[A-Z][^()]{2,60}\))"
    # The credit of a caption at the start of the next paragraph: "AP NEW YORK -- …", "BP, via AP In …", "(Reuters) Ann …".
    rf"|\A(?P<caption>(?:(?:[A-Z][\w.]*,?\s){{1,4}}via\s)?(?:{_WIRE}(?:19|20)?\d{{0,2}}|\({_WIRE}\))(?=\s))"
    # The end of a dateline inside a paragraph.
    rf"|(?P<agency>\((?:CNN|{_WIRE})\)(?:\s?(?:--?|—|–)\s|(?=[A-Z]))))"
)
_STORY = re.compile(r"\s*(?=[\"“'‘`(\[]{0,2}[A-Z0-9])")
_ENDED = re.compile(r"[.!?…][\"”’)]*\s*$")
# The end of a paragraph that is a sentence, or goes on in the next paragraph.
_CLOSED = re.compile(r"[.!?…:;,][\"”’)\]]*\s*$")
# Paragraphs after captions, headlines and pull quotes, and the share of them that end like a sentence.
_FEWEST_PARAGRAPHS, _ENDED_SHARE = 3, 0.8

_KINDS = {"stamp": PAGE, "credit": CREDIT, "caption": CAPTION}

# A place in a text: the number of a paragraph and an offset in it.
Position = tuple[int, int]


class OpeningMark(NamedTuple):
    """A mark in the opening: its kind, its paragraph, and the offset in the paragraph at which it ends."""

    kind: str
    paragraph: int
    end: int


def marks(paragraphs: Sequence[str]) -> Iterator[OpeningMark]:
    """The marks in the opening of an article, in text order."""
    for number, room in _opening(paragraphs):
        for match in _MARKS.finditer(paragraphs[number], 0, room + _LONGEST_MARK):
            if match.start() < room and (number or match.lastgroup != "caption"):
                yield OpeningMark(str(match.lastgroup), number, match.end())


def _opening(paragraphs: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The number of each paragraph that starts in the opening, and the rest of the opening's characters."""
    room = _LONGEST
    for number, paragraph in enumerate(paragraphs[:_MOST_PARAGRAPHS]):
        if room <= 0:
            return
        yield number, room
        room -= len(paragraph)


def before_marks(paragraphs: Sequence[str]) -> Iterator[MarkedSpan]:
    """What precedes the last mark of the opening, or the first paragraph that begins with a dateline."""
    story, kind = (0, 0), HEADING
    datelines: dict[int, int] = {}
    for number, _room in _opening(paragraphs):
        split = split_dateline if number else split_opening
        datelines[number] = len(split(paragraphs[number])[0])
        # More paragraphs with datelines are a digest of several stories.
        if number and datelines[number] and not any(datelines[earlier] for earlier in range(number)):
            story = number, 0
    for mark in marks(paragraphs):
        end = _mark_end(mark, paragraphs) if mark.end > datelines[mark.paragraph] else None
        if end is not None and end > story:
            story, kind = end, _KINDS.get(mark.kind, HEADING)
    yield from _before(paragraphs, story, kind)


def _before(paragraphs: Sequence[str], position: Position, kind: str) -> Iterator[MarkedSpan]:
    """The text before a position, and the marks between them."""
    number, end = position
    yield from paragraphs_as(kind, paragraphs, range(number))
    if end:
        rest = paragraphs[number][end:]
        yield MarkedSpan(number, 0, end + len(rest) - len(rest.lstrip(" |;,")), kind)


def _mark_end(mark: OpeningMark, paragraphs: Sequence[str]) -> Position | None:
    """The position after a mark; None if the story does not begin there."""
    number, paragraph = mark.paragraph, paragraphs[mark.paragraph]
    rest = paragraph[mark.end :].lstrip(" |;,")
    if any(map(str.isalnum, rest)):
        return (number, mark.end) if _STORY.match(rest) else None
    # A caption or a credit between paragraphs of the story: what precedes it is running text.
    return None if any(map(_ENDED.search, paragraphs[:number])) else (number, len(paragraph))


def captions(paragraphs: Sequence[str]) -> Iterator[MarkedSpan]:
    """The paragraphs before the first one that ends like a sentence or has one that does, if most of those after it end so."""
    ended = [bool(_CLOSED.search(paragraph) or SENTENCE_END.search(paragraph)) for paragraph in paragraphs]
    number = ended.index(True) if True in ended[:_MOST_PARAGRAPHS] else 0
    story = ended[number:]
    is_story = len(story) >= _FEWEST_PARAGRAPHS and sum(story) >= _ENDED_SHARE * len(story)
    if number and is_story and _STORY.match(paragraphs[number]):
        yield from _before(paragraphs, (number, 0), CAPTION)
