"""Finds page text in a story that has an exact form: cards about persons, paragraphs that the article repeats, readers' comments.

Other page text is found by the trained tagger (``tagged_lines``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wdw_build.text.pages.marks import COMMENTS, PAGE, MarkedSpan, paragraphs_as

# Who said it, after a highlighted quotation: "It was late." — Mayor Ann Ames.
_SIGNED = re.compile(r"(?<=[\"”’.!?]) ?(?:--?|—|–) ?[A-Z][^.!?]{2,120}\.?$")
# The shortest repeated paragraph, in characters of its words.
_SHORTEST_REPEATED = 60
_SPOKEN = re.compile(r"\w+")
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"")
# "Ann Lee AmesCouncil votes on bridge MORE" in "Mayor Ames Ann Lee AmesCouncil votes on bridge MORE said": a card about a person,
# with titles glued to it. Without the name that is said again, no sentence has such words.
_CARD = re.compile(
    r"\b(?P<name>[A-Z][\w’'-]{2,30})(?:,? (?:Jr|Sr)\.?)?"
    r"(?P<card> ?(?:\(?[A-Z][\w.’'-]{0,30}\)? ){1,4}(?P=name)(?=[A-Z0-9]).{0,600}?MORE)\b"
)
_ABOUT_COMMENTS = re.compile(r"\bcomments?\b", re.IGNORECASE)
_FEWEST_BEFORE_COMMENTS = 3
# Words and marks of conversation, of which comments have at least one in so many words, unless they are short.
_INFORMAL = re.compile(r"\b(?:I|[Mm]y|[Yy]ou|[Yy]our|[Ww]e|[Oo]ur)\b|[!?@]|\.{3}")
_WORDS_PER_SIGN, _SHORT_COMMENTS = 160, 60


def cards(paragraphs: Sequence[str]) -> Iterator[MarkedSpan]:
    """Cards about persons within sentences: what follows the name that the card repeats."""
    for number, paragraph in enumerate(paragraphs):
        yield from (MarkedSpan(number, *match.span("card"), PAGE) for match in _CARD.finditer(paragraph))


def spoken(text: str) -> str:
    """The words of a text in lower case, each between spaces."""
    return f" {' '.join(_SPOKEN.findall(text.lower()))} "


def repeated(paragraphs: Sequence[str]) -> Iterator[MarkedSpan]:
    """The paragraphs whose words occur again, in a longer paragraph or in a later one: highlighted quotations, embedded posts.

    Capitals, quotation marks and punctuation may differ: "It was late." and "“It was late,” she said"; a quotation may be signed.
    """
    bodies = [spoken(paragraph) for paragraph in paragraphs]
    text = "".join(bodies)
    for number, paragraph in enumerate(paragraphs):
        signed = _SIGNED.search(paragraph)
        body = spoken(paragraph[: signed.start()]) if signed else bodies[number]
        if len(body) < _SHORTEST_REPEATED or text.count(body) < 2:
            continue
        others = (other for at, other in enumerate(bodies) if at > number or (at < number and len(other) > len(body)))
        if any(body in other for other in others):
            yield MarkedSpan(number, 0, len(paragraph), PAGE, "article")


def with_comments(paragraphs: Sequence[str], spans: Sequence[MarkedSpan]) -> list[MarkedSpan]:
    """Spans of page text in text order, and all text after one that mentions comments, if it reads like them.

    It has at most as many words as the text before: "JUST WATCHED Mayor defends comments" also stands before a story.
    """
    for at, span in enumerate(spans):
        number, paragraph = span.paragraph, paragraphs[span.paragraph]
        is_page = span.kind == PAGE and number >= _FEWEST_BEFORE_COMMENTS
        if not is_page or not _ABOUT_COMMENTS.search(paragraph, span.start, span.end):
            continue
        before = _words([*paragraphs[:number], paragraph[: span.start]])
        rest = [paragraph[span.start :], *paragraphs[number + 1 :]]
        if _words(rest) <= before and _are_comments(rest):
            later = paragraphs_as(COMMENTS, paragraphs, range(number + 1, len(paragraphs)))
            return [*spans[:at], span._replace(end=len(paragraph), kind=COMMENTS), *later]
    return list(spans)


def _words(texts: Sequence[str]) -> int:
    return sum(len(text.split()) for text in texts)


def _are_comments(paragraphs: Sequence[str]) -> bool:
    """Whether texts outside quotations have as many words and marks of conversation as comments; short texts always have."""
    text = _QUOTED.sub("“”", "\n".join(paragraphs))
    return len(text.split()) <= max(_SHORT_COMMENTS, _WORDS_PER_SIGN * len(_INFORMAL.findall(text)))
