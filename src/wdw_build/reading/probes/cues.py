"""Numeric features of the choices that hold on any corpus: places, counts, matching words, neighbours, gender.

Each number is standardised over the choices of its problem (mean 0, standard deviation 1/2; all 0 if the choices are
equal), so that long and short passages weigh the same.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from wdw_build.reading import ReadingChoice, ReadingProblem
from wdw_build.reading.matching import best_sentence_overlaps, best_windows, distances
from wdw_build.reading.probes.features import frequency_ranks
from wdw_build.reading.words import (
    FEMININE,
    FEMININE_NAMES,
    FEMININE_TITLES,
    KEPT_CHOICES,
    KEPT_PASSAGES,
    MASCULINE,
    MASCULINE_NAMES,
    MASCULINE_TITLES,
    Bag,
    PassageTokens,
    ProblemWords,
    bag,
    content_stems,
    cosine,
    normalise,
    normalised,
    read_passage,
)
from wdw_build.records import TokenSpan

# Words on each side of the blank or of a mention that are compared.
_CONTEXT = 6
# Words on each side that must stand on the same side.
_SIDE = 3
# A pronoun so many words after a mention may stand for the person.
_PRONOUN = 12
# The standard deviation of a binary feature that holds for half of the choices.
_DEVIATION = 0.5
_AROUND = ("context", "sentence", "near", "sides")
# The order of the features, in which their weights are added up.
_NUMBERS = (
    *("place", "mentions", "share", "frequency", "sentences", "first", "log first", "last"),
    *("in first sentence", "in last paragraph", "fullest first"),
    *("word overlap", "sliding window", "distance"),
    *("name words", "name length", "capitals", "shortened"),
    *(f"{which} {name}" for name in _AROUND for which in ("best", "mean")),
    *("with persons", "share with persons", "in question", "is person"),
    *("gender", "pronouns"),
)
_in_order = itemgetter(*_NUMBERS)
_FEATURES = tuple(f"number:{name}" for name in _NUMBERS)


class _Mention(NamedTuple):
    """A mention with the stems around it. ``before`` and ``after``: the stems just beside it."""

    first: int
    last: int
    sentence: int
    context: list[str]
    before: list[str]
    after: list[str]


class _Person(NamedTuple):
    """The facts of a passage about a choice. ``words``: those of the name; ``gender``: see ``_lean``."""

    mentions: list[_Mention]
    words: set[str]
    gender: int
    numbers: dict[str, float]


@functools.lru_cache(maxsize=KEPT_CHOICES)
def _person(passage: PassageTokens, choice: ReadingChoice) -> _Person:
    mentions = [_mention(passage, first, last) for first, last in choice.mentions]
    following = [word for _, last in choice.mentions for word in passage.normalised[last : last + _PRONOUN]]
    numbers = {**dict(_counts(passage, mentions)), **dict(_name(choice))}
    numbers["pronouns"] = sum(word in MASCULINE or word in FEMININE for word in following)
    return _Person(mentions, set(map(normalise, choice.tokens)), _gender(passage, choice, following), numbers)


def _mention(passage: PassageTokens, first: int, last: int) -> _Mention:
    stems = passage.stems
    before, after = stems[max(first - _CONTEXT, 0) : first], stems[last : last + _CONTEXT]
    context = list(filter(None, before + after))
    return _Mention(first, last, passage.sentence(first), context, before[-_SIDE:], after[:_SIDE])


def _counts(passage: PassageTokens, mentions: Sequence[_Mention]) -> Iterator[tuple[str, float]]:
    """Numbers and places of the mentions."""
    length = len(passage.tokens) or 1
    sentences = {mention.sentence for mention in mentions}
    yield "mentions", math.log1p(len(mentions))
    yield "sentences", len(sentences)
    yield "first", mentions[0].first / length if mentions else 1.0
    yield "log first", math.log1p(mentions[0].first if mentions else length)
    yield "last", mentions[-1].first / length if mentions else 1.0
    yield "in first sentence", 0 in sentences
    yield "in last paragraph", bool(mentions) and mentions[-1].first >= passage.last_paragraph
    yield "fullest first", mentions[0].last - mentions[0].first if mentions else 0


def _name(choice: ReadingChoice) -> Iterator[tuple[str, float]]:
    yield "name words", len(choice.tokens)
    yield "name length", len(choice.name)
    yield "capitals", choice.name.isupper()
    yield "shortened", sum(last - first < len(choice.tokens) for first, last in choice.mentions)


def _gender(passage: PassageTokens, choice: ReadingChoice, following: Sequence[str]) -> int:
    """The gender by titles, else by the first name, else by the pronouns that follow the mentions (see ``_lean``)."""
    first = normalise(choice.tokens[0]) if choice.tokens else ""
    named = _lean([first], MASCULINE_NAMES, FEMININE_NAMES)
    titles = [word for start, _ in choice.mentions for word in passage.normalised[max(start - 2, 0) : start]]
    return _lean(titles, MASCULINE_TITLES, FEMININE_TITLES) or named or _lean(following, MASCULINE, FEMININE)


@dataclass(frozen=True)
class _Question:
    """A question about a passage, with its words as stems, and the numbers of the choices seen so far."""

    tokens: tuple[str, ...]
    blank: int
    person_ranges: tuple[TokenSpan, ...]
    passage: PassageTokens
    _numbers: dict[ReadingChoice, dict[str, float]] = field(default_factory=dict, init=False)
    _matches: dict[int, list[tuple[int, float]]] = field(default_factory=dict, init=False)

    @cached_property
    def words(self) -> list[str]:
        """The normalised words; empty for punctuation."""
        return list(map(normalise, self.tokens))

    @cached_property
    def _stems(self) -> list[str]:
        """The stems of the question's content words; empty for other tokens and for the blank."""
        return [word if index != self.blank else "" for index, word in enumerate(content_stems(self.words))]

    @cached_property
    def _blank_bag(self) -> Bag:
        """The stems around the blank; those of the whole question if there is none."""
        blank, stems = self.blank, self._stems
        return bag(filter(None, stems[max(blank - _CONTEXT, 0) : blank + _CONTEXT + 1] if blank >= 0 else stems))

    @cached_property
    def _asked(self) -> set[str]:
        """The stems of the question."""
        return set(self._stems) - {""}

    def _matched(self, sentence: int) -> list[tuple[int, float]]:
        """The tokens of a sentence whose stems are in the question, with the weights of these stems."""
        if sentence not in self._matches:
            first, last = self.passage.sentences[sentence]
            question_stems, weights = self._asked, self.passage.stem_weights
            stems = enumerate(self.passage.stems[first:last], first)
            self._matches[sentence] = [(place, weights[word]) for place, word in stems if word in question_stems]
        return self._matches[sentence]

    @cached_property
    def _sides(self) -> tuple[set[str], set[str]]:
        """The stems just before and just after the blank; none if there is no blank."""
        blank = self.blank
        if blank < 0:
            return set(), set()
        return set(self._stems[max(blank - _SIDE, 0) : blank]) - {""}, set(self._stems[blank + 1 :][:_SIDE]) - {""}

    @cached_property
    def _persons(self) -> set[str]:
        """The last words of the other persons of the question."""
        return {self.words[last - 1] for _, last in self.person_ranges}

    @cached_property
    def _person_places(self) -> list[tuple[str, int]]:
        """The tokens of the passage that are such a word, each with its sentence."""
        persons, words = self._persons, enumerate(self.passage.normalised)
        return [(word, self.passage.sentence(index)) for index, word in words if word in persons]

    @cached_property
    def _gender(self) -> int:
        """The gender of the question's pronouns (see ``_lean``)."""
        return _lean(self.words, MASCULINE, FEMININE)

    def numbers(self, choices: Sequence[ReadingChoice]) -> list[dict[str, float]]:
        """The numbers of each choice, except those that depend on the other choices."""
        new = [choice for choice in choices if choice not in self._numbers]
        if new:
            for choice, lexical in zip(new, self._lexical(new), strict=True):
                person = _person(self.passage, choice)
                around, company = dict(self._neighbours(person)), dict(self._companions(person))
                self._numbers[choice] = {**person.numbers, **lexical, **around, **company}
        return [self._numbers[choice] for choice in choices]

    def _lexical(self, choices: Sequence[ReadingChoice]) -> list[dict[str, float]]:
        """The scores of the systems that match words."""
        question = [word for index, word in enumerate(self.words) if word and index != self.blank]
        words = ProblemWords(question, self.passage.words, [normalised(choice.tokens) for choice in choices])
        scores = zip(best_sentence_overlaps(words), best_windows(words), distances(words), strict=True)
        return [
            dict(zip(("word overlap", "sliding window", "distance"), of_choice, strict=True)) for of_choice in scores
        ]

    def _neighbours(self, person: _Person) -> Iterator[tuple[str, float]]:
        """How much of the question stands around the mentions."""
        around = zip((0.0,) * len(_AROUND), *map(self._around, person.mentions), strict=True)
        for name, values in zip(_AROUND, around, strict=True):
            yield f"best {name}", max(values)
            yield f"mean {name}", sum(values) / max(len(person.mentions), 1)

    def _around(self, mention: _Mention) -> tuple[float, float, float, float]:
        """How much of the question stands around a mention, in the order of ``_AROUND``."""
        first, last = mention.first, mention.last
        # Tokens of the mention itself are at no distance.
        matched = [
            (distance, weight)
            for place, weight in self._matched(mention.sentence)
            if (distance := max(first - place, place - last + 1)) > 0
        ]
        before, after = self._sides
        return (
            self._likeness(mention.context),
            sum([weight for _, weight in matched]),
            sum([weight * math.exp(-distance / _CONTEXT) for distance, weight in matched]),
            len(before.intersection(mention.before)) + len(after.intersection(mention.after)),
        )

    def _likeness(self, context: list[str]) -> float:
        """The cosine of the stems around the blank and those around a mention."""
        # Few mentions have a stem in common with the blank.
        if self._blank_bag.counts.keys().isdisjoint(context):
            return 0.0
        return cosine(self._blank_bag, bag(context))

    def _companions(self, person: _Person) -> Iterator[tuple[str, float]]:
        """Sentences with other persons of the question, words that the name shares with the question, and its pronouns.

        The gender is 1 if that of the choice agrees with the pronouns of the question, -1 if it does not, 0 if unknown.
        """
        named = {sentence for word, sentence in self._person_places if word not in person.words}
        accompanied = sum(mention.sentence in named for mention in person.mentions)
        yield "with persons", accompanied
        yield "share with persons", accompanied / (len(person.mentions) or 1)
        yield "in question", len(person.words.intersection(self.words))
        yield "is person", len(person.words & self._persons)
        yield "gender", self._gender * person.gender


