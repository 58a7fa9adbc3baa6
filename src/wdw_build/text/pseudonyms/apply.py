"""Puts codes in place of all names of persons in a problem, and moves its spans and tokens to the new texts."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from wdw_build.records import (
    Choice,
    Mention,
    NameReplacement,
    Passage,
    Problem,
    Pseudonyms,
    Question,
    Span,
    TokenSpan,
    pack_spans,
)
from wdw_build.text.tokens import lm_token_spans


class Replacement(NamedTuple):
    """The stretch [start, end) of a text, in characters, and the text that replaces it."""

    start: int
    end: int
    text: str


class MovedToken(NamedTuple):
    """A token of the new text, and the index of the old token; None for a token with replaced characters."""

    span: TokenSpan
    old: int | None


class RewrittenText:
    """A text after its replacements, which must be in text order, not empty and without overlap."""

    def __init__(self, old: str, replacements: Iterable[Replacement]) -> None:
        self._replacements = tuple(replacements)
        # The new place of a span's start and of its end, for each position in the old text.
        self._starts: list[int] = []
        self._ends: list[int] = [0]
        parts: list[str] = []
        position, length = 0, 0
        for start, end, text in (*self._replacements, Replacement(len(old), len(old), "")):
            parts += (old[position:start], text)
            new = length + start - position
            self._starts += range(length, new)
            self._ends += range(length + 1, new + 1)
            position, length = end, new + len(text)
            # Characters between an edge and the name's edge stay outside of the span if both texts have them.
            self._starts += (new + (at - start) * text.startswith(old[start:at]) for at in range(start, end))
            self._ends += (length - (end - at) * text.endswith(old[at:end]) for at in range(start + 1, end + 1))
        self._starts.append(length)
        self.text = "".join(parts)

    def span(self, start: int, end: int) -> TokenSpan:
        """The stretch [start, end) of the old text in the new text.

        An edge within a replacement moves to the edge of the replacing text. Characters between these edges stay outside
        of the span if both texts have them, such as the 's of a possessive name.
        """
        first, last = self._starts[start], self._ends[end]
        if first < last or start == end:
            return first, max(first, last)
        replaced = next(replaced for replaced in self._replacements if replaced.start <= start < replaced.end)
        return self._starts[replaced.start], self._starts[replaced.start] + len(replaced.text)

    def tokens(self, spans: Sequence[TokenSpan]) -> Iterator[MovedToken]:
        """Yield the tokens of the new text, given those of the old text.

        A token that overlaps a replacement is joined with it; the tokens of the joined stretch are those of ``lm_tokens``.
        All other tokens stay.
        """
        position = 0
        for start, end, first, last in self._joined(spans):
            yield from (MovedToken(self.span(*spans[index]), index) for index in range(position, first))
            offset, stop = self.span(start, end)
            for low, high in lm_token_spans(self.text[offset:stop]):
                yield MovedToken((offset + low, offset + high), None)
            position = last
        yield from (MovedToken(self.span(*spans[index]), index) for index in range(position, len(spans)))

    def _joined(self, spans: Sequence[TokenSpan]) -> list[tuple[int, int, int, int]]:
        """The stretches [start, end) of replacements with the tokens [first, last) that overlap them."""
        starts, ends = [start for start, _ in spans], [end for _, end in spans]
        joined: list[tuple[int, int, int, int]] = []
        for start, end, _ in self._replacements:
            first, last = bisect.bisect_right(ends, start), bisect.bisect_left(starts, end)
            if first < last:
                start, end = min(start, starts[first]), max(end, ends[last - 1])
            if joined and start < joined[-1][1]:
                start, _, first, _ = joined.pop()
            joined.append((start, end, first, last))
        return joined


def rewritten(text: str, replacements: Iterable[NameReplacement]) -> RewrittenText:
    """A text with the codes in place of the names."""
    return RewrittenText(
        text, (Replacement(replacement.start, replacement.end, replacement.code) for replacement in replacements)
    )


def renamed(problem: Problem, pseudonyms: Pseudonyms) -> Problem:
    """The problem with the code of each person.

    What tells the original names is emptied: the tree of the question, the refused mentions and candidates, and
    ``Problem.persons``. A mention of a choice that is replaced as the name of a relative is left out. Ids, dates and
    sources stay.
    """
    passage = rewritten(problem.passage.text, pseudonyms.passage)
    title = rewritten(problem.passage.title, pseudonyms.title)
    return msgspec.structs.replace(
        problem,
        question=_question(problem.question, rewritten(problem.question.sentence, pseudonyms.question)),
        passage=_passage(problem.passage, passage, title.text),
        choices=_choices(problem, pseudonyms, passage),
        persons=(),
        refused=(),
    )


def _passage(passage: Passage, rewritten: RewrittenText, title: str) -> Passage:
    spans = [token.span for token in rewritten.tokens(passage.token_spans)] if passage.token_layout else []
    return msgspec.structs.replace(
        passage,
        title=title,
        text=rewritten.text,
        tokens=len(spans) if spans else passage.tokens,
        token_layout=pack_spans(spans),
    )


def _choices(problem: Problem, pseudonyms: Pseudonyms, passage: RewrittenText) -> tuple[Choice, ...]:
    choices = []
    person_of = {person.choice: (number, person) for number, person in enumerate(pseudonyms.persons)}
    for index, choice in enumerate(problem.choices):
        number, person = person_of[index]
        own = [replacement for replacement in pseudonyms.passage if replacement.person == number]
        mentions = [mention for mention in choice.mentions if any(mention.overlaps(replacement) for replacement in own)]
        choices.append(Choice(name=person.code, mentions=tuple(_span(passage, mention) for mention in mentions)))
    return tuple(choices)


def _span(rewritten: RewrittenText, span: Span) -> Span:
    start, end = rewritten.span(span.start, span.end)
    return Span(start=start, end=end)


def _mention(rewritten: RewrittenText, mention: Span) -> Mention:
    start, end = rewritten.span(mention.start, mention.end)
    return Mention(start=start, end=end, text=rewritten.text[start:end])


def _question(question: Question, rewritten: RewrittenText) -> Question:
    old_spans = question.token_spans or tuple(lm_token_spans(question.sentence))
    tokens = list(rewritten.tokens(old_spans))
    moved = msgspec.structs.replace(
        question,
        sentence=rewritten.text,
        tokens=tuple(
            question.tokens[old] if old is not None and question.token_layout else rewritten.text[slice(*span)]
            for span, old in tokens
        ),
        blank=_mention(rewritten, question.blank),
        name=_mention(rewritten, question.name),
        others=tuple(_mention(rewritten, other) for other in question.others),
        tree="",
        refused=(),
        token_layout=pack_spans(token.span for token in tokens),
    )
    return msgspec.structs.replace(moved, blank_tokens=moved.token_range(moved.blank) or question.blank_tokens)
