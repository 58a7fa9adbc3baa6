"""Removes what a page puts before the first sentence: headline, standfirst, captions with their credits, time stamps, bylines.

Extracted web pages glue these texts to the story, often without a full stop between. Their order differs, but they end in
marks that running text does not have: a time stamp, a photo credit, a byline, an agency in brackets with a dash. The story
begins after the last mark of the opening, and also after the article's title, after paragraphs without full stop, and after
a headline without full stop before a word that starts sentences. An opening without any of these cannot be separated;
``refusals`` judges its first sentence.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wdw_build.text.sentences.boilerplate import Boilerplate, head_sentences, is_outer, tail_sentences
from wdw_build.text.sentences.boundaries import AFTER_QUOTATION, LOST_END
from wdw_build.text.sentences.credits import NO_MORE, OWNERS, PICTURE
from wdw_build.text.sentences.datelines import CLOCK, MONTH, WEEKDAY, split_dateline, split_opening

# Characters in which the opening ends, and paragraphs (some corpora have a sentence in each).
_LONGEST = 600
_LONGEST_MARK = 200
_MOST_PARAGRAPHS = 8
_DATE = rf"(?:(?:{WEEKDAY},?\s+)?(?:\d{{1,2}}\s+{MONTH}|{MONTH}\s+\d{{1,2}}),?\s+(?:19|20)\d\d|\d{{1,2}}/\d{{1,2}}/\d{{2,4}})"
_TIME = r"\d{1,2}[:.]\d\d(?:\s?[AaPp]\.?[Mm]\b\.?)?"
_ZONE = r"\s(?:(?:[A-Z]{1,3}T|UTC)\b|UK\b(?:\stime\b)?|[A-Z]\w+\stime\b)"
_PHOTO_AGENCY = r"(?:AP|AFP|EPA|Reuters|REUTERS)"
_UPDATED = r"(?i:last updated|updated|posted|published)(?:\sat)?:?\s"
_OWNER = rf"(?:{OWNERS}{NO_MORE})"
_MARKS = re.compile(
    # Quick pre-test: most characters begin no mark. The last three are other forms of the letters i and s.
    "(?=[|\\d(\\[A-Zfips\u0130\u0131\u017f])(?:"
    # "Wed Sep 21, 2011 6:06 am EDT", "14 May 2010 15.35 BST", "8 May 2010 Last updated at 12:54 GMT".
    rf"(?P<stamp>(?:\|\s)?\b{_DATE}(?:[,;]|\s[-–|])?\s(?:{_UPDATED})?{_TIME}(?:{_ZONE})?"
    # "06:56 GMT, Tuesday, 8 November 2011 07:56 UK".
    rf"|\b{_TIME}{_ZONE},?\s{_DATE}(?:\s{_TIME}\sUK)?)"
    # "By Ann Ames BBC News": the words after the name are learned.
    r"|(?P<byline>\bBy\s(?:[A-Z][\w'’-]+|[A-Z]\.)\s[A-Z][\w'’-]*[a-z])"
    # "Photograph: Ann Ames/AFP/Getty Images", "(AP Photo/Ann Ames)", "(By Ann Ames -- Associated Press)".
    rf"|(?P<credit>\b{PICTURE}(?:\s(?i:credit|courtesy(?:\sof)?))?\s?(?::|by|via|from|/)\s?[^.!?()]{{0,80}}?\b{_OWNER}(?:/{_OWNER})*"
    rf"|[(\[](?:\w+\s)?{PICTURE}\s?(?:[/:]|(?i:by|credit|courtesy)\b)[^()\[\]]{{0,160}}[)\]](?:\s?\([^()]{{3,60}}\s-+\s[^()]{{2,40}}\))?"
    r"|\((?:By\s)?[A-Z][^()]{2,60}\s(?:--?\s(?:For\s)?(?:The\s)?|for\sThe\s)[A-Z][^()]{2,60}\))"
    # The credit of a caption at the start of the next paragraph: "AP NEW YORK -- …", "BP, via AP In …", "(Reuters) Ann …".
    rf"|\A(?P<caption>(?:(?:[A-Z][\w.]*,?\s){{1,4}}via\s)?(?:{_PHOTO_AGENCY}(?:19|20)?\d{{0,2}}|\({_PHOTO_AGENCY}\))(?=\s))"
    # The end of a dateline inside a paragraph.
    rf"|(?P<agency>\((?:CNN|{_PHOTO_AGENCY})\)(?:\s?(?:--?|—|–)\s|(?=[A-Z])))"
    # The start of a dateline after a headline: "Prices rise PORT ANSEL -- …".
    r"|(?P<dateline>(?<=[a-z]\s)(?=[A-Z]{4}[^a-z]{0,60}(?:[a-z.]{0,9}[^a-z]{0,9})(?:\s--?\s|—|–))))"
)
# A date or a time in a paragraph of its own.
_DATE_ONLY = re.compile(
    rf"\W*(?:(?:(?i:posted|published|updated)(?:\s(?i:on))?:?\s)?{_DATE}|{CLOCK}(?:\s?[AaPp]\.?[Mm]\b\.?|\s(?:GMT|BST|UTC|[A-Z]{{1,3}}T)\b))\W*"
)
_STORY = re.compile(r"\s*(?=[\"“'‘`(\[]{0,2}[A-Z0-9])")
_SENTENCE_END = re.compile(r"\w\w\w[.!?…][\"”’)]*\s")
_ENDED = re.compile(r"[.!?…][\"”’)]*\s*$")
# The end of a paragraph that is a sentence, or goes on in the next paragraph.
_CLOSED = re.compile(r"[.!?…:;,][\"”’)\]]*\s*$")
# Paragraphs after captions, headlines and pull quotes, and the share of them that end like a sentence.
_FEWEST_PARAGRAPHS, _ENDED_SHARE = 3, 0.8
_WORD = re.compile(r"\w+")
_AFTER_TITLE = " .:|\"”’'–—-\n\t"
_FEWEST_TITLE_WORDS = 3

# A place in a text: the number of a paragraph and an offset in it.
Position = tuple[int, int]


class Mark(NamedTuple):
    """A mark in the opening: its kind, its paragraph, and the offset in the paragraph at which it ends."""

    kind: str
    paragraph: int
    end: int


def marks(paragraphs: Sequence[str]) -> Iterator[Mark]:
    """The marks in the opening of an article, in text order."""
    for number, room in _opening(paragraphs):
        for match in _MARKS.finditer(paragraphs[number], 0, room + _LONGEST_MARK):
            if match.start() < room and (number or match.lastgroup != "caption"):
                yield Mark(str(match.lastgroup), number, match.end())


def _opening(paragraphs: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The number of each paragraph that starts in the opening, and the rest of the opening's characters."""
    room = _LONGEST
    for number, paragraph in enumerate(paragraphs[:_MOST_PARAGRAPHS]):
        if room <= 0:
            return
        yield number, room
        room -= len(paragraph)


