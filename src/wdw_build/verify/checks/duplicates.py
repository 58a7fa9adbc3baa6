"""Near-duplicate questions: no two kept questions are duplicates, and each dropped question is a duplicate of a kept question.

The similarity of two questions is the size of the multiset intersection of their words, divided by the size of the
smaller multiset. It is computed in integers, so a pair exactly at the threshold is a duplicate. Fewer than two thousand
questions are compared pair by pair. Larger sets are compared through an index with prefix filtering: two multisets that reach
the threshold t, the smaller with n words, share at least t*n of them, hence at least k of any n - t*n + k of them. Only
multisets with k of the n - t*n + k rarest words of the smaller one are compared. The second occurrence of a word is an
element of its own.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations

from wdw_build.records import ProblemAlternatives
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Recorders
from wdw_build.verify.words import words

_EVERY_PAIR_BELOW = 2000
# The k of the module's docstring: a larger k reads longer posting lists and compares fewer multisets.
_SHARED_RARE = 3
Bag = frozenset[int]


class Bags:
    """Numbers the words, so that a multiset of words is a set of numbers: each occurrence has its own."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}

    def bag(self, sentence: str) -> tuple[int, ...]:
        """The numbers of the words of a sentence."""
        seen: Counter[str] = Counter()
        numbers = []
        for word in words(sentence):
            seen[word] += 1
            numbers.append(self._numbers.setdefault((word, seen[word]), len(self._numbers)))
        return tuple(numbers)


class Measure:
    """Compares two multisets with the threshold, in exact arithmetic."""

    def __init__(self, threshold: float) -> None:
        self._exact = Fraction(str(threshold))

    def least(self, size: int) -> int:
        """The least number of words that a multiset of this size shares with a duplicate that is not smaller."""
        return math.ceil(self._exact * size)

    def reached(self, bag: Bag, other: tuple[int, ...]) -> bool:
        """Whether the two are duplicates; an empty multiset has no duplicate."""
        smaller = min(len(bag), len(other))
        return smaller > 0 and len(bag.intersection(other)) >= self.least(smaller)


def pairs(bags: dict[str, tuple[int, ...]], measure: Measure) -> Iterator[tuple[str, str]]:
    """Every pair of ids whose multisets reach the threshold."""
    yield from (_every_pair if len(bags) < _EVERY_PAIR_BELOW else _indexed_pairs)(bags, measure)


def _every_pair(bags: dict[str, tuple[int, ...]], measure: Measure) -> Iterator[tuple[str, str]]:
    sets = {name: frozenset(bag) for name, bag in bags.items()}
    for name, other in combinations(bags, 2):
        if measure.reached(sets[name], bags[other]):
            yield name, other


def _indexed_pairs(bags: dict[str, tuple[int, ...]], measure: Measure) -> Iterator[tuple[str, str]]:
    # From large to small: at each lookup, the index holds exactly the multisets that are not smaller.
    order = sorted(bags, key=lambda name: (-len(bags[name]), name))
    frequency = Counter(word for bag in bags.values() for word in bag)
    least = [measure.least(size) for size in range(max(map(len, bags.values()), default=0) + 1)]
    index: defaultdict[int, list[int]] = defaultdict(list)
    for number, name in enumerate(order):
        bag = bags[name]
        bag_set, enough = frozenset(bag), least[len(bag)]
        # A small multiset may share fewer than k words with a duplicate.
        shared = min(_SHARED_RARE, enough)
        rare = sorted(bag, key=lambda word: (frequency[word], word))[: len(bag) - enough + shared]
        candidates = Counter(chain.from_iterable(index.get(word, ()) for word in rare))
        for other in [number for number, count in candidates.items() if count >= shared]:
            if len(bag_set.intersection(bags[order[other]])) >= enough:
                yield order[other], name
        for word in bag:
            index[word].append(number)


def check(files: RunFiles, threshold: float, recorders: Recorders) -> None:
    """Check kept and dropped questions."""
    measure, numbers = Measure(threshold), Bags()
    kept: dict[str, tuple[int, ...]] = {}
    dates: dict[str, str] = {}
    for problem in files.records("dedup", ProblemAlternatives):
        kept[problem.id] = numbers.bag(problem.question.sentence)
        dates[problem.id] = problem.date.isoformat()
    recorders["duplicates"].count(len(kept))
    for name, other in pairs(kept, measure):
        recorders["duplicates"].fail(other, f"is a near-duplicate of {name}")
    _check_dropped(files, measure, numbers, kept, dates, recorders)


def _check_dropped(
    files: RunFiles,
    measure: Measure,
    numbers: Bags,
    kept: dict[str, tuple[int, ...]],
    dates: dict[str, str],
    recorders: Recorders,
) -> None:
    recorder = recorders["dropped-duplicates"]
    named = {rejection.id: rejection.detail for rejection in files.rejections("dedup")}
    for problem in files.records("choices", ProblemAlternatives):
        if problem.id not in named:
            continue
        recorder.count()
        original = named[problem.id]
        bag = frozenset(numbers.bag(problem.question.sentence))
        if original not in kept:
            recorder.fail(problem.id, f"names {original!r}, which is not a problem, or is a duplicate itself")
        elif not measure.reached(bag, kept[original]):
            recorder.fail(problem.id, f"is not a duplicate of {original}")
        elif (dates[original], original) > (problem.date.isoformat(), problem.id):
            recorder.fail(problem.id, f"was dropped for the later {original}")
