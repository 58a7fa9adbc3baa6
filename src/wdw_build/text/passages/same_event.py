"""The event score: how likely two articles report the same event, by their shared words and their dates.

A logistic regression over three features, fitted to labelled pairs (``docs/explanation/event-score.md``). Synonyms and
roles are not recognised: two meetings of the same two ministers in one week look alike. ``adapters.event_scorers`` adds
vectors of words and sentences.

The corpus's document frequencies, which weigh the words, are a file: written by ``index``, read by ``retrieve``. The first line
is ``articles, tab, least``; then one line for each word, ``word, tab, count``, the most frequent first. Only the most frequent
words are kept, so that neither the file nor the memory of a reader grows with the corpus; ``least`` is the count of every word
that is not in the file. Each shard of the corpus has a file of its own with all its words (``text.counts``). Joining adds the
counts, and only then selects the most frequent words: the result does not depend on the shards.
"""

from __future__ import annotations

import heapq
import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from wdw_build.core.rounding import DECIMALS
from wdw_build.text.counts import read_counts, summed_counts, write_counts

Words = Sequence[str]

LEAD_SENTENCES = 3
# The first words of a long article show its subject, and reading only these words keeps the feature cheap.
START_WORDS = 400
# Intercept, asked, articles, days: fitted by scripts/fit_same_event.py.
WEIGHTS = (-1.69, 2.61, 7.53, -0.98)

FREQUENCIES_FILE = "document_frequencies.tsv"
MOST_WORDS = 200_000
_SHARD_FILE = "shard_words.tsv"
# The key of the number of articles in the file of a shard. It is before all words.
_ARTICLES = ""


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


def similarity(vector: TermVector, other: TermVector) -> float:
    """The cosine of two term vectors; 0 if either has no weight."""
    if len(vector.weights) > len(other.weights):
        vector, other = other, vector
    lengths = vector.length * other.length
    words = vector.weights.keys() & other.weights.keys()
    # fsum is exact, so the result does not depend on the order of the words.
    shared = math.fsum([vector.weights[word] * other.weights[word] for word in words])
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


class FrequencyCounter:
    """Counts the articles that hold each word."""

    def __init__(self) -> None:
        self.articles = 0
        self.counts: Counter[str] = Counter()

    def add(self, words: Iterable[str]) -> None:
        """Count one article."""
        self.articles += 1
        self.counts.update(set(words))


def write_shard(folder: Path, counter: FrequencyCounter) -> None:
    """Write all counts of a shard into ``folder``."""
    write_counts(folder / _SHARD_FILE, {_ARTICLES: counter.articles, **counter.counts})


def join_shards(folders: Sequence[Path], scratch: Path, most: int = MOST_WORDS) -> Frequencies:
    """The frequencies of the ``most`` most frequent words of all shards, the most frequent word first.

    A dropped word has the count of the least frequent kept word. ``scratch`` is a folder for temporary files.
    """
    counts = summed_counts([folder / _SHARD_FILE for folder in folders], scratch)
    _, articles = next(counts)
    frequent = heapq.nsmallest(most + 1, counts, key=lambda word_count: (-word_count[1], word_count[0]))
    least = frequent[most - 1][1] if len(frequent) > most else 1
    return Frequencies(articles=articles, counts=dict(frequent[:most]), least=least)


def write_frequencies(folder: Path, frequencies: Frequencies) -> None:
    """Write the frequencies into ``folder``."""
    with (folder / FREQUENCIES_FILE).open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{frequencies.articles}\t{frequencies.least}\n")
        stream.writelines(f"{word}\t{count}\n" for word, count in frequencies.counts.items())


def read_frequencies(folder: Path) -> Frequencies:
    """Read the frequencies of ``folder``."""
    with (folder / FREQUENCIES_FILE).open(encoding="utf-8", newline="\n") as stream:
        articles, least = next(stream).split("\t")
        return Frequencies(articles=int(articles), counts=dict(read_counts(stream)), least=int(least))
