"""Separates the stories of a wire that are joined in one text: ``ZCZC`` begins a story; ``NNNN`` and ``ENDITEM`` end one."""

from __future__ import annotations

import re
from collections.abc import Sequence

_END = re.compile(r"(?<!\S)(?:(?:NNNN|ENDITEM|Enditem)(?:/\w{1,4})?(?!\S)|ZCZC\b)")
# The start of a message, and its number.
_START = re.compile(r"\s*ZCZC\b(?:\s+[A-Z]*\d[A-Z\d]*\b)*\s*")
_FEWEST_WORDS = 8


def first_story(paragraphs: Sequence[str]) -> tuple[list[str], list[str]]:
    """The paragraphs of the first story, and the rest of the text: nothing, if no story follows."""
    start = _START.match(paragraphs[0]) if paragraphs else None
    story = [paragraphs[0][start.end() :], *paragraphs[1:]] if start else list(paragraphs)
    cut = [start[0].strip()] if start else []
    for number, paragraph in enumerate(story):
        if end := _END.search(paragraph):
            rest = [paragraph[end.start() :], *story[number + 1 :]]
            if sum(len(text.split()) for text in rest) > _FEWEST_WORDS:
                return [*story[:number], *filter(None, [paragraph[: end.start()].rstrip()])], [*cut, *rest]
    return [text for text in story if text], cut
