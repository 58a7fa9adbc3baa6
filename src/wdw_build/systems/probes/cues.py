"""Numeric features of the choices that hold on any corpus: places, counts, matching words, neighbours, gender.

Each number is standardised over the choices of its problem (mean 0, standard deviation 1/2; all 0 if the choices are
equal), so that long and short passages weigh the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from wdw_build.reading import ReadingChoice, ReadingProblem
from wdw_build.systems.lexical.distance import distances
from wdw_build.systems.lexical.sliding_window import best_windows, inverse_counts
from wdw_build.systems.lexical.word_overlap import best_sentence_overlaps
from wdw_build.systems.probes.ranks import frequency_ranks
from wdw_build.systems.semantic.stems import stem
from wdw_build.systems.semantic.word_classes import (
    FEMININE,
    FEMININE_NAMES,
    FEMININE_TITLES,
    MASCULINE,
    MASCULINE_NAMES,
    MASCULINE_TITLES,
)
from wdw_build.systems.words import bag, cosine, normalise, problem_words
from wdw_build.text.function_words import STOP_WORDS

# Words on each side of the blank or of a mention that are compared.
_CONTEXT = 6
# A pronoun so many words after a mention may stand for the person.
_PRONOUN = 12
# The standard deviation of a binary feature that holds for half of the choices.
_DEVIATION = 0.5
_stem = lru_cache(maxsize=1 << 16)(stem)


@dataclass(frozen=True)
class _View:
    """A problem with its words as stems."""

    problem: ReadingProblem
    words: Sequence[str]
    """The normalised words of the passage, one for each token; empty for punctuation."""

    @cached_property
    def stems(self) -> list[str]:
        """The stems of the passage's content words; empty for other tokens."""
        return _content_stems(self.words)

    @cached_property
    def question(self) -> list[str]:
        """The stems of the question's content words; empty for other tokens and for the blank."""
        tokens = self.problem.question_tokens
        stems = _content_stems([normalise(token) for token in tokens])
        return [word if index != self.problem.blank else "" for index, word in enumerate(stems)]

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """IC(w) = log(1 + 1/C(w)) of the stems of the passage."""
        return inverse_counts([word for word in self.stems if word])

    @cached_property
    def matched(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """For each token of the passage, the weight of its stem if the question has it, else 0."""
        asked = set(self.question) - {""}
        return np.array([self.weights[word] if word in asked else 0.0 for word in self.stems])

    def sentence(self, token: int) -> int:
        """The index of the sentence of a token."""
        return bisect_right(self.problem.sentence_starts, token) - 1


def _content_stems(words: Sequence[str]) -> list[str]:
    return [_stem(word) if word and word not in STOP_WORDS else "" for word in words]


def cues(problem: ReadingProblem) -> list[dict[str, float]]:
    """The standardised numbers of each choice."""
    view = _View(problem, [normalise(token) for token in problem.passage_tokens])
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
        "distance": distances(words, "least"),
        "mean distance": distances(words, "mean"),
    }


def _counts(view: _View, index: int, rank: int, total: int) -> Iterator[tuple[str, float]]:
    """Numbers and places of the mentions."""
    mentions, length = view.problem.choices[index].mentions, len(view.words) or 1
    sentences = {view.sentence(first) for first, _ in mentions}
    last = view.problem.passage.rfind("\n\n")
    spans = view.problem.token_spans
    yield "place", index
    yield "mentions", np.log1p(len(mentions))
    yield "share", len(mentions) / total
    yield "frequency", rank
    yield "sentences", len(sentences)
    yield "first", mentions[0][0] / length if mentions else 1.0
    yield "log first", np.log1p(mentions[0][0] if mentions else length)
    yield "last", mentions[-1][0] / length if mentions else 1.0
    yield "in first sentence", 0 in sentences
    yield "in last paragraph", bool(mentions) and spans[mentions[-1][0]][0] > last
    yield "fullest first", max((end - start for start, end in mentions[:1]), default=0)


def _name(choice: ReadingChoice) -> Iterator[tuple[str, float]]:
    yield "name words", len(choice.tokens)
    yield "name length", len(choice.name)
    yield "capitals", choice.name.isupper()
    yield "shortened", sum(last - first < len(choice.tokens) for first, last in choice.mentions)


def _neighbours(view: _View, choice: ReadingChoice) -> Iterator[tuple[str, float]]:
    """How much of the question stands around the mentions."""
    bounds = list(view.problem.sentences())
    blank = view.problem.blank
    around = view.question[max(blank - _CONTEXT, 0) : blank + _CONTEXT + 1] if blank >= 0 else view.question
    blank_bag = bag(filter(None, around))
    left, right = set(view.question[max(blank - 3, 0) : max(blank, 0)]), set(view.question[blank + 1 : blank + 4])
    contexts, sentences, near, sides = [0.0], [0.0], [0.0], [0.0]
    for first, last in choice.mentions:
        stems = view.stems[max(first - _CONTEXT, 0) : first] + view.stems[last : last + _CONTEXT]
        contexts.append(cosine(blank_bag, bag(filter(None, stems))))
        start, end = bounds[view.sentence(first)]
        own = view.matched[start:end].copy()
        own[first - start : last - start] = 0
        sentences.append(float(own.sum()))
        places = np.arange(start, end)
        near.append(float((own * np.exp(-np.minimum(abs(places - first), abs(places - last + 1)) / _CONTEXT)).sum()))
        before, after = view.stems[max(first - 3, 0) : first], view.stems[last : last + 3]
        sides.append(float(len((left - {""}).intersection(before)) + len((right - {""}).intersection(after))))
    for name, values in (("context", contexts), ("sentence", sentences), ("near", near), ("sides", sides)):
        yield f"best {name}", max(values)
        yield f"mean {name}", sum(values) / max(len(values) - 1, 1)
    yield from _companions(view, choice)


def _companions(view: _View, choice: ReadingChoice) -> Iterator[tuple[str, float]]:
    """Sentences with other persons of the question, and words that the name shares with the question."""
    tokens = view.problem.question_tokens
    persons = {normalise(tokens[last - 1]) for _, last in view.problem.question_persons}
    own = {normalise(token) for token in choice.tokens}
    starts = view.problem.sentence_starts
    named = (
        {view.sentence(index) for index, word in enumerate(view.words) if word in persons and word not in own}
        if starts
        else set()
    )
    inside = [view.sentence(first) for first, _ in choice.mentions]
    yield "with persons", sum(sentence in named for sentence in inside)
    yield "share with persons", sum(sentence in named for sentence in inside) / (len(inside) or 1)
    yield "in question", len(own.intersection(normalise(token) for token in tokens))
    yield "is person", len(own & persons)


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
