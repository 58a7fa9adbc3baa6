"""The corpus's document frequencies as a file: written by ``index``, read by ``retrieve``.

The first line is ``articles, tab, least``; then one line for each word, ``word, tab, count``, the most frequent first. Only
the most frequent words are kept, so that neither the file nor the memory of a reader grows with the corpus; ``least`` is the
count of every word that is not in the file.

Each shard of the corpus has a file of its own with all its words (``sorted_counts``). Joining adds the counts, and only then
selects the most frequent words: the result does not depend on the shards.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from wdw_build.text.passages.same_event import Frequencies
from wdw_build.text.sorted_counts import read_counts, summed_counts, write_counts

FILE = "document_frequencies.tsv"
MOST_WORDS = 200_000
_SHARD_FILE = "shard_words.tsv"
# The key of the number of articles in the file of a shard. It is before all words.
_ARTICLES = ""

WordCount = tuple[str, int]


class FrequencyCounter:
    """Counts the articles that hold each word."""

    def __init__(self) -> None:
        self.articles = 0
        self.counts: Counter[str] = Counter()

    def add(self, words: Iterable[str]) -> None:
        """Count one article."""
        self.articles += 1
        self.counts.update(set(words))

    def result(self, most: int = MOST_WORDS) -> Frequencies:
        """The counts, the most frequent word first."""
        return _most_frequent(self.articles, self.counts.items(), most)


def _most_frequent(articles: int, counts: Iterable[WordCount], most: int) -> Frequencies:
    """The frequencies of the ``most`` most frequent words; a dropped word has the count of the least frequent kept word."""
    kept = heapq.nsmallest(most + 1, counts, key=lambda item: (-item[1], item[0]))
    least = kept[most - 1][1] if len(kept) > most else 1
    return Frequencies(articles=articles, counts=dict(kept[:most]), least=least)


def write_shard(folder: Path, counter: FrequencyCounter) -> None:
    """Write all counts of a shard into ``folder``."""
    write_counts(folder / _SHARD_FILE, {_ARTICLES: counter.articles, **counter.counts})


def join_shards(folders: Sequence[Path], scratch: Path, most: int = MOST_WORDS) -> Frequencies:
    """The frequencies of all shards together. ``scratch`` is a folder for temporary files."""
    counts = summed_counts([folder / _SHARD_FILE for folder in folders], scratch)
    _, articles = next(counts)
    return _most_frequent(articles, counts, most)


def write_frequencies(folder: Path, frequencies: Frequencies) -> None:
    """Write the frequencies into ``folder``."""
    with (folder / FILE).open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{frequencies.articles}\t{frequencies.least}\n")
        stream.writelines(f"{word}\t{count}\n" for word, count in frequencies.counts.items())


def read_frequencies(folder: Path) -> Frequencies:
    """Read the frequencies of ``folder``."""
    with (folder / FILE).open(encoding="utf-8", newline="\n") as stream:
        articles, least = next(stream).split("\t")
        return Frequencies(articles=int(articles), counts=dict(read_counts(stream)), least=int(least))