def cut_opening(
    paragraphs: Sequence[str], title: str, source: str, boilerplate: Boilerplate
) -> tuple[list[str], list[str]]:
    """The paragraphs of the story, and what was removed before it, in text order."""
    story, cut = _from(paragraphs, _after_marks(paragraphs, source, boilerplate))
    story, titles = _from(story, _after_title(story, title))
    story, captions = _from(story, _after_captions(story))
    story, headline = _from(story, _after_lost_end(story))
    return story, [*cut, *titles, *captions, *headline]


def _from(paragraphs: Sequence[str], start: Position | None) -> tuple[list[str], list[str]]:
    """The text from a position, and the text before it."""
    if start is None:
        return list(paragraphs), []
    number, end = start
    before = (*paragraphs[:number], paragraphs[number][:end].strip())
    after = (paragraphs[number][end:].lstrip(" |;,"), *paragraphs[number + 1 :])
    return [text for text in after if text.strip()], [text for text in before if text.strip()]


def _after_marks(paragraphs: Sequence[str], source: str, boilerplate: Boilerplate) -> Position | None:
    """The position after the last mark of the opening, or of the first paragraph that begins with a dateline; or None."""
    story: Position | None = None
    datelines: dict[int, int] = {}
    for number, _ in _opening(paragraphs):
        split = split_dateline if number else split_opening
        datelines[number] = len(split(paragraphs[number], source)[0])
        # More paragraphs with datelines are a digest of several stories.
        if number and datelines[number] and not any(datelines[earlier] for earlier in range(number)):
            story = number, 0
    for mark in marks(paragraphs):
        if (
            mark.end > datelines[mark.paragraph]
            and (end := _mark_end(mark, paragraphs, source, boilerplate)) is not None
        ):
            story = max(story or end, end)
    return story


