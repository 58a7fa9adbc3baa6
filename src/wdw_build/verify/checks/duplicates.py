"""Near-duplicate questions: no two kept ones, and every dropped one rightly dropped.

Similarity is the multiset intersection over the size of the smaller bag. It is computed in whole numbers, so that a pair
exactly at the threshold counts. Below two thousand questions every pair is compared. From there on an index is used: if
two bags reach the threshold t, and the smaller has n words, they share at least t*n of them, hence k of any
n - t*n + k of them. Only the bags that hold k of the smaller's rarest n - t*n + k words are compared. A repeated word
is a word of its own.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations

from wdw_build.records import Problem
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Book
from wdw_build.verify.words import words

_EVERY_PAIR_BELOW = 2000
# The k of the text above: more of them mean longer lists to go through, and fewer bags to compare.
_SHARED_RARE = 3
Bag = frozenset[int]


class Bags:
    """Bags of words as sets of numbers: the same word's second time has a number of its own."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}

    def bag(self, sentence: str) -> tuple[int, ...]:
        """The numbers of a sentence's words."""
        seen: Counter[str] = Counter()
        found = []
        for word in words(sentence):
            seen[word] += 1
            found.append(self._numbers.setdefault((word, seen[word]), len(self._numbers)))
        return tuple(found)


class Measure:
    """Whether two bags reach the threshold."""

    def __init__(self, threshold: float) -> None:
        self._exact = Fraction(str(threshold))

    def least(self, size: int) -> int:
        """How many words a bag of that size must share with a bag that is not smaller."""
        return math.ceil(self._exact * size)

    def reached(self, one: Bag, other: tuple[int, ...]) -> bool:
        """Whether the two are duplicates; empty bags are nobody's."""
        smaller = min(len(one), len(other))
        return smaller > 0 and len(one.intersection(other)) >= self.least(smaller)


def pairs(bags: dict[str, tuple[int, ...]], measure: Measure) -> Iterator[tuple[str, str]]:
    """Every pair of ids whose bags reach the threshold."""
    yield from (_every_pair if len(bags) < _EVERY_PAIR_BELOW else _indexed_pairs)(bags, measure)


def _every_pair(bags: dict[str, tuple[int, ...]], measure: Measure) -> Iterator[tuple[str, str]]:
    sets = {name: frozenset(bag) for name, bag in bags.items()}
    for one, other in combinations(bags, 2):
        if measure.reached(sets[one], bags[other]):
            yield one, other


def _indexed_pairs(bags: dict[str, tuple[int, ...]], measure: Measure) -> Iterator[tuple[str, str]]:
    # From large to small: when a bag is looked up, the index holds just the bags that are not smaller.
    order = sorted(bags, key=lambda name: (-len(bags[name]), name))
    frequency = Counter(word for bag in bags.values() for word in bag)
    least = [measure.least(size) for size in range(max(map(len, bags.values()), default=0) + 1)]
    index: defaultdict[int, list[int]] = defaultdict(list)
    for number, name in enumerate(order):
        bag = bags[name]
        own, enough = frozenset(bag), least[len(bag)]
        # Of a small bag so many words may not be asked for.
        shared = min(_SHARED_RARE, enough)
        rare = sorted(bag, key=lambda word: (frequency[word], word))[: len(bag) - enough + shared]
        found = Counter(chain.from_iterable(index.get(word, ()) for word in rare))
        for other in [number for number, count in found.items() if count >= shared]:
            if len(own.intersection(bags[order[other]])) >= enough:
                yield order[other], name
        for word in bag:
            index[word].append(number)


def check(files: RunFiles, threshold: float, book: Book) -> None:
    """Both checks of dedup."""
    measure, numbers = Measure(threshold), Bags()
    kept: dict[str, tuple[int, ...]] = {}
    dates: dict[str, str] = {}
    for problem in files.records("dedup", Problem):
        kept[problem.id] = numbers.bag(problem.question.sentence)
        dates[problem.id] = problem.date.isoformat()
    book["duplicates"].tried(len(kept))
    for one, other in pairs(kept, measure):
        book["duplicates"].fail(other, f"is a near-duplicate of {one}")
    _check_dropped(files, measure, numbers, kept, dates, book)


def _check_dropped(
    files: RunFiles,
    measure: Measure,
    numbers: Bags,
    kept: dict[str, tuple[int, ...]],
    dates: dict[str, str],
    book: Book,
) -> None:
    ledger = book["dropped-duplicates"]
    named, capped = dict[str, str](), set[str]()
    for rejection in files.rejections("dedup"):
        if rejection.reason == "duplicate-question":
            named[rejection.id] = rejection.detail
        else:
            capped.add(rejection.id)
    # The caps come after the duplicates: what a duplicate was dropped for may be over a cap itself.
    for problem in files.records("choices", Problem):
        if problem.id in capped:
            kept[problem.id] = numbers.bag(problem.question.sentence)
            dates[problem.id] = problem.date.isoformat()
    for problem in files.records("choices", Problem):
        if problem.id not in named:
            continue
        ledger.tried()
        original = named[problem.id]
        bag = frozenset(numbers.bag(problem.question.sentence))
        if original not in kept:
            ledger.fail(problem.id, f"names {original!r}, which is no problem or a duplicate itself")
        elif not measure.reached(bag, kept[original]):
            ledger.fail(problem.id, f"is no duplicate of {original}")
        elif (dates[original], original) > (problem.date.isoformat(), problem.id):
            ledger.fail(problem.id, f"was dropped for the later {original}")
