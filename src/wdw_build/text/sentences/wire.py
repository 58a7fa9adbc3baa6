"""Separates the stories of a wire that are joined in one text: ``ZCZC`` begins a story; ``NNNN`` and ``ENDITEM`` end one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wdw_build.text.sentences.marks import OTHER_STORY, PAGE, MarkedSpan, Origin, paragraphs_as

_END = re.compile(r"(?<!\S)(?:(?:NNNN|ENDITEM|Enditem)(?:/\w{1,4})?(?!\S)|ZCZC\b)")
# The start of a message, and its number.
_START = re.compile(r"\s*ZCZC\b(?:\s+[A-Z]*\d[A-Z\d]*\b)*\s*")
_FEWEST_WORDS = 8


def other_stories(paragraphs: Sequence[str], _: Origin) -> Iterator[MarkedSpan]:
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
