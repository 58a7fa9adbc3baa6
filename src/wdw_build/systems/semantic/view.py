"""One problem as arrays: token ids, sentences, where each choice occurs, and whom pronouns stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wdw_build.reading import ReadingProblem
from wdw_build.systems.semantic.coreference import antecedents
from wdw_build.systems.semantic.lexicon import Bools, Ints, Lexicon
from wdw_build.systems.semantic.statement import statement


class ProblemTokens(NamedTuple):
    """The token strings of one problem, decoded once."""

    problem: ReadingProblem
    passage: tuple[str, ...]
    question: tuple[str, ...]
    """The question as a statement, without the blank."""
    slot: int
    """Index in ``question`` before which the choice belongs."""

    def words(self) -> Iterator[str]:
        """All words of passage, question and choices."""
        yield from self.passage
        yield from self.question
        for choice in self.problem.choices:
            yield from choice.tokens


def tokens_of(problem: ReadingProblem) -> ProblemTokens:
    """The tokens of a problem, with the question as a statement."""
    return ProblemTokens(problem, problem.passage_tokens, *statement(problem.question_tokens, problem.blank))


@dataclass(frozen=True, eq=False)
class View:
    """The arrays of one problem: T passage tokens, S sentences, C choices, M content words of the question."""

    tokens: ProblemTokens
    ids: Ints
    """Passage tokens (T)."""
    starts: Ints
    """First token of each sentence (S)."""
    sentence_of: Ints
    """Sentence of each token (T)."""
    antecedents: Ints
    """For a pronoun, the token of the name that it stands for, else the token itself (T)."""
    question: Ints
    """Question tokens without the blank."""
    asked: Ints
    """Positions in ``question`` of its M content words."""
    choices: tuple[Ints, ...]
    """Content words of each choice."""
    occurrences: Bools
    """Tokens of each choice's mentions; of its content words if it is not mentioned as a whole (C, T)."""
    named: Bools
    """Whether the choice is mentioned as a whole (C)."""


def view(tokens: ProblemTokens, lexicon: Lexicon) -> View:
    """The arrays of a problem. Its words must be in the lexicon."""
    problem = tokens.problem
    ids, question = lexicon.ids(tokens.passage), lexicon.ids(tokens.question)
    starts = np.array(problem.sentence_starts, np.int32)
    choices = tuple(_content(lexicon.ids(choice.tokens), lexicon) for choice in problem.choices)
    occurrences = np.zeros((len(choices), len(ids)), np.bool_)
    for row, (choice, words) in enumerate(zip(problem.choices, choices, strict=True)):
        for first, last in choice.mentions:
            occurrences[row, first:last] = True
        if not choice.mentions:
            occurrences[row] = np.isin(lexicon.stems[ids], lexicon.stems[words])
    return View(
        tokens=tokens,
        ids=ids,
        starts=starts,
        sentence_of=np.repeat(np.arange(len(starts), dtype=np.int32), np.diff(np.append(starts, len(ids)))),
        antecedents=antecedents(tokens.passage, problem),
        question=question,
        asked=np.flatnonzero(lexicon.content[question]).astype(np.int32),
        choices=choices,
        occurrences=occurrences,
        named=np.array([bool(choice.mentions) for choice in problem.choices]),
    )


def _content(ids: Ints, lexicon: Lexicon) -> Ints:
    """The content words; all words if there are no content words."""
    content = ids[lexicon.content[ids]]
    return content if len(content) else ids
