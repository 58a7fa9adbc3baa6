"""Credits inside a text: contributors to a report, and authors of embedded posts. Their names are not persons of the story.

``text.sentences.credits`` removes credits at both ends of a text. A credit in the middle stays in the passage, and its names
are left out of the choices.
"""

from __future__ import annotations

import re

_FORMS = (
    # "ABC News' Ann Ames and Bo Beck contributed to this report": from the end of the last sentence.
    re.compile(
        r"(?:[^.!?\n]|(?<=\b[A-Z])\.){0,200}?\b(?:contributed|assisted)\b[^.\n]{0,40}\b(?:to|with|in) this (?:\w+ )?"
        r"(?:report|story|article)\b"
    ),
    # "— Ann Ames (@annames) September 19, 2016"
    re.compile(r"[—–-] ?[^—–\n@]{2,60}\(@\w+\)"),
    # "Read the rest of the story at Ann Ames’s blog"
    re.compile(r"\bRead (?:the rest|more|the whole|the full)\b[^.\n]{0,100}"),
)
# Quick pre-test: most texts contain none of these markers.
_MARKERS = ("contributed", "assisted", "(@", "Read ")


def signatures(text: str) -> list[tuple[int, int]]:
    """The credits inside a text as spans [start, end) of characters, ordered by form."""
    if not any(marker in text for marker in _MARKERS):
        return []
    return [credit.span() for form in _FORMS for credit in form.finditer(text)]
