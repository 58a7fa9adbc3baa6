"""Credits within a text: who wrote for a report, and who signed an embedded post. Their names are nobody of the story.

``text.credits`` takes whole credits off both ends of a text. What stands in the middle stays in the passage, and only
its names are left out of the choices.
"""

from __future__ import annotations

import re

_FORMS = (
    # "ABC News' Ann Ames and Bo Beck contributed to this report": the names since the last sentence.
    re.compile(
        r"(?:[^.!?\n]|(?<=\b[A-Z])\.){0,200}?\b(?:contributed|assisted)\b[^.\n]{0,40}\b(?:to|with|in) this (?:\w+ )?"
        r"(?:report|story|article)\b"
    ),
    # "— Ann Ames (@annames) September 19, 2016"
    re.compile(r"[—–-] ?[^—–\n@]{2,60}\(@\w+\)"),
    # "Read the rest of the story at Ann Ames’s blog"
    re.compile(r"\bRead (?:the rest|more|the whole|the full)\b[^.\n]{0,100}"),
)
# Looked for first, because most texts have none of the forms.
_MAY_HOLD = ("contributed", "assisted", "(@", "Read ")


def signatures(text: str) -> list[tuple[int, int]]:
    """The credits within a text as [start, end) characters, in order of the forms."""
    if not any(sign in text for sign in _MAY_HOLD):
        return []
    return [found.span() for form in _FORMS for found in form.finditer(text)]
