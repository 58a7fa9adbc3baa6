"""The tokens that a neural reader reads, with raw or anonymised names.

Anonymised names (Hermann et al. 2015, section 2.2): each mention of a choice, and of another person of the question that
the passage also names, is one token ``@entityK``. Markers are numbered anew in each problem, by first occurrence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wdw_build.api import is_identifying
from wdw_build.reading import ReadingProblem

NO_MARKER = -1


class Mention(NamedTuple):
    """Passage or question tokens [first, last) that name a person."""

    first: int
    last: int
    person: int
    """A choice's index, or for other persons of the question the number of choices and more."""


@dataclass(frozen=True)
class ReaderTokens:
    """A problem's tokens as a reader gets them."""

    question: Sequence[str]
    blank: int
    passage: Sequence[str]
    mentions: Sequence[Mention]
    """Mentions of the choices in the passage, in order."""
    markers: Sequence[int]
    """Number of each choice's marker; -1 with raw names."""
    marker_count: int
    """How many persons have a marker."""


def marker(number: int) -> str:
    """The token of an entity marker."""
    return f"@entity{number}"


def raw_tokens(problem: ReadingProblem) -> ReaderTokens:
    """The tokens with names as they are written."""
    return ReaderTokens(
        question=problem.question_tokens,
        blank=problem.blank,
        passage=problem.passage_tokens,
        mentions=sorted(_choice_mentions(problem)),
        markers=(NO_MARKER,) * len(problem.choices),
        marker_count=0,
    )


def anonymised_tokens(problem: ReadingProblem) -> ReaderTokens:
    """The tokens with a marker for each mention of a choice and of a person that question and passage name."""
    passage, choices = problem.passage_tokens, len(problem.choices)
    named = _without_overlaps(_choice_mentions(problem))
    asked = _person_groups(problem)
    named = _without_overlaps([*named, *_other_mentions(passage, problem, asked, named)])
    order = list(dict.fromkeys([mention.person for mention in named] + list(range(choices))))
    numbers = {person: number for number, person in enumerate(order)}
    new_passage, moved = _collapse(passage, named, numbers)
    asked = _without_overlaps([mention for mention in asked if mention.person in numbers])
    question, _ = _collapse(problem.question_tokens, asked, numbers)
    before_blank = (mention for mention in asked if mention.last <= problem.blank)
    return ReaderTokens(
        question=question,
        blank=problem.blank - sum(mention.last - mention.first - 1 for mention in before_blank),
        passage=new_passage,
        mentions=[mention for mention in moved if mention.person < choices],
        markers=[numbers[choice] for choice in range(choices)],
        marker_count=len(numbers),
    )


def _choice_mentions(problem: ReadingProblem) -> Iterator[Mention]:
    for person, choice in enumerate(problem.choices):
        for first, last in choice.mentions:
            yield Mention(first, last, person)


def _person_groups(problem: ReadingProblem) -> list[Mention]:
    """The other persons of the question. Names of which one ends with the other are the same person."""
    spans = sorted(problem.question_persons, key=lambda span: (span[0] - span[1], span))
    fullest: list[tuple[str, ...]] = []
    found = []
    for first, last in spans:
        name = problem.question_tokens[first:last]
        known = (number for number, full in enumerate(fullest) if full[-len(name) :] == name)
        group = next(known, len(fullest))
        if group == len(fullest):
            fullest.append(name)
        found.append(Mention(first, last, len(problem.choices) + group))
    return found


def _other_mentions(
    passage: Sequence[str], problem: ReadingProblem, asked: Sequence[Mention], named: Sequence[Mention]
) -> Iterator[Mention]:
    """Passage tokens, outside mentions of choices, that are the longest ending of a person's name in the question."""
    taken = {index for mention in named for index in range(mention.first, mention.last)}
    endings: dict[str, list[Mention]] = {}
    for mention in asked:  # the longest names come first
        endings.setdefault(problem.question_tokens[mention.last - 1], []).append(mention)
    for index, token in enumerate(passage):
        if token in endings and index not in taken and is_identifying(token.casefold()):
            lengths = {
                person.person: _shared_ending(
                    passage, problem.question_tokens[person.first : person.last], index, taken
                )
                for person in reversed(endings[token])
            }
            person = max(reversed(lengths), key=lambda person: lengths[person])
            yield Mention(index + 1 - lengths[person], index + 1, person)


def _shared_ending(words: Sequence[str], name: Sequence[str], end: int, taken: set[int]) -> int:
    """The number of tokens before and at ``end`` that agree with the end of ``name`` and belong to no other mention."""
    length = 1
    while length < len(name) and end - length >= 0 and end - length not in taken:
        if words[end - length] != name[-1 - length]:
            break
        length += 1
    return length


def _without_overlaps(mentions: Sequence[Mention] | Iterator[Mention]) -> list[Mention]:
    """The mentions in order; of two that overlap, the one that begins first, then the longer one."""
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.first, -mention.last, mention.person)):
        if not kept or mention.first >= kept[-1].last:
            kept.append(mention)
    return kept


def _collapse(
    words: Sequence[str], mentions: Sequence[Mention], numbers: dict[int, int]
) -> tuple[list[str], list[Mention]]:
    """The words with one marker for each mention, and the mentions at their new places."""
    result: list[str] = []
    moved, position = [], 0
    for mention in mentions:
        result += words[position : mention.first]
        moved.append(Mention(len(result), len(result) + 1, mention.person))
        result.append(marker(numbers[mention.person]))
        position = mention.last
    return [*result, *words[position:]], moved
