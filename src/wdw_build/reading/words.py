"""Words for systems that match words: normalised tokens, stems, bags of words, cosine similarity, closed word classes."""

from __future__ import annotations

import bisect
import functools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import mul

import numpy as np
import numpy.typing as npt

from wdw_build.reading import ReadingProblem
from wdw_build.records import unpack_bounds
from wdw_build.text.lexicon import MONTH_NAME as MONTH_NAME
from wdw_build.text.lexicon import STOP_WORDS, word_list
from wdw_build.text.lexicon import WEEKDAY_NAME as WEEKDAY_NAME

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@functools.lru_cache(maxsize=1 << 16)
def normalise(token: str) -> str:
    """The token casefolded, with straight apostrophes; empty if it has neither letters nor digits."""
    if token.isalnum():
        return token.casefold()
    return token.casefold().replace("’", "'") if any(map(str.isalnum, token)) else ""


def normalised(tokens: Iterable[str]) -> list[str]:
    """The normalised tokens in order, without punctuation."""
    return [word for word in map(normalise, tokens) if word]


@dataclass(frozen=True)
class Bag:
    """A bag of words."""

    counts: Counter[str]
    norm: float
    """Euclidean length of the vector of counts."""


def bag(words: Iterable[str]) -> Bag:
    """The words with their counts."""
    counts = Counter(words)
    return Bag(counts, math.sqrt(sum(map(mul, counts.values(), counts.values()))))


def cosine(left: Bag, right: Bag) -> float:
    """Cosine of the angle between two vectors of counts, 0 to 1; 0 if either bag is empty."""
    if not left.norm or not right.norm:
        return 0.0
    return dot(left.counts, right.counts) / (left.norm * right.norm)


def dot(left: Counter[str], right: Counter[str]) -> int:
    """The dot product of two vectors of counts."""
    small, large = (left, right) if len(left) < len(right) else (right, left)
    return sum(count * large[word] for word, count in small.items() if word in large)


def inverse_counts(passage: Sequence[str]) -> Mapping[str, float]:
    """IC(w) = log(1 + 1/C(w)) for the count C(w) of each word in the passage."""
    return {word: math.log1p(1 / count) for word, count in Counter(passage).items()}


class PassageWords:
    """The normalised words of a passage, in the forms that systems compare. Each form is computed on first use."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        """``sentences``: the words of each sentence."""
        self.sentences = sentences

    @functools.cached_property
    def all(self) -> list[str]:
        """The words of all sentences, in order."""
        return [word for sentence in self.sentences for word in sentence]

    @functools.cached_property
    def bags(self) -> list[Bag]:
        """The bag of each sentence."""
        return [bag(sentence) for sentence in self.sentences]

    @functools.cached_property
    def weights(self) -> Mapping[str, float]:
        """The inverse count of each word."""
        return inverse_counts(self.all)

    @functools.cached_property
    def _numbers(self) -> Mapping[str, int]:
        """A number for each different word, from 0."""
        return {word: number for number, word in enumerate(self.weights)}

    @functools.cached_property
    def _ids(self) -> Ints:
        """The number of each word, in order (n,)."""
        return np.array([self._numbers[word] for word in self.all], np.int64)

    @functools.cached_property
    def _starts(self) -> Ints:
        """The index of the first word of each sentence that has words (s,)."""
        lengths = [len(sentence) for sentence in self.sentences if sentence]
        return np.array([0, *accumulate(lengths)][: len(lengths)], np.int64)

    def spread(self, values: Mapping[str, float]) -> Floats:
        """For each word of the passage, its value, or 0 if it has none (n,)."""
        numbers = self._numbers
        by_number = np.zeros(len(numbers))
        for word, value in values.items():
            if word in numbers:
                by_number[numbers[word]] = value
        spread: Floats = by_number[self._ids]
        return spread

    def places(self, words: Iterable[str]) -> Ints:
        """The indices at which one of the words occurs, in order."""
        return np.flatnonzero(self.spread(dict.fromkeys(words, 1.0)))

    def dots(self, counts: Mapping[str, int]) -> Floats:
        """For each sentence that has words, the dot product of its vector of counts with the given one (s,)."""
        products: Floats = np.add.reduceat(self.spread(counts), self._starts)
        return products

    @functools.cached_property
    def norms(self) -> Floats:
        """For each sentence that has words, the Euclidean length of its vector of counts (s,)."""
        starts, words = self._starts, max(len(self._numbers), 1)
        sentences = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(self.all)))
        pairs, counts = np.unique(sentences * words + self._ids, return_counts=True)
        return np.sqrt(np.bincount(pairs // words, counts * counts, len(starts)))


def partial_sums(values: Floats) -> Floats:
    """The sums of the first 0, 1, … n values (n + 1,)."""
    sums = np.zeros(len(values) + 1)
    values.cumsum(out=sums[1:])
    return sums


class PassageTokens:
    """The tokens of a passage and their words."""

    def __init__(self, passage: str, layout: tuple[int, ...], sentence_starts: tuple[int, ...]) -> None:
        """The parts of a ``ReadingProblem`` with these names."""
        starts, ends = unpack_bounds(layout)
        self.tokens = [passage[start:end] for start, end in zip(starts, ends, strict=True)]
        self.normalised = list(map(normalise, self.tokens))
        """The normalised word of each token; empty for punctuation."""
        self.sentences = list(pairwise((*sentence_starts, len(self.tokens))))
        """The range [first, last) of tokens of each sentence."""
        self._sentence_starts = sentence_starts
        self.last_paragraph = bisect.bisect_right(starts, passage.rfind("\n\n"))
        """The first token of the last paragraph."""
        self.words = PassageWords([list(filter(None, self.normalised[first:last])) for first, last in self.sentences])

    @functools.cached_property
    def words_and_marks(self) -> list[str]:
        """The normalised word of each token, or the token itself if it is punctuation."""
        return [word or token for word, token in zip(self.normalised, self.tokens, strict=True)]

    def sentence(self, token: int) -> int:
        """The index of the sentence of a token."""
        return bisect.bisect_right(self._sentence_starts, token) - 1

    @functools.cached_property
    def stems(self) -> list[str]:
        """The stem of each content word; empty for other tokens."""
        return content_stems(self.normalised)

    @functools.cached_property
    def stem_weights(self) -> Mapping[str, float]:
        """The inverse count of each stem."""
        return inverse_counts([word for word in self.stems if word])


# About 30 MB. The alternatives of an article follow each other, and many of them have the same passages and choices.
KEPT_PASSAGES, KEPT_CHOICES = 128, 1024
_tokens_of = functools.lru_cache(maxsize=KEPT_PASSAGES)(PassageTokens)


def read_passage(problem: ReadingProblem) -> PassageTokens:
    """The tokens of a problem's passage and their words."""
    return _tokens_of(problem.passage, problem.token_layout, problem.sentence_starts)


