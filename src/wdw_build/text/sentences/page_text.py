"""Finds page text between the sentences of a story: recurring lines and labels, headlines of other stories, comments.

Extracted pages have this text inside the story, often without a full stop: "… he said. Story Continued Below The mayor …",
"… on Monday. READ ALSO: Mayor of Tarn resigns Ann Ames …". Four kinds can be recognised wherever they occur: a line or label
that the source repeats (see ``boilerplate``), the whole title of an article of the corpus in the place of a sentence, a
paragraph that the article repeats (a highlighted quotation), and all text after a recurring line about comments.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from wdw_build.text.lexicon import phrases
from wdw_build.text.sentences.boilerplate import INNER_LABEL, MOST_TITLE_WORDS, Boilerplate
from wdw_build.text.sentences.marks import COMMENTS, HEADING, PAGE, MarkedSpan, Origin, paragraphs_as

# The end of a sentence, or of a label with a colon, before a text that does not begin in lower case.
_END = re.compile(r"[.!?…:\n](?:(?<=\n)|[\"”’)\]]{0,2}\s+)(?=[^a-z\s])")
_BEGINNINGS = frozenset(phrases("page_beginnings"))
_WORDS = phrases("page_words")
# Sentences that begin with such words, and mention the visitor or the page in their first words, recur with other ends.
_INVITATIONS = frozenset(word.capitalize() for word in phrases("invitations"))
_VISITOR = frozenset("this our us your you me more here also rest below".split())
_INVITATION_WORDS = 4
_LONGEST_LINE, _LONGEST_WORD = 400, 16
# Who said it, after a highlighted quotation: "It was late." — Mayor Ann Ames.
_SIGNED = re.compile(r"(?<=[\"”’.!?]) ?(?:--?|—|–) ?[A-Z][^.!?]{2,120}\.?$")
# The shortest repeated paragraph, in characters of its words.
_SHORTEST_REPEATED = 60
_SPOKEN = re.compile(r"\w+")
_QUOTES = '"“”'
# Words with capitals before another word with a capital: "Story Continued Below The".
_CAPITALS = re.compile(r"(?:[A-Z][\w'’-]*\s){2,7}[\"“]?[A-Z]\S*")
# A label before a headline.
_LABEL = re.compile(rf"(?:{'|'.join(phrases('headline_labels'))})\b[\s:–—|»>-]*", re.IGNORECASE)
_LABEL_WORDS = 4
_NEXT = re.compile(r"\s+[\"“‘'(\[]?[A-Z0-9]")
_LONGEST_TITLE = 400
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"")
# "Ann Lee AmesCouncil votes on bridge MORE" in "Mayor Ames Ann Lee AmesCouncil votes on bridge MORE said": a card about a person,
# with titles glued to it. Without the name that is said again, no sentence has such words.
_CARD = re.compile(
    r"\b(?P<name>[A-Z][\w’'-]{2,30})(?:,? (?:Jr|Sr)\.?)?"
    r"(?P<card> ?(?:\(?[A-Z][\w.’'-]{0,30}\)? ){1,4}(?P=name)(?=[A-Z0-9]).{0,600}?MORE)\b"
)
_ABOUT_COMMENTS = re.compile(r"\bcomments\b", re.IGNORECASE)
_FEWEST_BEFORE_COMMENTS = 3
# Words and marks of conversation, of which comments have at least one in so many words, unless they are short.
_INFORMAL = re.compile(r"\b(?:I|[Mm]y|[Yy]ou|[Yy]our|[Ww]e|[Oo]ur)\b|[!?@]|\.{3}")
_WORDS_PER_SIGN, _SHORT_COMMENTS = 160, 60


def _starts(text: str) -> list[int]:
    """The offsets at which paragraphs, sentences and texts after a colon start."""
    return [0, *[end.end() for end in _END.finditer(text)]]


def _words_of_pages(text: str) -> tuple[str, ...]:
    """The words of pages that an article has."""
    text = text.lower()
    return tuple([word for word in _WORDS if word in text])


def _is_page_like(paragraph: str, start: int, end: int, words: Sequence[str]) -> bool:
    """Whether a sentence outside quotations addresses the visitor of a page or mentions the page.

    ``words``: the words of pages that the article has.
    """
    first = paragraph[start : start + _LONGEST_WORD].split(None, 1)
    begins = bool(first) and first[0].rstrip(":").lower() in _BEGINNINGS
    if not (begins or words) or end - start > _LONGEST_LINE:
        return False
    text = paragraph[start:end].strip()
    # An interview repeats its questions.
    if not begins and (text.endswith("?") or not any(word in text.lower() for word in words)):
        return False
    return not any(mark in text for mark in _QUOTES)


def _invitation(sentence: str) -> list[str]:
    """The first words of a sentence that invites the visitor ("Share this story with …"), as a list; else an empty list."""
    words = sentence.split(None, _INVITATION_WORDS)[:_INVITATION_WORDS]
    invites = len(words) == _INVITATION_WORDS and words[0] in _INVITATIONS
    return [" ".join(words)] if invites and not _VISITOR.isdisjoint(words) else []


def page_signs(paragraphs: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """The sentences of an article that may be page text, and words that may be a label at the start of a sentence.

    A label has the form of a mark of ``BoilerplateCounter``: its kind, and its words with the next word.
    """
    text = "\n".join(paragraphs)
    lines, labels, words = list[str](), list[tuple[str, str]](), _words_of_pages(text)
    for start, end in itertools.pairwise([*_starts(text), len(text)]):
        if _is_page_like(text, start, end, words):
            lines.append(text[start:end])
            lines.extend(_invitation(text[start:end]))
        if capitals := _CAPITALS.match(text, start, end):
            labels.append((INNER_LABEL, capitals[0]))
    return lines, labels


def cards(paragraphs: Sequence[str], _: Origin) -> Iterator[MarkedSpan]:
    """Cards about persons within sentences: what follows the name that the card repeats."""
    for number, paragraph in enumerate(paragraphs):
        yield from (MarkedSpan(number, *match.span("card"), PAGE) for match in _CARD.finditer(paragraph))


def spoken(text: str) -> str:
    """The words of a text in lower case, each between spaces."""
    return f" {' '.join(_SPOKEN.findall(text.lower()))} "


def repeated(paragraphs: Sequence[str], _: Origin) -> Iterator[MarkedSpan]:
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


def page_text(paragraphs: Sequence[str], origin: Origin) -> Iterator[MarkedSpan]:
    """The page text between the sentences of the story, in text order."""
    text = "\n".join(paragraphs)
    words = _words_of_pages(text) if origin.boilerplate.has_lines(origin.source) else ()
    if not _may_have_page_text(text, origin, words):
        return
    for number, paragraph in enumerate(paragraphs):
        for span in _in_paragraph(paragraph, number, origin, words):
            rest = [paragraph[span.start :], *paragraphs[number + 1 :]]
            is_header = number >= _FEWEST_BEFORE_COMMENTS and _ABOUT_COMMENTS.search(paragraph, span.start, span.end)
            if is_header and _are_comments(rest):
                yield span._replace(end=len(paragraph), kind=COMMENTS)
                yield from paragraphs_as(COMMENTS, paragraphs, range(number + 1, len(paragraphs)))
                return
            yield span


def _are_comments(paragraphs: Sequence[str]) -> bool:
    """Whether texts outside quotations have as many words and marks of conversation as comments; short texts always have."""
    text = _QUOTED.sub("“”", "\n".join(paragraphs))
    return len(text.split()) <= max(_SHORT_COMMENTS, _WORDS_PER_SIGN * len(_INFORMAL.findall(text)))


def _may_have_page_text(text: str, origin: Origin, words: Sequence[str]) -> bool:
    """A quick test that most articles fail, because few have page text."""
    source, boilerplate = origin.source, origin.boilerplate
    starts = _starts(text)
    labels = [
        label.end()
        for start in starts
        if text[start - 1 : start] in {"", "\n"} and (label := _LABEL.match(text, start))
    ]
    if boilerplate.may_have_title(text, [*starts, *labels]):
        return True
    if boilerplate.has_labels(source) and any(_CAPITALS.match(text, start) for start in starts):
        return True
    ends = itertools.pairwise([*starts, len(text)])
    return boilerplate.has_lines(source) and any(_is_page_like(text, start, end, words) for start, end in ends)


def _in_paragraph(paragraph: str, number: int, origin: Origin, words: Sequence[str]) -> Iterator[MarkedSpan]:
    """The page text in a paragraph of this number, in order."""
    source, boilerplate = origin.source, origin.boilerplate
    has_lines, has_labels = boilerplate.has_lines(source), boilerplate.has_labels(source)
    starts, done = _starts(paragraph), 0
    for index, start in enumerate(starts):
        if start < done:
            continue
        next_start = starts[index + 1] if index + 1 < len(starts) else len(paragraph)
        if (end := _headline_end(paragraph, start, boilerplate)) > start:
            begin = max(done, _label_start(paragraph, starts[index - 1] if index else 0, start))
            yield MarkedSpan(number, begin, end, HEADING, "title")
        elif has_labels and _CAPITALS.match(paragraph, start):
            end = boilerplate.label_end(source, INNER_LABEL, paragraph, start)
            if end > start:
                yield MarkedSpan(number, start, end, PAGE, "source")
        elif (
            has_lines
            and (line := paragraph[start:next_start])
            and _is_page_like(paragraph, start, next_start, words)
            and any(boilerplate.is_line(source, text) for text in (line, *_invitation(line)))
        ):
            end = next_start
            yield MarkedSpan(number, start, end, PAGE, "source")
        done = max(done, end)


def _label_start(paragraph: str, before: int, start: int) -> int:
    """The start of a short label with a colon that ends before a headline; the start of the headline without a label."""
    label = paragraph[before:start].split()
    return before if label and label[-1].endswith(":") and len(label) <= _LABEL_WORDS else start


def _headline_end(paragraph: str, start: int, boilerplate: Boilerplate) -> int:
    """The end of an article's title at an offset, or after a label at the start of the paragraph; else the offset itself."""
    if boilerplate.may_have_title(paragraph, [start]) and (end := _title_end(paragraph, start, boilerplate)) > start:
        return end
    label = _LABEL.match(paragraph) if not start else None
    if label and boilerplate.may_have_title(paragraph, [label.end()]):
        end = _title_end(paragraph, label.end(), boilerplate)
        return end if end > label.end() else start
    return start


def _title_end(paragraph: str, start: int, boilerplate: Boilerplate) -> int:
    """The end of an article's title at an offset; the offset itself if no title is there, or if a sentence goes on after it."""
    room = paragraph[start : start + _LONGEST_TITLE]
    matches = list(itertools.islice(re.finditer(r"\S+", room), MOST_TITLE_WORDS))
    size = boilerplate.title_size([match[0] for match in matches])
    if not size:
        return start
    end = start + matches[size - 1].end()
    last, is_whole = paragraph[end - 1], not paragraph[end:].strip()
    # "Is this the end?" is also a sentence.
    if last == "." or (last in "?!" and not (is_whole and start == 0)):
        return start
    return end if is_whole or _NEXT.match(paragraph, end) else start
