"""Exact similarity joins for the stages: near-duplicate questions, sentences that overlap with a question, and such articles.

An article is too similar to a question if it fails a test of ``is_valid``: a sentence has too many of its words in the question,
or contains the run of words beside the question's blank.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from wdw_build.similarity.bags import UNKNOWN, Bags, Mask, Numbers, Places, Vocabulary, read_bags, write_bags
from wdw_build.similarity.overlaps import PostingBlock, Sorted, by_rarity, pairs, sort
from wdw_build.text.passages.passage_text import Run
from wdw_build.text.tokens import ByChunk, words

# For ceil() and floor() of products such as 0.8 * 5, which are not exact in binary.
_EPSILON = 1e-9
# Bags in one partition of a join, about. Groups of so many fit into the caches of a processor.
_BAGS_IN_PART = 1 << 15
_PAIRS = "pairs.npy"

# The first and the second bags of pairs.
Pairs = tuple[Numbers, Numbers]
_RUNS = "runs.json"
_MIX = np.uint64(0x9E3779B97F4A7C15)


def partitions(bags: int) -> int:
    """The number of partitions of a join of so many bags with themselves."""
    return max(1, -(-bags // _BAGS_IN_PART))


def similar_pairs(bags: Sorted, threshold: float, part: PostingBlock) -> Pairs:
    """The pairs of bags of a partition that share at least ``threshold`` of the words of the smaller bag; pairs may repeat."""
    needed = np.maximum(1, np.ceil(threshold * bags.lengths - _EPSILON)).astype(np.int64)
    similar = list[Pairs]()
    for small, large in pairs(bags, needed, bags, part):
        is_similar = (small != large) & (bags.lengths[small] <= bags.lengths[large])
        similar.append((small[is_similar], large[is_similar]))
    return joined(similar)


def joined(sources: Iterable[tuple[Numbers, Numbers]]) -> Pairs:
    """Pairs from several sources in one."""
    firsts, seconds = list[Numbers](), list[Numbers]()
    for first, second in sources:
        firsts.append(first)
        seconds.append(second)
    empty = np.zeros(0, dtype=np.int32)
    return np.concatenate([empty, *firsts]), np.concatenate([empty, *seconds])


def write_pairs(folder: Path, bag_pairs: Pairs) -> None:
    """Write the pairs of a partition into a folder."""
    np.save(folder / _PAIRS, np.stack(bag_pairs))


def read_pairs(folders: Iterable[Path]) -> Pairs:
    """The pairs of all partitions."""
    return joined(tuple(np.load(folder / _PAIRS)) for folder in folders)


def greedy(bag_pairs: Pairs, order: Sequence[int]) -> dict[int, int]:
    """Maps each removed bag to the first kept bag that it is similar to, given all pairs of similar bags.

    The bags are visited in ``order``. A bag is removed if it is similar to a bag kept before.
    """
    positions = np.empty(len(order), dtype=np.int64)
    positions[np.asarray(order, dtype=np.int64)] = np.arange(len(order))
    first, second = (positions[side] for side in bag_pairs)
    pair_numbers = np.unique(np.maximum(first, second) * len(order) + np.minimum(first, second))
    removed: dict[int, int] = {}
    for later, earlier in zip(*(part.tolist() for part in np.divmod(pair_numbers, max(1, len(order)))), strict=True):
        if later not in removed and earlier not in removed:
            removed[later] = earlier
    return {order[later]: order[earlier] for later, earlier in removed.items()}


class SentenceFinder:
    """Finds sentences that share more than ``share`` of their words with any bag of a fixed collection."""

    def __init__(self, share: float, fixed: Bags) -> None:
        self._share, self._vocabulary = share, fixed.vocabulary
        self._vocabulary.learns = False
        self._ranks = by_rarity(fixed)
        self._fixed = sort(fixed, self._ranks)

    def sentences(self) -> Bags:
        """An empty collection for the sentences to test."""
        return Bags(self._vocabulary)

    def matches(self, sentences: Bags) -> Mask:
        """For each sentence, whether any bag of the fixed collection contains more than ``share`` of its words."""
        is_match = np.zeros(len(sentences), dtype=np.bool_)
        for matching, _ in self._batches(sentences):
            is_match[matching] = True
        return is_match

    def pairs(self, sentences: Bags) -> list[tuple[int, int]]:
        """Every (sentence, bag of the fixed collection) where the bag contains more than ``share`` of the sentence's words."""
        return sorted(
            {
                pair
                for batch in self._batches(sentences)
                for pair in zip(*(side.tolist() for side in batch), strict=True)
            }
        )

    def _batches(self, sentences: Bags) -> Iterator[tuple[Numbers, Numbers]]:
        needed: Places = np.floor(self._share * sentences.sizes + _EPSILON).astype(np.int64) + 1
        # Few sentences of a corpus have enough words of the collection at all.
        chosen = np.flatnonzero(sentences.known >= needed)
        ordered = sort(sentences.selected(chosen), self._ranks)
        for numbers, bags in pairs(ordered, needed[chosen], self._fixed):
            yield chosen[numbers].astype(np.int32), bags


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
