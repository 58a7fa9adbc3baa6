"""Removes text that is not part of a story: credits, bylines, photo lines, notes to editors, marks of wires and web pages.

A paragraph that is a credit is removed as a whole. A credit that shares a paragraph with the story is removed from the start
or the end of the text. Each form has a limit in words, so that a long sentence of the story with the same words stays.
Credits in the middle of a paragraph, and rows of asterisks or dashes, are not removed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# (most words, pattern). A pattern matches at the start of the paragraph unless it begins with '.*'.
_FORMS: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (most, re.compile(pattern, flags | re.DOTALL))
    for most, flags, pattern in (
        # Contributors: "AP writer Ann Ames in Oslo contributed to this report."
        (
            80,
            re.I,
            r".*\b(?:contributed|helped|assisted)\b.{0,40}\b(?:to|with|on|in|for) this (?:\w+ )?(?:report|story|article|"
            r"dispatch|account|column|post|piece)\b[^.]{0,60}\.?\W*$",
        ),
        (
            60,
            0,
            r"\W*(?i:(?:additional |with )?(?:reporting|writing|editing)|(?:written|compiled|edited|"
            r"reported|translated)) (?:[a-z]+ ){0,3}by:? (?:[A-Z]|the\b)",
        ),
        # Photo lines: "(AP Photo/Ann Ames)", "Photo by Ann Ames".
        (
            40,
            re.I,
            r"\W*(?:\w+ )?(?:photos?|photographs?|pictures?|graphics?|images?)\s*(?:/|:|\(s\)|(?:credits?|courtesy)\b|"
            r"by \w+(?: \w+){0,3}\W*$)",
        ),
        # Marks of the page and of the wire.
        (
            12,
            re.I,
            r"\W*(?:(?:story|article|text) )?continue[sd]? (?:reading )?(?:below|from page|on page|after)\b[^.]*$",
        ),
        (4, re.I, r"\W*(?:advertise?ment|sponsored|read more|related (?:stories|articles|coverage))\W*$"),
        (2, 0, r"\W*(?:\((?:more|end)\)|-30-|-0-|MORE|END|ENDS|(?:ENDIT|ENDITEM|Enditem)(?:/\w{1,4})?|nn+|###+)\W*$"),
        (
            14,
            re.I,
            r"\W*(?:story can end here|(?:begin|end) optional (?:trim|material)|stor(?:y|ies) (?:end|may be trimmed) "
            r"here|optional (?:trim|material) (?:begins|ends|follows))\b",
        ),
        (40, re.I, r"\W*on the (?:net|web)\s*(?::|$)|\W*(?:https?://|www\.)\S+\W*$"),
        (
            30,
            re.I,
            r"\W*(?:©|\(c\)|copyright\b|c\.? ?(?:19|20)\d\d\b).{0,80}(?:\d{4}|reserved|inc\b|press\b|service\b)",
        ),
        (
            25,
            re.I,
            r".*\b(?:can|may) be (?:reached|contacted) (?:at|by|via)\b.*(?:@|\d{3}|mail|phone).*|"
            r"\W*e-?mail\b.{0,40}@\S+\W*$",
        ),
        # Notes to editors.
        (
            90,
            0,
            r"\W*(?:(?i:editors?['’]?s?['’]? notes?|notes? to editors|attention,? editors|att(?:n)? editors)\b\s*[:_–—-]|"
            r"(?:EDS|Eds|EDITORS|Editors)\s*(?:[:–—_]|--?\s)|\((?:EDS|Eds|EDITORS|Editors)\b)",
        ),
    )
)
_BYLINE = re.compile(
    r"\W*(?:By|BY) (?:[A-Z][\w.'’-]*|and|AND|de|van|von|al|,)(?:,? (?:[A-Z][\w.'’-]*|and|of|de|van|von|der|al|the|for|in))*\s*$"
)
_BYLINE_WORDS = 12
# In characters; longer than any form.
_LONGEST = 4000
# Forms that are credits only at the end of a text: (most words, pattern).
_CLOSING: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (most, re.compile(pattern, re.DOTALL))
    for most, pattern in (
        (
            60,
            r"\W*\((?:(?i:reporting|writing|editing|additional reporting|compiled|translated)\b|By [A-Z])[^()]*\)?\W*$",
        ),
        (60, r"\W*(?i:additional |with )?(?i:reporting|writing|editing) by [A-Z].*$"),
        (40, r"\W*(?i:featured |header |cover |main )(?i:image|photo)s?\b.*$"),
        (25, r"\W*(?i:images?|photos?|screenshots?|screengrab)(?: (?i:credit|courtesy|source))?(?: via|:) .*$"),
        (12, r"\W*(?i:images?|photos?) (?i:courtesy (?:of )?)?(?:by )?(?:[A-Z][\w.'’-]*[ /]?|via )+\W*$"),
        (12, r"\W*(?i:sources?|h/t):\s.*$"),
        (25, r"\W*Follow (?:us|him|her|[A-Z]).{0,80}\b(?:Twitter|Facebook|Instagram)\b.*$"),
        (
            40,
            r"\W*This (?:story|article|report|post|piece) (?:has been|was|is) (?:updated|corrected|amended|edited|"
            r"(?:originally|first) (?:published|appeared))\b.*$",
        ),
        (
            30,
            r"\W*(?:[A-Z][\w.'’-]+ ){2,4}is (?:an? |the )?[^.,]{0,80}\b(?:columnist|correspondent|contributor|"
            r"contributing editor|staff writer|freelance journalist)\b[^.]*\.?\W*$",
        ),
    )
)
# A photo line before the story: "(Photo: Ann Ames)", "Photo by Ann Ames/Getty Images", "Ann Ames/Getty Images".
PICTURE = r"(?i:photo(?:graph)?s?|images?|pictures?|screenshot|screengrab|featured image)"
OWNERS = (
    r"(?:Getty(?: Images)?|AP(?: Photo)?|Associated Press|Reuters|REUTERS|AFP|EPA|Shutterstock|Flickr|YouTube"
    r"|Wikimedia(?: Commons)?|Bloomberg|Twitter|Facebook|Instagram)"
)
NO_MORE = r"(?![\w/]| (?:Images|Photo))"
_OPENING = re.compile(
    rf"\s*(?:[(\[](?:AP )?{PICTURE}\b[^()\[\]]{{0,160}}[)\]]"
    rf"|{PICTURE}(?: (?i:credit|courtesy(?: of)?))?\s?(?::|by|via|from|/)\s?[^.!?()]{{0,80}}?\b{OWNERS}{NO_MORE}"
    rf"|(?:[A-Z][\w.'’-]+ ){{1,3}}?[A-Z][\w.'’-]+ ?/ ?{OWNERS}{NO_MORE}"
    r"|Getty Images(?![\w/]| (?:Inc|CEO|Chief|President)\b)"
    r"|\(By [A-Z][^()]{3,80}\)"
    r"|From (?:T|t)he [A-Z][^.:!?]{3,50}:)\s*(?=[\"“'‘(]?[A-Z0-9])"
)
# Possible ends of a sentence: not after an initial or a short form in a name.
_SENTENCE_END = re.compile(
    r"(?<![ .(][A-Z]\.)(?<!\b[JS]r\.)(?<!\bSt\.)(?<!\b[MD]r\.)(?<!\bM[rs]s\.)(?:(?<=[.!?:])|(?<=[.!?][\"”’)])|(?<=[—*]))\s+"
    r"|\s(?=\()|\s\s+|(?<=[a-z0-9.\"”')])\s+(?=(?:Featured |Header )(?i:image|photo)|"
    r"(?:[Aa]dditional reporting|Reporting) by [A-Z]|(?:CNN|ABC News|ABC|CBS News|NBC News|AP|Reuters|POLITICO)['’]s? [A-Z]|"
    r"(?:ENDITEM|Enditem)\b)"
)
# Quick pre-test: a text has no credit at its end if none of these markers is there, as in most texts.
_CLOSING_MARKERS = tuple(
    "contributed|helped|assisted|reporting|writing|editing|written|translated|compiled|edited|photo|image|picture|graphic|"
    "continue|advertis|sponsored|read more|related st|related ar|related co|(more|(end|(eds|(by |-30-|-0-|enditem|endit|ends|"
    "nn|###|optional|on the net|on the web|http|www.|©|(c)|copyright|c.19|c.20|c. 19|c. 20|be reached|be contacted|e-mail|"
    "email|note:|note _|note -|editors|attention|eds:|source:|sources:|h/t|screengrab|screenshot|on twitter|on facebook|"
    "on instagram|this story|this article|this report|this post|this piece|columnist|correspondent|contributor|staff writer|"
    "journalist".split("|")
)
_TAIL = 500
_MOST_CREDITS = 5


def is_credit(paragraph: str) -> bool:
    """Whether a paragraph is a credit, a note or a mark."""
    if len(paragraph) > _LONGEST:
        return False
    text = " ".join(paragraph.split())
    size = text.count(" ") + 1
    if size <= _BYLINE_WORDS and _BYLINE.match(text):
        return True
    return any(size <= most and pattern.match(text) for most, pattern in _FORMS)


def cut_credits(paragraphs: Sequence[str]) -> tuple[list[str], list[str]]:
    """The paragraphs of the story, and the credits removed from them."""
    if not paragraphs:
        return [], []
    cut, first = _cut_head(paragraphs[0])
    kept: list[str] = []
    for paragraph in (first, *paragraphs[1:]):
        if not is_credit(paragraph):
            kept.append(paragraph)
            continue
        story, credits = _cut_tail(paragraph)
        has_story = bool(credits) and bool(story) and not is_credit(story)
        kept.extend([story] if has_story else [])
        cut.extend(credits if has_story else [paragraph])
    if kept:
        kept[-1], credits = _cut_tail(kept[-1])
        cut.extend(credits)
    return kept, cut


def _cut_head(paragraph: str) -> tuple[list[str], str]:
    """The photo line before the first sentence of a text, as a list of at most one credit, and the rest of the paragraph."""
    opening = _OPENING.match(paragraph)
    return ([opening[0].strip()], paragraph[opening.end() :]) if opening else ([], paragraph)


def _cut_tail(paragraph: str) -> tuple[str, list[str]]:
    """The paragraph without the credits at its end, and these credits."""
    cut: list[str] = []
    for _ in range(_MOST_CREDITS):
        start = _closing_credit(paragraph)
        if start is None:
            break
        cut.insert(0, paragraph[start:].strip())
        paragraph = paragraph[:start].rstrip()
    return paragraph, cut


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
