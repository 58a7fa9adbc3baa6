"""How likely two articles tell of the same event: a score from their leads and their dates.

A logistic regression over three figures, fitted to pairs that a reader labelled; ``docs/same_event.md`` has the labels,
the figures that were measured and dropped, and what the score is worth. What is left out: synonyms, and who did what to
whom. Two meetings of the same two ministers in one week look alike here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

Words = Sequence[str]

LEAD_SENTENCES = 3
# Fitted by scripts/fit_same_event.py to data/labels/same_event.jsonl and same_event_reuters.jsonl together.
INTERCEPT = -0.50
LEADS_WEIGHT = 2.16
OPENING_WEIGHT = 4.34
DAYS_WEIGHT = -2.23


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


def cosine(one: Iterable[str], other: Iterable[str], frequencies: Frequencies) -> float:
    """The cosine of two texts' tf-idf vectors, with logarithmic counts; 0 if either has no weight."""
    first, second = _vector(one, frequencies), _vector(other, frequencies)
    lengths = _length(first) * _length(second)
    shared = math.fsum(value * second[word] for word, value in first.items() if word in second)
    return min(1.0, shared / lengths) if lengths else 0.0


def _vector(words: Iterable[str], frequencies: Frequencies) -> dict[str, float]:
    return {word: (1 + math.log(count)) * frequencies.weight(word) for word, count in Counter(words).items()}


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(math.fsum(value * value for value in vector.values()))


class Told(NamedTuple):
    """What the score needs of an article: the words of its title, and of each sentence."""

    title: Words
    sentences: Sequence[Words]

    @property
    def lead(self) -> list[str]:
        """The words of the title and the first sentences."""
        return [*self.title, *(word for sentence in self.sentences[:LEAD_SENTENCES] for word in sentence)]

    @property
    def opening(self) -> Words:
        """The words of the first sentence."""
        return self.sentences[0] if self.sentences else ()


class Features(NamedTuple):
    """What the score is made of. ``days`` is logarithmic: the second day says more than the tenth."""

    leads: float
    opening: float
    days: float


def features(question: Words, own: Told, candidate: Told, days: int, frequencies: Frequencies) -> Features:
    """The figures of one question (its sentence, its own article) and one candidate, ``days`` apart."""
    return Features(
        leads=cosine(own.lead, candidate.lead, frequencies),
        opening=coverage(candidate.opening, frozenset(question), frequencies),
        days=math.log1p(abs(days)),
    )


def score(found: Features) -> float:
    """The likelihood, in [0, 1], that the candidate tells of the question's event."""
    logit = INTERCEPT + LEADS_WEIGHT * found.leads + OPENING_WEIGHT * found.opening + DAYS_WEIGHT * found.days
    return 1 / (1 + math.exp(-logit))