# Alternatives with the same question and passage follow each other.
_question = functools.lru_cache(maxsize=KEPT_PASSAGES)(_Question)


def cues(problem: ReadingProblem) -> list[dict[str, float]]:
    """The standardised numbers of each choice."""
    question = _question(problem.question_tokens, problem.blank, problem.question_persons, read_passage(problem))
    total = sum(len(choice.mentions) for choice in problem.choices) or 1
    ranks = frequency_ranks(problem)
    return _standardised(
        [
            {**numbers, "place": index, "share": len(choice.mentions) / total, "frequency": ranks[index]}
            for index, (choice, numbers) in enumerate(
                zip(problem.choices, question.numbers(problem.choices), strict=True)
            )
        ]
    )


def _standardised(rows: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """The numbers of each choice in the order of ``_NUMBERS``, scaled over the choices."""
    values = np.array([_in_order(row) for row in rows])
    centred = values - values.mean(axis=0)
    spread = centred.std(axis=0)
    equal = spread < 1e-9
    scaled = _DEVIATION * np.where(equal, 0.0, centred / np.where(equal, 1.0, spread))
    return [dict(zip(_FEATURES, row, strict=True)) for row in scaled.tolist()]


def _lean(words: Sequence[str], masculine: frozenset[str], feminine: frozenset[str]) -> int:
    """1 if most of the words are feminine, -1 if most are masculine, else 0."""
    difference = sum(word in feminine for word in words) - sum(word in masculine for word in words)
    return max(-1, min(1, difference))
