"""Articles that are too similar to a question: they fail a test of ``is_valid`` for any of the questions.

A sentence of the article has too many of its words in a question, or contains the run of words beside a question's blank.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from wdw_build.similarity.bags import UNKNOWN, Bags, Mask, Numbers, Places, Vocabulary, read_bags, write_bags
from wdw_build.similarity.joins import SentenceFinder
from wdw_build.text.passages.passage_text import Run
from wdw_build.text.tokens import ByChunk, words

_RUNS = "runs.json"
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Questions:
    """The questions as bags of words, and the runs of words beside the blanks as word numbers; both share a vocabulary."""

    def __init__(self) -> None:
        self.bags = Bags(Vocabulary())
        self.runs: set[tuple[int, ...]] = set()

    def add(self, sentence: Sequence[str], runs: Iterable[Run]) -> None:
        """Add the words of a question and the runs beside its blank."""
        self.bags.add(sentence)
        self.runs.update(tuple(self.bags.vocabulary.numbers(run)) for run in runs)

    def write(self, folder: Path) -> None:
        """Write the questions into a folder."""
        write_bags(folder, self.bags)
        (folder / _RUNS).write_bytes(msgspec.json.encode(sorted(self.runs)))

    @classmethod
    def read(cls, folder: Path) -> Questions:
        """The questions that were written into a folder."""
        questions = cls()
        questions.bags = read_bags(folder)
        questions.runs = set(msgspec.json.decode((folder / _RUNS).read_bytes(), type=list[tuple[int, ...]]))
        return questions


class SimilarArticles:
    """Finds the articles that are too similar to a question.

    ``max_overlap``: the share of a sentence's words that a question may contain, for sentences of at least ``min_words``.
    """

    def __init__(self, questions: Questions, max_overlap: float, min_words: int) -> None:
        vocabulary = questions.bags.vocabulary
        self._finder, self._min_words = SentenceFinder(max_overlap, questions.bags), min_words
        self._runs = _Runs(questions.runs)
        # The numbers of a chunk's words as bytes, because bytes are joined several times faster than lists.
        self._numbers: ByChunk[bytes] = ByChunk(lambda chunk: array("i", vocabulary.numbers(words(chunk))).tobytes())

    def matches(self, articles: Iterable[Sequence[Sequence[str]]]) -> list[bool]:
        """For each article, whether it is too similar. A sentence is given as its chunks between white space."""
        sentences, counts = list[bytes](), list[int]()
        for article in articles:
            sentences.extend([b"".join(map(self._numbers.__getitem__, chunks)) for chunks in article])
            counts.append(len(article))
        numbers = np.frombuffer(b"".join(sentences), dtype=np.int32)
        starts = np.concatenate([[0], np.cumsum([len(sentence) // 4 for sentence in sentences], dtype=np.int64)])
        is_similar = self._runs.matches(numbers, starts)
        bags = self._finder.sentences()
        bags.extend(numbers, starts)
        tested = np.flatnonzero((bags.sizes >= self._min_words) & ~is_similar)
        is_similar[tested[self._finder.matches(bags.selected(tested))]] = True
        similar = np.zeros(len(counts), dtype=np.bool_)
        similar[np.repeat(np.arange(len(counts)), counts)[is_similar]] = True
        return similar.tolist()


class _Runs:
    """Finds sentences that contain one of some runs of word numbers."""

    def __init__(self, runs: set[tuple[int, ...]]) -> None:
        self._runs = runs
        self._keys = {
            length: np.unique(_keys(np.array([run for run in runs if len(run) == length], dtype=np.int32).T))
            for length in sorted(set(map(len, runs)))
        }
        # The last place is that of UNKNOWN, which begins no run.
        self._begins = np.zeros(2 + max((run[0] for run in runs), default=0), dtype=np.bool_)
        self._begins[[run[0] for run in runs]] = True

    def matches(self, numbers: Numbers, starts: Places) -> Mask:
        """For each sentence, whether it contains a run."""
        contains = np.zeros(len(starts) - 1, dtype=np.bool_)
        begins = np.flatnonzero(self._begins[np.where(numbers < len(self._begins), numbers, UNKNOWN)])
        for length, keys in self._keys.items():
            places = begins[begins <= len(numbers) - length]
            places = places[np.isin(_keys([numbers[places + position] for position in range(length)]), keys)]
            sentences = np.searchsorted(starts, places, side="right") - 1
            for place, sentence in zip(places.tolist(), sentences.tolist(), strict=True):
                if (
                    place + length <= starts[sentence + 1]
                    and tuple(numbers[place : place + length].tolist()) in self._runs
                ):
                    contains[sentence] = True
        return contains


def _keys(columns: Iterable[Numbers]) -> npt.NDArray[np.uint64]:
    """A hash of each run, from its words by position; equal runs have equal keys."""
    keys = np.zeros(1, dtype=np.uint64)
    for column in columns:
        keys = (keys + column.astype(np.uint64)) * _MIX
    return keys
