"""Overlap of texts: bags of words, runs of words in order, n-grams shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

Run = tuple[str, ...]


def shared(one: Counter[str], other: Counter[str]) -> int:
    """Size of the multiset intersection."""
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    return sum(min(count, many[word]) for word, count in few.items() if word in many)


def similarity(one: Sequence[str], other: Sequence[str]) -> float:
    """Multiset intersection over the size of the smaller bag (dedup's measure); 0 if either is empty."""
    smaller = min(len(one), len(other))
    return shared(Counter(one), Counter(other)) / smaller if smaller else 0.0


def share_of(sentence: Sequence[str], question: Counter[str]) -> float:
    """The share of the sentence's words that stand in the question (``is_valid``, first test)."""
    return shared(Counter(sentence), question) / len(sentence) if sentence else 0.0


def holds_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether ``run`` stands in ``words``, in order and without a gap."""
    size, first = len(run), run[0]
    return any(
        word == first and tuple(words[at : at + size]) == tuple(run)
        for at, word in enumerate(words[: len(words) - size + 1])
    )


def side_runs(left: Sequence[str], right: Sequence[str], size: int, least: int) -> tuple[Run, Run]:
    """The ``size`` words left and right of a blank; fewer if there are fewer, empty under ``least``."""
    near_left = tuple(left[-size:]) if size else ()
    near_right = tuple(right[:size])
    return (
        near_left if len(near_left) >= least else (),
        near_right if len(near_right) >= least else (),
    )


def runs(words: Sequence[str], size: int) -> Iterator[Run]:
    """Every n-gram, in order, repetitions too."""
    return zip(*(words[at:] for at in range(size)), strict=False)


def ngrams(words: Sequence[str], size: int) -> set[Run]:
    """The set of n-grams."""
    return set(runs(words, size))


def reprint_share(one: Set[Run], other: Set[Run]) -> float:
    """The share of the smaller set of n-grams that stands in the other; 0 if either is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0
