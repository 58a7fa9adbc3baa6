"""Finds text that is not part of a story: credits, bylines, photo lines, notes to editors, marks of wires and web pages.

A paragraph that is a credit is found as a whole. A credit that shares a paragraph with the story is found at the start
or the end of the text. Each form has a limit in words, so that a long sentence of the story with the same words stays.
Credits in the middle of a paragraph are not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wdw_build.text.lexicon import alternatives, forms, phrases
from wdw_build.text.pages.marks import BYLINE, CREDIT, MarkedSpan

_FORMS = forms("credits")
_BYLINE = re.compile(
    r"\W*(?:By|BY) (?:[A-Z][\w.'’-]*|and|AND|de|van|von|al|,)(?:,? (?:[A-Z][\w.'’-]*|and|of|de|van|von|der|al|the|for|in))*\s*$"
)
_BYLINE_WORDS = 12
_MOST_WORDS = max(_BYLINE_WORDS, *(most for most, _ in _FORMS))
# In characters; longer than any form.
_LONGEST = 4000
# Forms that are credits only at the end of a text.
_CLOSING = forms("closing_credits")
# A photo line before the story: "(Photo: Ann Ames)", "Photo by Ann Ames/Getty Images", "Ann Ames/Getty Images".
PICTURE = r"(?i:photo(?:graph)?s?|images?|pictures?|screenshot|screengrab|featured image)"
OWNERS = alternatives(phrases("picture_owners"))
NO_MORE = r"(?![\w/]| (?:Images|Photo|Television|TV|[a-z]))"
_OPENING = re.compile(
    rf"\s*(?:[(\[](?:AP )?{PICTURE}\b[^()\[\]]{{0,160}}[)\]]"
    rf"|{PICTURE}(?: (?i:credit|courtesy(?: of)?))?\s?(?::|by|via|from|/)\s?[^.!?()]{{0,80}}?\b{OWNERS}{NO_MORE}"
    rf"|(?:[A-Z][\w.'’-]+ ){{1,3}}?[A-Z][\w.'’-]+(?: ?/ ?{OWNERS}{NO_MORE}|-USA T(?:ODAY|oday) S(?:ports|PORTS))"
    r"|Getty Images(?![\w/]| (?:Inc|CEO|Chief|President)\b)"
    r"|\(By [A-Z][^()]{3,80}\)"
    r"|From (?:T|t)he [A-Z][^.:!?]{3,50}:)\s*(?=[\"“'‘(]?[A-Z0-9])"
)
# Possible ends of a sentence: not after an initial or a short form in a name.
_SENTENCE_END = re.compile(
    # Quick pre-test: most characters are no white space.
    r"(?=\s)(?:"
    r"(?<![ .(][A-Z]\.)(?<!\b[JS]r\.)(?<!\bSt\.)(?<!\b[MD]r\.)(?<!\bM[rs]s\.)(?:(?<=[.!?:])|(?<=[.!?][\"”’)])|(?<=[—*]))\s+"
    r"|\s(?=\()|\s\s+|(?<=[a-z0-9.\"”')])\s+(?=(?:Featured |Header )(?i:image|photo)|"
    r"(?:[Aa]dditional reporting|Reporting) [Bb]y [A-Z]|(?:CNN|ABC News|ABC|CBS News|NBC News|AP|Reuters|POLITICO)['’]s? [A-Z]|"
    r"(?:ENDITEM|Enditem)\b))|(?<=[.!?])(?=\([Ww]ith )"
)
# Quick pre-test: a text has no credit at its end if none of these markers is there, as in most texts.
_CLOSING_MARKERS = tuple(
    "contributed|helped|assist|with help|reporting|writing|editing|written|translated|compiled|edited|photo|image|picture|graphic|"
    "continue|advertis|sponsored|read more|related st|related ar|related co|(more|(end|(eds|(by |-30-|-0-|enditem|endit|ends|"
    "nn|###|optional|on the net|on the web|http|www.|©|(c)|copyright|c.19|c.20|c. 19|c. 20|be reached|be contacted|e-mail|"
    "email|note:|note _|note -|editors|attention|eds:|source:|sources:|h/t|screengrab|screenshot|on twitter|on facebook|"
    "on instagram|this story|this article|this report|this post|this piece|columnist|correspondent|contributor|staff writer|"
    "journalist|write to |reach |contact |/19|/20|update|correction:|clarification:|share |subscribe|click|tell us|let us know|"
    "get your|here|below|inputs|all rights| company.|sponsor of|[|___|your thoughts|keep track|find out|check out|do you ".split(
        "|"
    )
)
_TAIL = 500
_MOST_CREDITS = 5


def is_credit(paragraph: str) -> bool:
    """Whether a paragraph is a credit, a note or a mark."""
    if len(paragraph) > _LONGEST:
        return False
    words = paragraph.split(None, _MOST_WORDS)
    size = len(words)
    if size > _MOST_WORDS:
        return False
    text = " ".join(words)
    return _is_byline(text) or any(size <= most and pattern.match(text) for most, pattern in _FORMS)


def _is_byline(text: str) -> bool:
    return len(text.split(None, _BYLINE_WORDS)) <= _BYLINE_WORDS and _BYLINE.match(text) is not None


def credits(paragraphs: Sequence[str]) -> Iterator[MarkedSpan]:
    """The credits of a text: whole paragraphs, the photo line before the first sentence, and the ends of some paragraphs."""
    opening = _OPENING.match(paragraphs[0]) if paragraphs else None
    first = opening.end() if opening else 0
    if opening:
        yield MarkedSpan(0, 0, first, CREDIT)
    ends: list[list[MarkedSpan]] = []
    last = -1
    for number, paragraph in enumerate(paragraphs):
        start = 0 if number else first
        closing = _closing_credits(paragraph, number, start)
        is_whole = is_credit(paragraph[start:])
        story = paragraph[start : closing[0].start if closing else None].rstrip()
        if is_whole and not (closing and story and not is_credit(story)):
            kind = BYLINE if _is_byline(paragraph[start:]) else CREDIT
            ends.append([MarkedSpan(number, start, len(paragraph), kind)])
            continue
        if last >= 0 and not is_credit(paragraphs[last]):
            # Only the last paragraph of the story ends in credits.
            ends[last] = []
        ends.append(closing)
        last = number
    yield from (credit for closing in ends for credit in closing)


def _closing_credits(paragraph: str, number: int, start: int) -> list[MarkedSpan]:
    """The credits at the end of a paragraph of this number, in text order."""
    spans: list[MarkedSpan] = []
    end = len(paragraph)
    while len(spans) < _MOST_CREDITS and (offset := _closing_credit(paragraph[start:end])) is not None:
        spans.insert(0, MarkedSpan(number, start + offset, end, CREDIT))
        end = len(paragraph[: start + offset].rstrip())
    return spans


def _closing_credit(paragraph: str) -> int | None:
    """The offset of the shortest credit at the end of a paragraph; None without a credit."""
    offset = max(0, len(paragraph) - _TAIL)
    tail = paragraph[offset:]
    lower = tail.lower()
    if not any(marker in lower for marker in _CLOSING_MARKERS):
        return None
    for end in reversed([boundary.end() for boundary in _SENTENCE_END.finditer(tail)]):
        last = " ".join(tail[end:].split())
        size = last.count(" ") + 1
        if last and (is_credit(last) or any(size <= most and pattern.match(last) for most, pattern in _CLOSING)):
            return offset + end
    return None
