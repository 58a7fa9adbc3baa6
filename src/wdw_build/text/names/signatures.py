"""Credits inside a text: contributors to a report, and authors of embedded posts. Their names are not persons of the story.

``text.sentences.credits`` removes credits at both ends of a text. A credit in the middle stays in the passage, and its names
are left out of the choices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

# "ABC News' Ann Ames and Bo Beck contributed to this report": from the verb on. The credit starts with the verb's sentence.
_CONTRIBUTED = re.compile(
    r"\b(?:contributed|assisted)\b(?=([^.\n]{0,40}\b(?:to|with|in) this (?:\w+ )?(?:report|story|article)\b))"
)
_LONGEST_START = 200
# A sentence ends at a line end, and at a stop that does not follow an initial.
_SENTENCE_END = re.compile(r"[!?\n]|(?<!\b[A-Z])\.")
# "— Ann Ames (@annames) September 19, 2016"
_POST = re.compile(r"[—–-] ?[^—–\n@]{2,60}\(@\w+\)")
# "Read the rest of the story at Ann Ames’s blog"
_READ = re.compile(r"\bRead (?:the rest|more|the whole|the full)\b[^.\n]{0,100}")


def signatures(text: str) -> list[Span]:
    """The credits inside a text as spans [start, end) of characters, ordered by form."""
    credits: list[Span] = []
    # Quick tests: most texts contain none of these markers.
    if "contributed" in text or "assisted" in text:
        credits += _contributors(text)
    if "(@" in text:
        credits += [credit.span() for credit in _POST.finditer(text)]
    if "Read " in text:
        credits += [credit.span() for credit in _READ.finditer(text)]
    return credits


def _contributors(text: str) -> Iterator[Span]:
    """Yield the credits of contributors. Each starts after the end of a sentence or of the last credit, near the verb."""
    last = 0
    for verb in _CONTRIBUTED.finditer(text):
        if verb.start() >= last:
            first = max(last, verb.start() - _LONGEST_START)
            ends = [end.end() for end in _SENTENCE_END.finditer(text, first, verb.start())]
            yield (ends[-1] if ends else first), verb.end(1)
            last = verb.end(1)
