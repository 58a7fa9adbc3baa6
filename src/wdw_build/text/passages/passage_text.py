"""An article in the forms that the tests of a candidate passage read, and the overlap of texts in words and n-grams."""

from __future__ import annotations

import bisect
import functools
import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from wdw_build.records import Article
from wdw_build.text.passages import article_filters
from wdw_build.text.settings import RetrieveConfig
from wdw_build.text.tokens import plain_words, search_words, words

NGRAM = 8
_CACHED_WORDS = 1 << 16
Run = tuple[str, ...]


class PassageText:
    """An article in the forms that the tests read, each computed on first use, because most candidates fail the first test."""

    def __init__(self, article: Article, options: RetrieveConfig, split: Callable[[str], Sequence[str]]) -> None:
        """``split`` gives the sentences of a text."""
        self.article, self._options, self._split = article, options, split

    @functools.cached_property
    def filtered(self) -> tuple[str, str]:
        """The article filter that refuses the article for every question, and its evidence; or two empty strings."""
        return article_filters.refusal(self.article, self._options)

    @functools.cached_property
    def raw_sentences(self) -> tuple[str, ...]:
        """The sentences of the article."""
        return tuple(self._split(self.article.text))

    @functools.cached_property
    def words(self) -> tuple[str, ...]:
        """The words of all sentences, in order."""
        return self._sentence_words[0]

    @functools.cached_property
    def bounds(self) -> tuple[int, ...]:
        """Where each sentence begins in ``words``, and the number of words."""
        return self._sentence_words[1]

    @functools.cached_property
    def _sentence_words(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        in_order: list[str] = []
        bounds = [0]
        for sentence in self.raw_sentences:
            in_order += words(sentence)
            bounds.append(len(in_order))
        # Interned, because the articles in memory share most words.
        return tuple(map(sys.intern, in_order)), tuple(bounds)

    @functools.cached_property
    def hashes(self) -> bytes:
        """The ``word_hashes`` of the article. Words without their hashes in common need not be compared."""
        return word_hashes(self.words)

    @functools.cached_property
    def _compared(self) -> list[tuple[int, int, int, float]]:
        """The sentences that are long enough to compare: number, start and end in ``words``, most words that may be shared."""
        least, most = least_words(self._options), self._options.max_sentence_overlap
        bounds = enumerate(itertools.pairwise(self.bounds))
        return [(number, start, end, most * (end - start)) for number, (start, end) in bounds if end - start >= least]

    def sentences_with_marked(self, marks: bytes) -> Iterator[int]:
        """The sentences that are compared and of which too many words have a marked hash to rule out an overlap, in order.

        ``marks``: (256,) 1 for each marked hash, else 0.
        """
        marked = self.hashes.translate(marks)
        return (number for number, start, end, limit in self._compared if marked.count(1, start, end) > limit)

    @property
    def sentences(self) -> Iterator[tuple[str, ...]]:
        """The words of each sentence."""
        return (self.words[start:end] for start, end in itertools.pairwise(self.bounds))

    @functools.cached_property
    def capitalised_words(self) -> frozenset[str]:
        """The search words of names that the text may contain."""
        return capitalised_words(self.article.text)

    def grams(self) -> set[Run]:
        """The set of the 8-grams; not cached, because this set takes more memory than all other forms."""
        return ngrams(self.words, NGRAM)

    @functools.cached_property
    def _gram_count(self) -> int:
        return len(self.grams())

    def reprint_share(self, other: set[Run]) -> float:
        """The share of 8-grams in common with another article's ``other``, of the smaller of the two sets; 0 if either is empty."""
        common = len(other.intersection(runs(self.words, NGRAM)))
        return common / min(self._gram_count, len(other)) if common else 0.0

    def sentence_with(self, run: Run, hashes: bytes, stop: int) -> int:
        """The first of the first ``stop`` sentences that has these consecutive words; ``stop`` if there is none.

        ``hashes``: the ``word_hashes`` of the run. Only places with these hashes are compared with the run.
        """
        end, start = self.bounds[stop], -1
        while (start := self.hashes.find(hashes, start + 1, end)) >= 0:
            after = start + len(run)
            if self.words[start:after] == run:
                sentence = bisect.bisect_right(self.bounds, start) - 1
                if after <= self.bounds[sentence + 1]:
                    return sentence
        return stop


def word_hashes(words: Iterable[str]) -> bytes:
    """The hash of each word, below 256. It differs between processes, and different words may have the same hash."""
    return bytes(hash(word) & 0xFF for word in words)


@functools.lru_cache(_CACHED_WORDS)
def _name_words(chunk: str) -> tuple[str, ...]:
    """The search words of names that a chunk between white space may contain: smithjones, smith, jones for "Smith-Jones's"."""
    parts = plain_words(chunk).split()
    # Names are written with a capital: "bush" is not a person of the question.
    return tuple(part.casefold() for part in {"".join(parts), *parts} if part and not part.islower())


def capitalised_words(text: str) -> frozenset[str]:
    """The search words of names that a text may contain: all words with a capital, and words that hyphens separate as one."""
    return frozenset(word for chunk in set(text.split()) if not chunk.islower() for word in _name_words(chunk))


def spellings(word: str) -> frozenset[frozenset[str]]:
    """Sets of search words for a word of a name: a text contains the word if its ``capitalised_words`` contain one of the sets.

    "Ki-moon" may be written as one word or as two: {kimoon} or {ki, moon}.
    """
    parts = search_words(word).split()
    return frozenset({frozenset({"".join(parts)}), frozenset(parts)}) if parts else frozenset()


def shared(counts: Counter[str], other: Counter[str]) -> int:
    """The size of the multiset intersection."""
    small, large = (counts, other) if len(counts) <= len(other) else (other, counts)
    return sum(min(count, large[word]) for word, count in small.items() if word in large)


def similarity(words: Sequence[str], other: Sequence[str]) -> float:
    """The multiset intersection over the size of the smaller text (the measure of ``dedup``); 0 if either text is empty."""
    smaller = min(len(words), len(other))
    return shared(Counter(words), Counter(other)) / smaller if smaller else 0.0


def share_of(sentence: Sequence[str], question: Counter[str]) -> float:
    """The share of the sentence's words that the question also has (first test of ``is_valid``); 0 for no words."""
    return shared(Counter(sentence), question) / len(sentence) if sentence else 0.0


def holds_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether ``words`` holds ``run`` as consecutive words."""
    size, first = len(run), run[0]
    return any(
        word == first and tuple(words[start : start + size]) == tuple(run)
        for start, word in enumerate(words[: len(words) - size + 1])
    )


# The paper's five words beside the blank (section 2, ``is_valid``). One or two words of a short side occur in many passages.
_SIDE, _SHORTEST_SIDE = 5, 3


def side_runs(left: Sequence[str], right: Sequence[str]) -> tuple[Run, Run]:
    """The last five words left of a blank and the first five right of it, or all if there are only three or four.

    A side with fewer words is empty.
    """
    sides = tuple(left[-_SIDE:]), tuple(right[:_SIDE])
    near_left, near_right = (side if len(side) >= _SHORTEST_SIDE else () for side in sides)
    return near_left, near_right


# Sentences with fewer words share most of them with any question.
_SHORT = 5


def least_words(options: RetrieveConfig) -> int:
    """The fewest words of a sentence that ``max_sentence_overlap`` tests."""
    return _SHORT if options.ignore_short_sentences else 1


def runs(words: Sequence[str], size: int) -> Iterator[Run]:
    """Every n-gram in order, with repetitions."""
    return zip(*(words[start:] for start in range(size)), strict=False)


def ngrams(words: Sequence[str], size: int) -> set[Run]:
    """The set of the n-grams."""
    return set(runs(words, size))
