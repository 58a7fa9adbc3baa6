"""Cleans the text of an article: finders mark what is no part of the story, and what is left is the text.

Each finder reads what the earlier ones left. First, the stories of a wire that are joined in one text are separated: ``ZCZC``
begins a story; ``NNNN`` and ``ENDITEM`` end one. After a dateline the story begins, so nothing is an opening then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from wdw_build.records import Mark, RawArticle
from wdw_build.text.pages import exact_forms, openings
from wdw_build.text.pages.credits import credits
from wdw_build.text.pages.datelines import is_dateline, split_dateline, split_opening
from wdw_build.text.pages.marks import DATELINE, OTHER_STORY, PAGE, MarkedSpan, MarkedText, paragraphs_as

Finder = Callable[[Sequence[str]], Iterable[MarkedSpan]]
OPENING: tuple[Finder, ...] = (openings.before_marks, openings.captions)
_AROUND_DATELINE = " •●▪"
# The end of a story of a wire.
_END = re.compile(r"(?<!\S)(?:(?:NNNN|ENDITEM|Enditem)(?:/\w{1,4})?(?!\S)|ZCZC\b)")
# The start of a message, and its number.
_START = re.compile(r"\s*ZCZC\b(?:\s+[A-Z]*\d[A-Z\d]*\b)*\s*")
# Fewer words after the end of a story are no other story.
_FEWEST_WORDS = 8


def other_stories(paragraphs: Sequence[str]) -> Iterator[MarkedSpan]:
    """The start of a message, and all text after the first story, if a story follows."""
    start = _START.match(paragraphs[0]) if paragraphs else None
    if start:
        yield MarkedSpan(0, 0, start.end(), PAGE)
    for number, paragraph in enumerate(paragraphs):
        if end := _END.search(paragraph, start.end() if start and not number else 0):
            rest = [paragraph[end.start() :], *paragraphs[number + 1 :]]
            if sum(len(text.split()) for text in rest) > _FEWEST_WORDS:
                yield MarkedSpan(number, end.start(), len(paragraph), OTHER_STORY)
                yield from paragraphs_as(OTHER_STORY, paragraphs, range(number + 1, len(paragraphs)))
                return


class Cleaned:
    """The text of an article in the course of its cleaning.

    ``dateline``: with adjacent notes and labels; that of the text, or else the one that the corpus gives.
    """

    def __init__(self, raw: RawArticle) -> None:
        self._text = MarkedText(raw.paragraphs)
        self.dateline = raw.dateline if is_dateline(raw.dateline) else ""

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """What is left of the text."""
        return tuple(self._text.paragraphs)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What was removed, in text order."""
        return tuple(sorted(self._text.marks, key=lambda mark: (mark.paragraph, mark.start, mark.end)))

    def find(self, *finders: Finder) -> None:
        """Remove what these finders find, one after the other."""
        for find in finders:
            self._text.mark(find(self._text.paragraphs))

    def mark(self, spans: Iterable[MarkedSpan]) -> None:
        """Remove what was found in ``paragraphs``, and the dateline after it if there was none before.

        Comments of readers are removed with what is before them, and paragraphs that now repeat another one: a post that was quoted
        has lost its signature.
        """
        before = len(self._text.marks)
        self._text.mark(exact_forms.with_comments(self._text.paragraphs, list(spans)))
        if len(self._text.marks) > before and not self.dateline:
            self.find_dateline(notes=True)
        self.find(exact_forms.repeated)

    def find_dateline(self, *, notes: bool) -> None:
        """Remove the dateline, with the notes and labels around it if ``notes``."""
        paragraphs = self._text.paragraphs
        if not paragraphs:
            return
        split = split_opening if notes else split_dateline
        head, _ = split(paragraphs[0], self.dateline)
        self._text.mark([MarkedSpan(0, 0, len(head), DATELINE)])
        self.dateline = head.strip(_AROUND_DATELINE).strip() or self.dateline.strip()


def cleaned(raw: RawArticle, *, cut_openings: bool, cut_credits: bool, is_wire: bool) -> Cleaned:
    """The text without what is no part of the story.

    ``cut_openings``: remove also page text and what precedes the first sentence, but of a wire nothing besides datelines with their
    notes. ``cut_credits``: remove also credits.
    """
    text = Cleaned(raw)
    text.find(other_stories)
    has_pages = cut_openings and not is_wire
    if has_pages:
        text.find(exact_forms.cards, exact_forms.repeated)
        # After a dateline, which the reader may give, the story begins.
        if not raw.dateline:
            text.find(*OPENING)
    if cut_credits:
        text.find(credits)
    text.find_dateline(notes=cut_openings)
    return text
