"""The event score: how likely two articles report the same event, by their shared words and their dates.

A logistic regression over three features, fitted to labelled pairs (``docs/explanation/event-score.md``). Synonyms and
roles are not recognised: two meetings of the same two ministers in one week look alike. ``adapters.event_scorers`` adds
vectors of words and sentences.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wdw_build.core.rounding import DECIMALS

Words = Sequence[str]

LEAD_SENTENCES = 3
# The first words of a long article show its subject, and reading only these words keeps the feature cheap.
START_WORDS = 400
# Intercept, asked, articles, days: fitted by scripts/fit_same_event.py.
WEIGHTS = (-1.69, 2.61, 7.53, -0.98)


@dataclass(frozen=True)
class Frequencies:
    """Document frequencies of the words in a corpus of ``articles`` articles. ``least`` is the minimum, also for unknown words."""

    articles: int
    counts: Mapping[str, int]
    least: int = 1

    def weight(self, word: str) -> float:
        """The inverse document frequency of a word, in BM25's form; never negative."""
        count = min(max(self.counts.get(word, 0), self.least), self.articles)
        return math.log(1 + (self.articles - count + 0.5) / (count + 0.5))


class TermVector(NamedTuple):
    """The tf-idf weights of the words of a text, and the length of the vector."""

    weights: Mapping[str, float]
    length: float


def term_vector(words: Iterable[str], weight: Callable[[str], float]) -> TermVector:
    """The tf-idf vector of a text with logarithmic counts; ``weight`` is a word's inverse document frequency."""
    # Most words occur once, and the logarithm of 1 is 0.
    weights = {
        word: weight(word) if count == 1 else (1 + math.log(count)) * weight(word)
        for word, count in Counter(words).items()
    }
    return TermVector(weights, math.sqrt(math.fsum(map(operator.mul, weights.values(), weights.values()))))


def similarity(one: TermVector, other: TermVector) -> float:
    """The cosine of two term vectors; 0 if either has no weight."""
    if len(one.weights) > len(other.weights):
        one, other = other, one
    lengths = one.length * other.length
    words = one.weights.keys() & other.weights.keys()
    # fsum is exact, so the result does not depend on the order of the words.
    shared = math.fsum([one.weights[word] * other.weights[word] for word in words])
    return min(1.0, shared / lengths) if lengths else 0.0


class ArticleLead(NamedTuple):
    """The words of an article's title and of its sentences."""

    title: Words
    sentences: Sequence[Words]

    @property
    def lead(self) -> list[str]:
        """The words of the title and the first sentences."""
        return [*self.title, *(word for sentence in self.sentences[:LEAD_SENTENCES] for word in sentence)]

    @property
    def start(self) -> list[str]:
        """The first ``START_WORDS`` words of title and text together."""
        words = itertools.chain(self.title, itertools.chain.from_iterable(self.sentences))
        return list(itertools.islice(words, START_WORDS))


class Features(NamedTuple):
    """The features of the score.

    ``asked``: cosine of the question and the candidate's lead. ``articles``: cosine of the starts of the two articles.
    ``days``: logarithm of 1 + the days between them, because the second day matters more than the tenth.
    """

    asked: float
    articles: float
    days: float


def features(question: TermVector, own_start: TermVector, lead: TermVector, start: TermVector, days: int) -> Features:
    """The features of a question (its sentence, the start of its article) and a candidate ``days`` days before or after."""
    asked, articles = similarity(question, lead), similarity(own_start, start)
    return Features(asked=asked, articles=articles, days=math.log1p(abs(days)))


def likelihood(weights: Sequence[float], values: Iterable[float]) -> float:
    """The value of a logistic regression, in [0, 1], rounded to ``DECIMALS``; the first weight is the intercept."""
    total = math.fsum([weights[0], *map(operator.mul, weights[1:], values)])
    return round(1 / (1 + math.exp(-total)), DECIMALS)


def score(values: Features) -> float:
    """The likelihood, in [0, 1], that the candidate reports the question's event."""
    return likelihood(WEIGHTS, values)
