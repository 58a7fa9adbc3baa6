"""Exact similarity joins over bags of words, by prefix filtering: nothing is missed, and few pairs are looked at.

A bag becomes a set by numbering repeated words ("the" 1, "the" 2). With words ordered from rare to common, two bags
that share enough must share a word among the first few of the one whose size counts (Chaudhuri et al. 2006, Bayardo
et al. 2007, for containment in the smaller side); only those pairs are compared in full.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

Element = tuple[str, int]
# Guards ceil() and floor() against products such as 0.8 * 5 that are not exact in binary.
_EPSILON = 1e-9


def elements(words: Iterable[str]) -> list[Element]:
    """A bag of words as a set: each word with the number of its repetition."""
    seen: Counter[str] = Counter()
    found = []
    for word in words:
        seen[word] += 1
        found.append((word, seen[word]))
    return found


def frequencies(bags: Iterable[Sequence[str]]) -> Counter[Element]:
    """In how many bags each element stands."""
    counts: Counter[Element] = Counter()
    for bag in bags:
        counts.update(elements(bag))
    return counts


class DuplicateFinder:
    """Kept bags, and which of them a new one is too similar to (intersection over the smaller bag >= threshold)."""

    def __init__(self, threshold: float, counts: Counter[Element]) -> None:
        self._threshold, self._counts = threshold, counts
        self._kept: list[tuple[str, frozenset[Element]]] = []
        self._by_element: defaultdict[Element, list[int]] = defaultdict(list)
        self._by_prefix: defaultdict[Element, list[int]] = defaultdict(list)

    def _ordered(self, words: Sequence[str]) -> list[Element]:
        return sorted(elements(words), key=lambda element: (self._counts[element], element))

    def _prefix(self, size: int) -> int:
        return size - math.ceil(self._threshold * size - _EPSILON) + 1

    def find(self, words: Sequence[str]) -> str | None:
        """The first kept id (in order of keeping) that these words are a duplicate of, or None."""
        ordered = self._ordered(words)
        if not ordered:
            return None
        candidates: set[int] = set()
        # If the new bag is the smaller: one of its rare elements stands anywhere in the kept one.
        for element in ordered[: self._prefix(len(ordered))]:
            candidates.update(self._by_element.get(element, ()))
        # If the kept bag is the smaller: one of its rare elements stands anywhere in the new one.
        for element in ordered:
            candidates.update(self._by_prefix.get(element, ()))
        new = frozenset(ordered)
        for number in sorted(candidates):
            kept_id, kept = self._kept[number]
            if len(new & kept) >= self._threshold * min(len(new), len(kept)) - _EPSILON:
                return kept_id
        return None

    def keep(self, record_id: str, words: Sequence[str]) -> None:
        """Keep a bag."""
        ordered = self._ordered(words)
        number = len(self._kept)
        self._kept.append((record_id, frozenset(ordered)))
        for element in ordered:
            self._by_element[element].append(number)
        for element in ordered[: self._prefix(len(ordered))] if ordered else ():
            self._by_prefix[element].append(number)


class SentenceFinder:
    """Which sentences share more than a share of their own words with any of a fixed set of bags."""

    def __init__(self, share: float, bags: Iterable[Sequence[str]]) -> None:
        self._share = share
        self._bags = [frozenset(elements(bag)) for bag in bags]
        self._postings: defaultdict[Element, list[int]] = defaultdict(list)
        for number, bag in enumerate(self._bags):
            for element in bag:
                self._postings[element].append(number)

    def matches(self, sentence: Sequence[str]) -> bool:
        """Whether some bag holds more than ``share`` of the sentence's words."""
        every = elements(sentence)
        # More than share * n must be found; so of any n - floor(share * n) elements one is.
        prefix = len(every) - math.floor(self._share * len(every) + _EPSILON)
        known = [element for element in every if element in self._postings]
        absent = len(every) - len(known)
        if absent >= prefix or not known:
            return False
        known.sort(key=lambda element: len(self._postings[element]))
        candidates = {number for element in known[: prefix - absent] for number in self._postings[element]}
        whole = frozenset(known)
        return any(len(whole & self._bags[number]) > self._share * len(every) + _EPSILON for number in candidates)
