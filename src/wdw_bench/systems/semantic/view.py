"""Words as integers with their stem, weight and vector, and one problem as arrays of them.

The arrays say where sentences begin, where each choice occurs, and whom pronouns stand for.

Questions become statements with a place for the choice. A pronoun stands for the person named last before it whose gender
fits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wdw_bench.systems.vectors import Vectors
from wdw_build.api import STOP_WORDS
from wdw_build.reading import ReadingProblem
from wdw_build.reading.words import (
    FEMININE,
    FEMININE_NAMES,
    FEMININE_TITLES,
    MASCULINE,
    MASCULINE_NAMES,
    MASCULINE_TITLES,
    normalise,
    stem,
)

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


_WH_WORDS = frozenset("who whom whose what which where when why how".split())
_AUXILIARIES = frozenset("do does did".split())
_COPULAS = frozenset("is are was were be been am 's ’s".split())
# Frequent finite verbs that do not end in -ed.
_IRREGULAR_VERBS = frozenset(Path(__file__).with_name("verbs.txt").read_text(encoding="utf-8").split())


class Lexicon:
    """Interns words in lower case. ``learn`` words before ``ids`` of them are asked for.

    ``frequencies``: word -> number of training passages that have it, of ``passages`` in total. ``centre`` (d,): the
    vector that is subtracted from every word's vector, so that the cosine of unrelated words is about 0.
    """

    def __init__(self, vectors: Vectors, frequencies: Mapping[str, int], passages: int, centre: Floats) -> None:
        self._vectors, self._frequencies, self._passages = vectors, frequencies, passages
        self._centre = centre
        self._stem_ids: dict[str, int] = {}
        self._ids: dict[str, int] = {}
        self.stems: Ints = np.zeros(0, np.int32)
        self.content: Bools = np.zeros(0, np.bool_)
        self.verbs: Bools = np.zeros(0, np.bool_)
        self.weights: Floats = np.zeros(0, np.float32)
        self.units: Floats = np.zeros((0, vectors.dimensions), np.float32)
        """The vector of each word, scaled to length 1, or zero (n, d)."""

    def __len__(self) -> int:
        return len(self._ids)

    def learn(self, words: Iterable[str]) -> None:
        """Add the words that are new."""
        new = sorted({word.lower() for word in words}.difference(self._ids))
        if not new:
            return
        self._ids.update(zip(new, range(len(self._ids), len(self._ids) + len(new)), strict=True))
        stems = [self._stem_ids.setdefault(stem(word), len(self._stem_ids)) for word in new]
        content = [bool(normalise(word)) and normalise(word) not in STOP_WORDS for word in new]
        self.stems = np.append(self.stems, np.array(stems, np.int32))
        self.content = np.append(self.content, content)
        # A word that looks like a finite verb: one of the frequent ones, or a form in -ed.
        verbs = [word in _IRREGULAR_VERBS or (word.endswith("ed") and len(word) > len("need")) for word in new]
        self.verbs = np.append(self.verbs, verbs)
        self.weights = np.append(self.weights, np.array([self._weight(word) for word in new], np.float32))
        vectors, is_known = self._vectors.lookup(new)
        vectors[is_known] -= self._centre
        self.units = np.append(self.units, unit(vectors), axis=0)

    def emptied(self) -> Lexicon:
        """A lexicon without words and with the same frequencies and vectors."""
        return Lexicon(self._vectors, self._frequencies, self._passages, self._centre)

    def ids(self, words: Sequence[str]) -> Ints:
        """The id of each word."""
        return np.fromiter((self._ids[word.lower()] for word in words), np.int32, len(words))

    def _weight(self, word: str) -> float:
        """Inverse document frequency, 0.1 to 1: log((n + 1) / (df + 0.5)) / log((n + 1) / 0.5), at least 0.1."""
        passages = self._passages + 1
        rarity = math.log(passages / (self._frequencies.get(word, 0) + 0.5)) / math.log(passages / 0.5)
        return max(rarity, 0.1)


def unit(vectors: Floats) -> Floats:
    """The vectors scaled to length 1; zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths, lengths, 1)).astype(np.float32, copy=False)


Statement = tuple[tuple[str, ...], int]


def statement(question: Sequence[str], blank: int) -> Statement:
    """The words of the statement without the choice, and the index before which the choice belongs.

    A cloze question is a statement already. In a question with a wh-word the choice takes the place of the wh-word if it is
    the subject ("Who was having a party"); else the auxiliary is dropped and the choice comes last ("What did Ann buy").
    """
    words = tuple(question)
    if blank >= 0:
        return words[:blank] + words[blank + 1 :], blank
    if words and words[-1] == "?":
        words = words[:-1]
    places = [index for index, word in enumerate(words) if word.lower() in _WH_WORDS]
    return _answered(words, places[0]) if places else (words, len(words))


def _answered(words: tuple[str, ...], place: int) -> Statement:
    before, after = words[:place], words[place + 1 :]
    auxiliary = next((index for index, word in enumerate(after) if word.lower() in _AUXILIARIES), None)
    if auxiliary is not None:
        statement = before + after[:auxiliary] + after[auxiliary + 1 :]
        return statement, len(statement)
    if after and after[0].lower() in _COPULAS and not any(word.endswith("ing") for word in after[1:2]):
        statement = (*before, *after[1:], after[0])
        return statement, len(statement)
    return before + after, len(before)


def antecedents(tokens: Sequence[str], problem: ReadingProblem) -> Ints:
    """For each token, the token itself; for "he", "she" and their forms, the first token of the last fitting name.

    Names are the mentions of the choices and other capitalised words that never occur in lower case.
    """
    result = np.arange(len(tokens), dtype=np.int32)
    starts = _name_starts(tokens, problem)
    lowered = [token.lower() for token in tokens]
    genders = _genders(lowered, starts)
    last: dict[bool, int] = {}
    for index, word in enumerate(lowered):
        if index in starts:
            gender = genders.get(word)
            last.update({feminine: index for feminine in (False, True) if gender is None or gender == feminine})
        elif word in FEMININE or word in MASCULINE:
            result[index] = last.get(word in FEMININE, index)
    return result


def _name_starts(tokens: Sequence[str], problem: ReadingProblem) -> set[int]:
    mentions = {first for choice in problem.choices for first, _ in choice.mentions if tokens[first][0].isupper()}
    lower = {token for token in tokens if token.islower()} | STOP_WORDS
    inside = {index for choice in problem.choices for first, last in choice.mentions for index in range(first, last)}
    names = {
        index
        for index, token in enumerate(tokens)
        if token[0].isupper() and token[1:].islower() and token.lower() not in lower and index not in inside
    }
    return mentions | {index for index in names if index - 1 not in names}


def _genders(lowered: Sequence[str], starts: set[int]) -> dict[str, bool]:
    """Name's first word in lower case -> whether it is feminine, where a first name or a title tells."""
    genders: dict[str, bool] = {}
    for index in sorted(starts):
        word, before = lowered[index], lowered[max(index - 2, 0) : index]
        if word in FEMININE_NAMES or FEMININE_TITLES.intersection(before):
            genders.setdefault(word, True)
        elif word in MASCULINE_NAMES or MASCULINE_TITLES.intersection(before):
            genders.setdefault(word, False)
    return genders


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