def _mark_end(mark: Mark, paragraphs: Sequence[str], source: str, boilerplate: Boilerplate) -> Position | None:
    """The position after a mark and the words that belong to it; None if the story does not begin there."""
    number, paragraph = mark.paragraph, paragraphs[mark.paragraph]
    end = boilerplate.label_end(source, mark.kind, paragraph, mark.end)
    rest = paragraph[end:].lstrip(" |;,")
    if mark.kind in {"byline", "dateline"} and end == mark.end and not split_dateline(rest, source)[0]:
        return None
    if any(map(str.isalnum, rest)):
        return (number, end) if _STORY.match(rest) else None
    # A caption or a credit between paragraphs of the story: what precedes it is running text.
    return None if any(map(_ENDED.search, paragraphs[:number])) else (number, len(paragraph))


def _after_title(paragraphs: Sequence[str], title: str) -> Position | None:
    """The end of the title at the start of the text; None if the text does not repeat the title."""
    wanted = [word.casefold() for word in _WORD.findall(title)]
    if len(wanted) < _FEWEST_TITLE_WORDS or not paragraphs:
        return None
    found = list(itertools.islice(_WORD.finditer(paragraphs[0]), len(wanted)))
    if [match[0].casefold() for match in found] != wanted:
        return None
    rest = paragraphs[0][found[-1].end() :].lstrip(_AFTER_TITLE)
    return (0, len(paragraphs[0]) - len(rest)) if not rest or _STORY.match(rest) else None


def _after_captions(paragraphs: Sequence[str]) -> Position | None:
    """The first paragraph that ends like a sentence, if those before it do not and most of those after it do; or None."""
    ended = [bool(_CLOSED.search(paragraph)) for paragraph in paragraphs]
    number = ended.index(True) if True in ended[:_MOST_PARAGRAPHS] else 0
    story = ended[number:]
    is_story = len(story) >= _FEWEST_PARAGRAPHS and sum(story) >= _ENDED_SHARE * len(story)
    return (number, 0) if number and is_story and _STORY.match(paragraphs[number]) else None


def _after_lost_end(paragraphs: Sequence[str]) -> Position | None:
    """The last place in the first sentence at which a headline or a caption without full stop ends; None without one."""
    opening = paragraphs[0][:_LONGEST] if paragraphs else ""
    if (quotation := AFTER_QUOTATION.search(opening)) and not _SENTENCE_END.search(opening, 0, quotation.end()):
        return 0, quotation.end()
    start = None
    for match in LOST_END.finditer(opening):
        before = paragraphs[0][: match.start("next")]
        if _SENTENCE_END.search(before) or any(quote in before for quote in '"“”'):
            break
        start = 0, match.start("next")
    return start


def without_boilerplate(
    paragraphs: Sequence[str], source: str, boilerplate: Boilerplate
) -> tuple[list[str], list[str]]:
    """The paragraphs without recurring lines at both ends of the text and without dates of their own, and these."""
    story, cut = list[str](), list[str]()
    for number, paragraph in enumerate(paragraphs):
        date = number < _MOST_PARAGRAPHS and _DATE_ONLY.fullmatch(paragraph)
        line = is_outer(number, len(paragraphs)) and boilerplate.is_line(source, paragraph)
        (cut if date or line else story).append(paragraph)
    if story:
        for sentence in head_sentences(story[0]):
            if not boilerplate.is_line(source, sentence):
                break
            story[0] = story[0][len(sentence) :].lstrip()
            cut.append(sentence)
        for sentence in reversed(tail_sentences(story[-1])):
            if not boilerplate.is_line(source, sentence):
                break
            story[-1] = story[-1].rstrip()[: -len(sentence)]
            cut.append(sentence)
    return story, cut
