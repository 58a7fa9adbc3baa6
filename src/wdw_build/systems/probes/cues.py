"""Numeric features of the choices that hold on any corpus: places, counts, matching words, neighbours, gender.

Each number is standardised over the choices of its problem (mean 0, standard deviation 1/2; all 0 if the choices are
equal), so that long and short passages weigh the same.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np

from wdw_build.reading import ReadingChoice, ReadingProblem
from wdw_build.systems.lexical import best_sentence_overlaps, best_windows, distances
from wdw_build.systems.probes.ranks import frequency_ranks
from wdw_build.systems.words import (
    FEMININE,
    FEMININE_NAMES,
    FEMININE_TITLES,
    MASCULINE,
    MASCULINE_NAMES,
    MASCULINE_TITLES,
    Bag,
    PassageTokens,
    bag,
    content_stems,
    cosine,
    normalise,
    problem_words,
    read_passage,
)

# Words on each side of the blank or of a mention that are compared.
_CONTEXT = 6
# Words on each side that must stand on the same side.
_SIDE = 3
# A pronoun so many words after a mention may stand for the person.
_PRONOUN = 12
# The standard deviation of a binary feature that holds for half of the choices.
_DEVIATION = 0.5


@dataclass(frozen=True)
class _View:
    """A problem with its words as stems."""

    problem: ReadingProblem
    passage: PassageTokens

    @property
    def words(self) -> list[str]:
        """The normalised words of the passage, one for each token; empty for punctuation."""
        return self.passage.normalised

    @property
    def stems(self) -> list[str]:
        """The stems of the passage's content words; empty for other tokens."""
        return self.passage.stems

    @cached_property
    def question(self) -> list[str]:
        """The stems of the question's content words; empty for other tokens and for the blank."""
        tokens = self.problem.question_tokens
        stems = content_stems(map(normalise, tokens))
        return [word if index != self.problem.blank else "" for index, word in enumerate(stems)]

    @cached_property
    def blank_bag(self) -> Bag:
        """The stems around the blank; those of the whole question if there is none."""
        blank = self.problem.blank
        around = self.question[max(blank - _CONTEXT, 0) : blank + _CONTEXT + 1] if blank >= 0 else self.question
        return bag(filter(None, around))

    @cached_property
    def asked(self) -> set[str]:
        """The stems of the question."""
        return set(self.question) - {""}

    @cached_property
    def matched(self) -> list[list[tuple[int, float]]]:
        """For each sentence, the tokens whose stems are in the question, with the weights of these stems."""
        weights = self.passage.stem_weights
        return [
            [(place, weights[word]) for place, word in enumerate(self.stems[first:last], first) if word in self.asked]
            for first, last in self.passage.sentences
        ]

    @cached_property
    def _sides(self) -> tuple[set[str], set[str]]:
        """The stems just before and just after the blank; none if there is no blank."""
        blank = self.problem.blank
        if blank < 0:
            return set(), set()
        return set(self.question[max(blank - _SIDE, 0) : blank]) - {""}, set(self.question[blank + 1 :][:_SIDE]) - {""}

    def shared_sides(self, first: int, last: int) -> int:
        """How many stems stand just before the blank and just before the tokens [first, last), or just after both."""
        before, after = self._sides
        left, right = self.stems[max(first - _SIDE, 0) : first], self.stems[last : last + _SIDE]
        return len(before.intersection(left)) + len(after.intersection(right))

    @cached_property
    def persons(self) -> set[str]:
        """The last words of the other persons of the question."""
        tokens = self.problem.question_tokens
        return {normalise(tokens[last - 1]) for _, last in self.problem.question_persons}

    @cached_property
    def person_places(self) -> list[tuple[str, int]]:
        """The tokens of the passage that are such a word, each with its sentence."""
        persons = self.persons
        return [(word, self.sentence(index)) for index, word in enumerate(self.words) if word in persons]

    @cached_property
    def last_paragraph(self) -> int:
        """The first token of the last paragraph."""
        start = self.problem.passage.rfind("\n\n")
        return bisect_right(self.passage.spans, start, key=itemgetter(0))

    def sentence(self, token: int) -> int:
        """The index of the sentence of a token."""
        return bisect_right(self.problem.sentence_starts, token) - 1


def cues(problem: ReadingProblem) -> list[dict[str, float]]:
    """The standardised numbers of each choice."""
    view = _View(problem, read_passage(problem))
    lexical = _lexical(problem)
    ranks = frequency_ranks(problem)
    total = sum(len(choice.mentions) for choice in problem.choices) or 1
    rows = [
        {
            **dict(_counts(view, index, ranks[index], total)),
            **{name: values[index] for name, values in lexical.items()},
            **dict(_name(choice)),
            **dict(_neighbours(view, choice)),
            **dict(_gender(view, choice)),
        }
        for index, choice in enumerate(problem.choices)
    ]
    return _standardised(rows)


