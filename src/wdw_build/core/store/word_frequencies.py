"""The corpus's document frequencies as a file: written by ``index``, read by ``retrieve``.

The first line is ``articles, tab, least``; then one line for each word, ``word, tab, count``, the most frequent first. Only
the most frequent words are kept, so that neither the file nor the memory of a reader grows with the corpus; ``least`` is the
count of every word that is not in the file.

Each shard of the corpus has a file of its own with all its words in order. Joining adds the counts while it merges these
files, and only then selects the most frequent words: the result does not depend on the shards.
"""

from __future__ import annotations

import heapq
import itertools
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from wdw_build.text.passages.same_event import Frequencies

FILE = "document_frequencies.tsv"
MOST_WORDS = 200_000
_SHARD_FILE = "shard_words.tsv"
# Files that are open at a time: a process may open about a thousand.
_MERGED = 256

WordCount = tuple[str, int]


class FrequencyCounter:
    """Counts the articles that hold each word."""

    def __init__(self) -> None:
        self.articles = 0
        self._counts: Counter[str] = Counter()

    def add(self, words: Iterable[str]) -> None:
        """Count one article."""
        self.articles += 1
        self._counts.update(set(words))

    def sorted_counts(self) -> list[WordCount]:
        """Every word with its count, in the order of the words."""
        return sorted(self._counts.items())

    def result(self, most: int = MOST_WORDS) -> Frequencies:
        """The counts, the most frequent word first."""
        return _most_frequent(self.articles, self._counts.items(), most)


def _most_frequent(articles: int, counts: Iterable[WordCount], most: int) -> Frequencies:
    """The frequencies of the ``most`` most frequent words; a dropped word has the count of the least frequent kept word."""
    kept = heapq.nsmallest(most + 1, counts, key=lambda item: (-item[1], item[0]))
    least = kept[most - 1][1] if len(kept) > most else 1
    return Frequencies(articles=articles, counts=dict(kept[:most]), least=least)


def write_shard(folder: Path, counter: FrequencyCounter) -> None:
    """Write all counts of a shard into ``folder``."""
    _write_counts(folder / _SHARD_FILE, counter.articles, counter.sorted_counts())


def join_shards(folders: Sequence[Path], scratch: Path, most: int = MOST_WORDS) -> Frequencies:
    """The frequencies of all shards together. ``scratch`` is a folder for temporary files."""
    paths = [folder / _SHARD_FILE for folder in folders]
    for level in itertools.count():
        if len(paths) <= _MERGED:
            break
        groups = [paths[start : start + _MERGED] for start in range(0, len(paths), _MERGED)]
        paths = [_merge_into(scratch / f"words-{level}-{number}.tsv", group) for number, group in enumerate(groups)]
    with ExitStack() as stack:
        return _most_frequent(*_merged(paths, stack), most)


def _merge_into(path: Path, paths: Sequence[Path]) -> Path:
    with ExitStack() as stack:
        _write_counts(path, *_merged(paths, stack))
    return path


def _merged(paths: Sequence[Path], stack: ExitStack) -> tuple[int, Iterator[WordCount]]:
    """The number of articles of several files together, and their words with the sums of the counts."""
    streams = [stack.enter_context(path.open(encoding="utf-8", newline="\n")) for path in paths]
    articles = sum(int(next(stream)) for stream in streams)
    words = itertools.groupby(heapq.merge(*map(_counts, streams)), key=operator.itemgetter(0))
    return articles, ((word, sum(count for _, count in same)) for word, same in words)


def _write_counts(path: Path, articles: int, counts: Iterable[WordCount]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{articles}\n")
        stream.writelines(f"{word}\t{count}\n" for word, count in counts)


def _counts(lines: Iterable[str]) -> Iterator[WordCount]:
    for line in lines:
        word, _, count = line.partition("\t")
        yield word, int(count)


def write_frequencies(folder: Path, frequencies: Frequencies) -> None:
    """Write the frequencies into ``folder``."""
    with (folder / FILE).open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{frequencies.articles}\t{frequencies.least}\n")
        stream.writelines(f"{word}\t{count}\n" for word, count in frequencies.counts.items())


def read_frequencies(folder: Path) -> Frequencies:
    """Read the frequencies of ``folder``."""
    with (folder / FILE).open(encoding="utf-8", newline="\n") as stream:
        articles, least = next(stream).split("\t")
        return Frequencies(articles=int(articles), counts=dict(_counts(stream)), least=int(least))
