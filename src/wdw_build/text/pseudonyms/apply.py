"""Puts codes or surrogates in place of all names of persons in a problem."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from wdw_build.records import (
    Choice,
    Mention,
    NameReplacement,
    Names,
    Passage,
    Problem,
    Pseudonyms,
    Question,
    Span,
    pack_spans,
)
from wdw_build.text.pseudonyms.rewriting import RewrittenText, rewritten
from wdw_build.text.tokens import lm_token_spans


def renamed(problem: Problem, pseudonyms: Pseudonyms, names: Names) -> Problem:
    """The problem with the code or the surrogate of each person; the same problem for ``original``.

    The name of a choice is the person's code, or the surrogate as the passage has it for the choice's name. What tells
    the original names is emptied: the tree of the question, the refused mentions and candidates, and
    ``Problem.persons``. A mention of a choice that is replaced as the name of a relative is left out. Ids, dates and
    sources stay.
    """
    if names == "original":
        return problem
    passage = rewritten(problem.passage.text, pseudonyms.passage, names)
    title = rewritten(problem.passage.title, pseudonyms.title, names)
    return msgspec.structs.replace(
        problem,
        question=_question(problem.question, rewritten(problem.question.sentence, pseudonyms.question, names)),
        passage=_passage(problem.passage, passage, title.text),
        choices=_choices(problem, pseudonyms, passage, names),
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


def _choices(problem: Problem, pseudonyms: Pseudonyms, passage: RewrittenText, names: Names) -> tuple[Choice, ...]:
    choices = []
    person_of = {person.choice: (number, person) for number, person in enumerate(pseudonyms.persons)}
    for index, choice in enumerate(problem.choices):
        number, person = person_of[index]
        own = [replacement for replacement in pseudonyms.passage if replacement.person == number]
        kept = [mention for mention in choice.mentions if any(_overlap(mention, replacement) for replacement in own)]
        mentions = tuple(_span(passage, mention) for mention in kept)
        surrogate = _surrogate(problem, choice, zip(kept, mentions, strict=True), passage) or person.surrogate
        choices.append(Choice(name=person.code if names == "codes" else surrogate, mentions=mentions))
    return tuple(choices)


def _overlap(mention: Span, replacement: NameReplacement) -> bool:
    return mention.start < replacement.end and replacement.start < mention.end


def _surrogate(problem: Problem, choice: Choice, moved: Iterable[tuple[Span, Span]], passage: RewrittenText) -> str:
    """The surrogate where the passage gives the name of the choice, with its initials; empty if it is not in the passage."""
    for old, new in moved:
        written = " ".join(passage.text[new.start : new.end].split())
        if " ".join(problem.passage.text[old.start : old.end].split()) == choice.name != written:
            return written
    return ""


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