def _standardised(rows: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    names = [f"number:{name}" for name in rows[0]]
    values = np.array([list(row.values()) for row in rows])
    centred = values - values.mean(axis=0)
    spread = centred.std(axis=0)
    equal = spread < 1e-9
    scaled = _DEVIATION * np.where(equal, 0.0, centred / np.where(equal, 1.0, spread))
    return [dict(zip(names, row, strict=True)) for row in scaled.tolist()]


def _lexical(problem: ReadingProblem) -> dict[str, Sequence[float]]:
    """The scores of the systems that match words."""
    words = problem_words(problem)
    return {
        "word overlap": best_sentence_overlaps(words),
        "sliding window": best_windows(words),
        "distance": distances(words),
    }


def _counts(view: _View, index: int, rank: int, total: int) -> Iterator[tuple[str, float]]:
    """Numbers and places of the mentions."""
    mentions, length = view.problem.choices[index].mentions, len(view.words) or 1
    sentences = {view.sentence(first) for first, _ in mentions}
    yield "place", index
    yield "mentions", math.log1p(len(mentions))
    yield "share", len(mentions) / total
    yield "frequency", rank
    yield "sentences", len(sentences)
    yield "first", mentions[0][0] / length if mentions else 1.0
    yield "log first", math.log1p(mentions[0][0] if mentions else length)
    yield "last", mentions[-1][0] / length if mentions else 1.0
    yield "in first sentence", 0 in sentences
    yield "in last paragraph", bool(mentions) and mentions[-1][0] >= view.last_paragraph
    yield "fullest first", max((end - start for start, end in mentions[:1]), default=0)


def _name(choice: ReadingChoice) -> Iterator[tuple[str, float]]:
    yield "name words", len(choice.tokens)
    yield "name length", len(choice.name)
    yield "capitals", choice.name.isupper()
    yield "shortened", sum(last - first < len(choice.tokens) for first, last in choice.mentions)


def _neighbours(view: _View, choice: ReadingChoice) -> Iterator[tuple[str, float]]:
    """How much of the question stands around the mentions."""
    values: dict[str, list[float]] = {"context": [0.0], "sentence": [0.0], "near": [0.0], "sides": [0.0]}
    for first, last in choice.mentions:
        stems = view.stems[max(first - _CONTEXT, 0) : first] + view.stems[last : last + _CONTEXT]
        matched = [
            (min(abs(place - first), abs(place - last + 1)), weight)
            for place, weight in view.matched[view.sentence(first)]
            if not first <= place < last
        ]
        values["context"].append(cosine(view.blank_bag, bag(filter(None, stems))))
        values["sentence"].append(sum(weight for _, weight in matched))
        values["near"].append(sum(weight * math.exp(-distance / _CONTEXT) for distance, weight in matched))
        values["sides"].append(view.shared_sides(first, last))
    for name, found in values.items():
        yield f"best {name}", max(found)
        yield f"mean {name}", sum(found) / max(len(found) - 1, 1)
    yield from _companions(view, choice)


def _companions(view: _View, choice: ReadingChoice) -> Iterator[tuple[str, float]]:
    """Sentences with other persons of the question, and words that the name shares with the question."""
    tokens = view.problem.question_tokens
    own = {normalise(token) for token in choice.tokens}
    named = {sentence for word, sentence in view.person_places if word not in own}
    inside = [view.sentence(first) for first, _ in choice.mentions]
    yield "with persons", sum(sentence in named for sentence in inside)
    yield "share with persons", sum(sentence in named for sentence in inside) / (len(inside) or 1)
    yield "in question", len(own.intersection(normalise(token) for token in tokens))
    yield "is person", len(own & view.persons)


def _gender(view: _View, choice: ReadingChoice) -> Iterator[tuple[str, float]]:
    """The fit of the choice's gender with the pronouns of the question: 1 if they agree, -1 if they do not, 0 if unknown."""
    asked = _lean([normalise(token) for token in view.problem.question_tokens], MASCULINE, FEMININE)
    first = normalise(choice.tokens[0]) if choice.tokens else ""
    named = (first in FEMININE_NAMES) - (first in MASCULINE_NAMES)
    titles = [word for start, _ in choice.mentions for word in view.words[max(start - 2, 0) : start]]
    titled = _lean(titles, MASCULINE_TITLES, FEMININE_TITLES)
    following = [word for _, end in choice.mentions for word in view.words[end : end + _PRONOUN]]
    own = titled or named or _lean(following, MASCULINE, FEMININE)
    yield "gender", asked * own
    yield "pronouns", sum(word in MASCULINE or word in FEMININE for word in following)


def _lean(words: Sequence[str], masculine: frozenset[str], feminine: frozenset[str]) -> int:
    """1 if most of the words are feminine, -1 if most are masculine, else 0."""
    difference = sum(word in feminine for word in words) - sum(word in masculine for word in words)
    return (difference > 0) - (difference < 0)