@dataclass(frozen=True)
class ProblemWords:
    """The normalised words of a problem. The blank is not a word of the question."""

    question: list[str]
    passage: PassageWords
    choices: list[list[str]]
    """The words of each choice's name."""


def problem_words(problem: ReadingProblem) -> ProblemWords:
    """The normalised words of a problem."""
    question = [token for index, token in enumerate(problem.question_tokens) if index != problem.blank]
    return ProblemWords(
        question=normalised(question),
        passage=read_passage(problem).words,
        choices=[normalised(choice.tokens) for choice in problem.choices],
    )


_VOWELS = frozenset("aeiouy")
_LEAST_STEM = 2
# The first suffix that fits is replaced.
_SUFFIXES = (
    ("'s", ""),
    ("’s", ""),
    ("ies", "y"),
    ("ied", "y"),
    *((f"{sound}es", sound) for sound in ("ss", "sh", "ch", "x")),
    ("ing", ""),
    ("ed", ""),
    ("s", ""),
)
_NO_PLURAL = ("ss", "us", "is")
_DOUBLED = frozenset("bdgmnprt")


def stem(word: str) -> str:
    """The stem of a word in lower case: "hopping", "hopped" and "hops" are "hop"; "hoping" and "hopes" are "hop" too.

    The stem keeps two letters and a vowel. A final "e" is removed.
    """
    for suffix, ending in _SUFFIXES:
        base = word[: -len(suffix)]
        if not word.endswith(suffix) or len(base) < _LEAST_STEM or not _VOWELS.intersection(base):
            continue
        if suffix == "s" and word.endswith(_NO_PLURAL):
            return word
        if suffix in ("ing", "ed") and base[-1] == base[-2] and base[-1] in _DOUBLED:
            base = base[:-1]
        return (base + ending).removesuffix("e")
    return word.removesuffix("e") if len(word) > _LEAST_STEM + 1 else word


@functools.lru_cache(maxsize=1 << 16)
def _content_stem(word: str) -> str:
    return stem(word) if word and word not in STOP_WORDS else ""


def content_stems(words: Iterable[str]) -> list[str]:
    """The stem of each word; empty for function words and for empty words."""
    return list(map(_content_stem, words))


MASCULINE = frozenset("he him his himself".split())
FEMININE = frozenset("she her hers herself".split())
MASCULINE_TITLES = word_list("masculine_titles")
FEMININE_TITLES = word_list("feminine_titles")
MASCULINE_NAMES = word_list("masculine_names")
FEMININE_NAMES = word_list("feminine_names")
