"""How likely two articles tell of the same event: a score from the words that they share and their dates.

A logistic regression over three figures, fitted to pairs that readers labelled; ``docs/explanation/event-score.md`` has the labels,
the figures that were measured and dropped, and what the score is worth. Synonyms do not count, nor who did what to
whom: two meetings of the same two ministers in one week look alike here. The scorers of ``adapters.events`` add
vectors of words and of sentences.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

Words = Sequence[str]

LEAD_SENTENCES = 3
# Long articles wander: their first words say what they are about, and reading no more keeps the figure cheap.
START_WORDS = 400
# Intercept, asked, articles, days: fitted by scripts/fit_same_event.py.
WEIGHTS = (-1.69, 2.61, 7.53, -0.98)


@dataclass(frozen=True)
class Frequencies:
    """In how many of the corpus's articles each word stands. No word counts for fewer than ``least``, listed or not."""

    articles: int
    counts: Mapping[str, int]
    least: int = 1

    def weight(self, word: str) -> float:
        """The word's inverse document frequency, as BM25 has it: the rarer, the heavier; never negative."""
        count = min(max(self.counts.get(word, 0), self.least), self.articles)
        return math.log(1 + (self.articles - count + 0.5) / (count + 0.5))

    def total(self, words: Iterable[str]) -> float:
        """The weights of the distinct words, added up exactly: a set's order does not show in the last digit."""
        return math.fsum(self.weight(word) for word in set(words))


def coverage(words: Iterable[str], within: Set[str], frequencies: Frequencies) -> float:
    """The share of the words' weight that stands in ``within``; repetitions do not count, no words are not covered."""
    wanted = set(words)
    whole = frequencies.total(wanted)
    return frequencies.total(wanted & within) / whole if whole else 0.0


class TermVector(NamedTuple):
    """The tf-idf weights of a text's words, and the vector's length."""

    weights: Mapping[str, float]
    length: float


def term_vector(words: Iterable[str], weight: Callable[[str], float]) -> TermVector:
    """The tf-idf vector of a text with logarithmic counts; ``weight`` is a word's inverse document frequency."""
    weights = {word: (1 + math.log(count)) * weight(word) for word, count in Counter(words).items()}
    return TermVector(weights, math.sqrt(math.fsum(value * value for value in weights.values())))


def similarity(one: TermVector, other: TermVector) -> float:
    """The cosine of two term vectors; 0 if either has no weight."""
    if len(one.weights) > len(other.weights):
        one, other = other, one
    lengths = one.length * other.length
    # fsum is exact: the order of the words does not show in the last digit.
    shared = math.fsum(value * other.weights[word] for word, value in one.weights.items() if word in other.weights)
    return min(1.0, shared / lengths) if lengths else 0.0


def cosine(one: Iterable[str], other: Iterable[str], frequencies: Frequencies) -> float:
    """The cosine of two texts' tf-idf vectors; 0 if either has no weight."""
    return similarity(term_vector(one, frequencies.weight), term_vector(other, frequencies.weight))


class ArticleLead(NamedTuple):
    """What the figures read of an article: the words of its title, and of each sentence."""

    title: Words
    sentences: Sequence[Words]

    @property
    def lead(self) -> list[str]:
        """The words of the title and the first sentences."""
        return [*self.title, *(word for sentence in self.sentences[:LEAD_SENTENCES] for word in sentence)]

    @property
    def start(self) -> list[str]:
        """The first words of title and text together."""
        every = itertools.chain(self.title, itertools.chain.from_iterable(self.sentences))
        return list(itertools.islice(every, START_WORDS))


class Features(NamedTuple):
    """The figures of the score.

    ``asked``: cosine of the question and the candidate's lead; ``articles``: cosine of the starts of the two articles;
    ``days``: logarithm of 1 + the days between them, since the second day says more than the tenth.
    """

    asked: float
    articles: float
    days: float


def features(question: TermVector, own_start: TermVector, lead: TermVector, start: TermVector, days: int) -> Features:
    """The figures of one question (its sentence, the start of its own article) and one candidate, ``days`` apart."""
    return Features(asked=similarity(question, lead), articles=similarity(own_start, start), days=log_days(days))


def log_days(days: int) -> float:
    """The figure of a distance of so many days, before or after."""
    return math.log1p(abs(days))


def likelihood(weights: Sequence[float], figures: Iterable[float]) -> float:
    """The value, in [0, 1], of a logistic regression; the first weight is the intercept."""
    return 1 / (1 + math.exp(-math.fsum([weights[0], *map(operator.mul, weights[1:], figures)])))


def score(found: Features) -> float:
    """The likelihood, in [0, 1], that the candidate tells of the question's event."""
    return likelihood(WEIGHTS, found)
