"""The corpus's document frequencies as a file: written by ``index``, read by ``retrieve``.

The first line is ``articles, tab, least``; then one line for each word, ``word, tab, count``, the most frequent first. Only
the most frequent words are kept, so that neither the file nor the memory grows with the corpus; ``least`` is the count of
every word that is not in the file. Which words are kept depends on the order of the corpus alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from wdw_build.text.passages.same_event import Frequencies

FILE = "document_frequencies.tsv"
MOST_WORDS = 200_000


class FrequencyCounter:
    """Counts the articles that hold each word, for at most ``2 * most`` words at a time."""

    def __init__(self, most: int = MOST_WORDS) -> None:
        self._most, self._articles, self._least = most, 0, 1
        self._counts: Counter[str] = Counter()

    def add(self, words: Iterable[str]) -> None:
        """Count one article."""
        self._articles += 1
        self._counts.update(set(words))
        if len(self._counts) > 2 * self._most:
            self._cut()

    def _cut(self) -> None:
        """Keep the most frequent words; a dropped word is given the count of the least frequent kept word."""
        kept = sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))
        if len(kept) > self._most:
            self._least = max(self._least, kept[self._most - 1][1])
        self._counts = Counter(dict(kept[: self._most]))

    def result(self) -> Frequencies:
        """The counts, the most frequent word first."""
        self._cut()
        return Frequencies(articles=self._articles, counts=dict(self._counts), least=self._least)


def write_frequencies(folder: Path, frequencies: Frequencies) -> None:
    """Write the frequencies into ``folder``."""
    with (folder / FILE).open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{frequencies.articles}\t{frequencies.least}\n")
        stream.writelines(f"{word}\t{count}\n" for word, count in frequencies.counts.items())


def read_frequencies(folder: Path) -> Frequencies:
    """Read the frequencies of ``folder``."""
    with (folder / FILE).open(encoding="utf-8", newline="\n") as stream:
        articles, least = next(stream).split("\t")
        counts = {word: int(count) for word, count in (line.split("\t") for line in stream)}
    return Frequencies(articles=int(articles), counts=counts, least=int(least))
