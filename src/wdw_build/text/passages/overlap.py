"""Overlap of texts: multisets of words, runs of consecutive words, shared n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

Run = tuple[str, ...]


def shared(one: Counter[str], other: Counter[str]) -> int:
    """The size of the multiset intersection."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return sum(min(count, large[word]) for word, count in small.items() if word in large)


def similarity(one: Sequence[str], other: Sequence[str]) -> float:
    """The multiset intersection over the size of the smaller text (the measure of ``dedup``); 0 if either text is empty."""
    smaller = min(len(one), len(other))
    return shared(Counter(one), Counter(other)) / smaller if smaller else 0.0


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


def side_runs(left: Sequence[str], right: Sequence[str], size: int, least: int) -> tuple[Run, Run]:
    """The last ``size`` words left of a blank and the first right of it; a side with fewer than ``least`` words is empty."""
    near_left = tuple(left[-size:]) if size else ()
    near_right = tuple(right[:size])
    return (
        near_left if len(near_left) >= least else (),
        near_right if len(near_right) >= least else (),
    )


def runs(words: Sequence[str], size: int) -> Iterator[Run]:
    """Every n-gram in order, with repetitions."""
    return zip(*(words[start:] for start in range(size)), strict=False)


def ngrams(words: Sequence[str], size: int) -> set[Run]:
    """The set of the n-grams."""
    return set(runs(words, size))


def reprint_share(one: Set[Run], other: Set[Run]) -> float:
    """The share of the smaller set of n-grams that the other set contains; 0 if either set is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0
