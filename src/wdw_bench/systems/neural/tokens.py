"""The tokens that a neural reader reads, with raw or anonymised names; their ids, and the initial word vectors.

Anonymised names (Hermann et al. 2015, section 2.2): each mention of a choice, and of another person of the question that
the passage also names, is one token ``@entityK``. Markers are numbered anew in each problem, by first occurrence.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from wdw_bench.systems.neural import ReaderConfig
from wdw_bench.systems.vectors import Vectors
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
    question_mentions = _person_groups(problem)
    named = _without_overlaps([*named, *_other_mentions(passage, problem, question_mentions, named)])
    order = list(dict.fromkeys([mention.person for mention in named] + list(range(choices))))
    numbers = {person: number for number, person in enumerate(order)}
    new_passage, moved = _collapse(passage, named, numbers)
    question_mentions = _without_overlaps([mention for mention in question_mentions if mention.person in numbers])
    question, _ = _collapse(problem.question_tokens, question_mentions, numbers)
    before_blank = (mention for mention in question_mentions if mention.last <= problem.blank)
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
    mentions = []
    for first, last in spans:
        name = problem.question_tokens[first:last]
        known = (number for number, full in enumerate(fullest) if full[-len(name) :] == name)
        group = next(known, len(fullest))
        if group == len(fullest):
            fullest.append(name)
        mentions.append(Mention(first, last, len(problem.choices) + group))
    return mentions


def _other_mentions(
    passage: Sequence[str], problem: ReadingProblem, question_mentions: Sequence[Mention], named: Sequence[Mention]
) -> Iterator[Mention]:
    """Passage tokens, outside mentions of choices, that are the longest ending of a person's name in the question."""
    occupied = {index for mention in named for index in range(mention.first, mention.last)}
    endings: dict[str, list[Mention]] = {}
    for mention in question_mentions:  # the longest names come first
        endings.setdefault(problem.question_tokens[mention.last - 1], []).append(mention)
    for index, token in enumerate(passage):
        if token in endings and index not in occupied and is_identifying(token.casefold()):
            lengths = {
                person.person: _shared_ending(
                    passage, problem.question_tokens[person.first : person.last], index, occupied
                )
                for person in reversed(endings[token])
            }
            person = max(reversed(lengths), key=lambda person: lengths[person])
            yield Mention(index + 1 - lengths[person], index + 1, person)


def _shared_ending(words: Sequence[str], name: Sequence[str], end: int, occupied: set[int]) -> int:
    """The number of tokens before and at ``end`` that agree with the end of ``name`` and belong to no other mention."""
    length = 1
    while length < len(name) and end - length >= 0 and end - length not in occupied:
        if words[end - length] != name[-1 - length]:
            break
        length += 1
    return length


