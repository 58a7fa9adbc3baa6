"""Paragraphs that are no part of a story: credits, bylines, photo lines, notes to editors, marks of the wire and of web pages.

A paragraph goes as a whole or not at all. Each form has a longest length in words, so that a sentence of the story that
happens to hold the words stays. Left out: what stands within a paragraph of the story, and rows of asterisks or dashes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# (most words, pattern); a pattern is looked for at the paragraph's beginning unless it starts with '.*'.
_FORMS: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (most, re.compile(pattern, flags | re.DOTALL))
    for most, flags, pattern in (
        # Who else worked on it: "AP writer Ann Ames in Oslo contributed to this report."
        (80, re.I, r".*\b(?:contributed|helped|assisted)\b.{0,40}\b(?:to|with|on|in|for) this (?:\w+ )?(?:report|story|article|"
                   r"dispatch|account|column)\b[^.]{0,60}\.?\W*$"),
        (60, 0, r"\W*(?i:(?:additional |with )?(?:reporting|writing|editing)|(?:written|compiled|edited|"
                r"reported|translated)) (?:[a-z]+ ){0,3}by:? (?:[A-Z]|the\b)"),
        # Photo lines: "(AP Photo/Ann Ames)", "Photo by Ann Ames".
        (40, re.I, r"\W*(?:\w+ )?(?:photos?|photographs?|pictures?|graphics?|images?)\s*(?:/|:|\(s\)|(?:credits?|courtesy)\b|"
                   r"by \w+(?: \w+){0,3}\W*$)"),
        # Marks of the page and of the wire.
        (12, re.I, r"\W*(?:(?:story|article|text) )?continue[sd]? (?:reading )?(?:below|from page|on page|after)\b[^.]*$"),
        (4, re.I, r"\W*(?:advertise?ment|sponsored|read more|related (?:stories|articles|coverage))\W*$"),
        (2, 0, r"\W*(?:\((?:more|end)\)|-30-|-0-|MORE|END|ENDS|ENDIT(?:EM)?|nn+|###+)\W*$"),
        (14, re.I, r"\W*(?:story can end here|(?:begin|end) optional (?:trim|material)|stor(?:y|ies) (?:end|may be trimmed) "
                   r"here|optional (?:trim|material) (?:begins|ends|follows))\b"),
        (40, re.I, r"\W*on the (?:net|web)\s*(?::|$)|\W*(?:https?://|www\.)\S+\W*$"),
        (30, re.I, r"\W*(?:©|\(c\)|copyright\b|c\.? ?(?:19|20)\d\d\b).{0,80}(?:\d{4}|reserved|inc\b|press\b|service\b)"),
        (25, re.I, r".*\b(?:can|may) be (?:reached|contacted) (?:at|by|via)\b.*|\W*e-?mail\b.{0,40}@\S+\W*$"),
        # Notes to editors.
        (90, 0, r"\W*(?:(?i:editors?['’]?s?['’]? notes?|notes? to editors|attention,? editors|att(?:n)? editors)\b\s*[:_–—-]|"
                r"(?:EDS|Eds|EDITORS|Editors)\s*(?:[:–—_]|--?\s)|\((?:EDS|Eds|EDITORS|Editors)\b)"),
    )
)  # fmt: skip
_BYLINE = re.compile(
    r"\W*(?:By|BY) (?:[A-Z][\w.'’-]*|and|AND|de|van|von|al|,)(?:,? (?:[A-Z][\w.'’-]*|and|of|de|van|von|der|al|the|for|in))*\s*$"
)
_BYLINE_WORDS = 12


def is_credit(paragraph: str) -> bool:
    """Whether a paragraph is a credit, a note or a mark, and no text of the story."""
    text = " ".join(paragraph.split())
    size = text.count(" ") + 1
    if size <= _BYLINE_WORDS and _BYLINE.match(text):
        return True
    return any(size <= most and pattern.match(text) for most, pattern in _FORMS)


def cut_credits(paragraphs: Sequence[str]) -> tuple[list[str], list[str]]:
    """The paragraphs of the story, and those that are credits, each in their order."""
    kept: list[str] = []
    cut: list[str] = []
    for paragraph in paragraphs:
        (cut if is_credit(paragraph) else kept).append(paragraph)
    return kept, cut