def _without_overlaps(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions in order; of two that overlap, the one that begins first, then the longer one."""
    disjoint: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.first, -mention.last, mention.person)):
        if not disjoint or mention.first >= disjoint[-1].last:
            disjoint.append(mention)
    return disjoint


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


# ---- ids and vectors -------------------------------------------------------------------------------------------------

PADDING, UNKNOWN, BLANK_WORD, FIRST_ENTITY = 0, 1, 2, 3
"""Word ids. Entity markers begin at ``FIRST_ENTITY``; words follow them."""
UNKNOWN_CHARACTER = 1
FEWEST_MARKERS = 16
"""Entity markers that a reader with anonymised names has, even if no training problem has as many."""
LONGEST_WORD = 20
"""Characters of a word that a reader reads; the rest is cut."""
SPARE_ROWS = 8_192
"""Rows for words that training did not see and the pretrained vectors know."""
_RANDOM_BOUND = 0.1
_MEASURED = 1_000
"""Commonest words whose vectors give the deviation of random ones."""


@dataclass(frozen=True)
class Vocabulary:
    """The words and characters that a reader knows, and the number of its entity markers."""

    words: tuple[str, ...]
    markers: int
    characters: tuple[str, ...]
    fold_case: bool

    @cached_property
    def _rows(self) -> dict[str, int]:
        words = {word: number for number, word in enumerate(self.words, FIRST_ENTITY + self.markers)}
        return words | {marker(number): FIRST_ENTITY + number for number in range(self.markers)}

    @cached_property
    def _letters(self) -> dict[str, int]:
        return {letter: number for number, letter in enumerate(self.characters, UNKNOWN_CHARACTER + 1)}

    @property
    def size(self) -> int:
        """The number of word ids."""
        return FIRST_ENTITY + self.markers + len(self.words)

    @property
    def character_size(self) -> int:
        """The number of character ids: padding, unknown, characters."""
        return UNKNOWN_CHARACTER + 1 + len(self.characters)

    def fold(self, word: str) -> str:
        """The word as the vocabulary spells it."""
        return word.lower() if self.fold_case else word

    def ids(self, words: Iterable[str]) -> list[int]:
        """The ids of the words; 1 for unknown ones."""
        rows, fold = self._rows, self.fold
        return [rows.get(fold(word), UNKNOWN) for word in words]

    def unseen(self, words: Iterable[str]) -> list[str]:
        """The distinct words without an id, as the vocabulary spells them, in order."""
        folded = dict.fromkeys(map(self.fold, words))
        return [word for word in folded if word not in self._rows]

    def extended(self, words: Iterable[str]) -> Vocabulary:
        """The vocabulary with more words, which get the next ids."""
        return replace(self, words=(*self.words, *words))

    def spell(self, word: str) -> list[int]:
        """The character ids of a word, at most ``LONGEST_WORD``."""
        return [self._letters.get(letter, UNKNOWN_CHARACTER) for letter in word[:LONGEST_WORD]]

    def marker_id(self, number: int) -> int:
        """The word id of an entity marker; unknown beyond the markers of training, 0 without a marker."""
        if number < 0:
            return PADDING
        return FIRST_ENTITY + number if number < self.markers else UNKNOWN


def count_vocabulary(problems: Iterable[ReaderTokens], settings: ReaderConfig) -> Vocabulary:
    """The vocabulary of the commonest words of some problems; words of the same count in alphabetical order."""
    counts: Counter[str] = Counter()
    most_markers = 0
    for tokens in problems:
        counts.update(tokens.question)
        counts.update(tokens.passage)
        most_markers = max(most_markers, tokens.marker_count)
    markers = max(most_markers, FEWEST_MARKERS) if most_markers else 0
    folded: Counter[str] = Counter()
    for word in counts.keys() - {marker(number) for number in range(markers)}:
        folded[word.lower() if settings.fold_case else word] += counts[word]
    words = sorted(folded, key=lambda word: (-folded[word], word))[: settings.vocabulary]
    characters = sorted({letter for word in counts for letter in word})
    return Vocabulary(words=tuple(words), markers=markers, characters=tuple(characters), fold_case=settings.fold_case)


def initial_vectors(vocabulary: Vocabulary, settings: ReaderConfig, vectors: Vectors | None, seed: int) -> Tensor:
    """Vectors (V, D) of all word ids, and ``SPARE_ROWS`` more if the words' vectors are fixed.

    Words with a pretrained vector get it. The others, the unknown word and the markers are uniform in ±0.1 without
    pretrained vectors (Kadlec et al. 2016, section 4.1), else normal with the deviation of the commonest words' vectors.
    """
    generator = np.random.default_rng([seed, zlib.crc32(b"vectors")])
    if vectors is None:
        table = generator.uniform(-_RANDOM_BOUND, _RANDOM_BOUND, (vocabulary.size, settings.vector_size))
    else:
        known, is_known = vectors.lookup(vocabulary.words)
        deviation = float(known[is_known][:_MEASURED].std()) if is_known.any() else _RANDOM_BOUND
        table = generator.normal(0.0, deviation, (vocabulary.size, vectors.dimensions))
        table[vocabulary.size - len(vocabulary.words) :][is_known] = known[is_known]
    table[PADDING] = 0.0
    spare = np.zeros((0 if settings.train_vectors else SPARE_ROWS, table.shape[1]))
    return torch.from_numpy(np.concatenate([table, spare]).astype(np.float32))
