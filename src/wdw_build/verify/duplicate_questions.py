"""Near-duplicate questions: no two kept questions are duplicates.

The similarity of two questions is the size of the multiset intersection of their words, divided by the size of the
smaller multiset. It is computed in integers, so a pair exactly at the threshold is a duplicate. Questions are compared
through an index with prefix filtering: two multisets that reach the threshold t, the smaller with n words, share at least
t*n of them, hence at least k of any n - t*n + k of them. Only multisets with k of the n - t*n + k rarest words of the
smaller one are compared. The second occurrence of a word is an element of its own.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain

from wdw_build.records import Problem
from wdw_build.verify.checked_run import CheckedRun
from wdw_build.verify.plain_words import words
from wdw_build.verify.report import Recorder

# The k of the module's docstring: a larger k reads longer posting lists and compares fewer multisets.
_SHARED_RARE = 3
Bag = frozenset[int]


def duplicates(run: CheckedRun, recorder: Recorder) -> None:
    """No two kept questions share dedup.threshold of the shorter one's words."""
    sentences = ((problem.id, problem.question.sentence) for problem in run.files.records("problems", Problem))
    bags = bags_of(sentences)
    recorder.count(len(bags))
    for name, other in pairs(bags, run.config.dedup.threshold):
        recorder.fail(other, f"is a near-duplicate of {name}")


def bags_of(sentences: Iterable[tuple[str, str]]) -> dict[str, Bag]:
    """The words of each sentence, by id: a number for each word and occurrence, so that a multiset is a set."""
    numbers: dict[tuple[str, int], int] = {}
    bags: dict[str, Bag] = {}
    for name, sentence in sentences:
        counts = Counter(words(sentence))
        occurrences = ((word, number) for word, count in counts.items() for number in range(count))
        bags[name] = frozenset(numbers.setdefault(one, len(numbers)) for one in occurrences)
    return bags


def pairs(bags: dict[str, Bag], threshold: float) -> Iterator[tuple[str, str]]:
    """Every pair of ids whose bags reach the threshold; an empty bag has no duplicate."""
    exact = Fraction(str(threshold))
    # From large to small: at each lookup, the index holds exactly the bags that are not smaller.
    order = sorted(bags, key=lambda name: (-len(bags[name]), name))
    frequency = Counter(word for bag in bags.values() for word in bag)
    index: defaultdict[int, list[int]] = defaultdict(list)
    for number, name in enumerate(order):
        bag = bags[name]
        enough = math.ceil(exact * len(bag))
        # A small bag may share fewer than k words with a duplicate.
        shared = min(_SHARED_RARE, enough)
        rare = sorted(bag, key=lambda word: (frequency[word], word))[: len(bag) - enough + shared]
        candidates = Counter(chain.from_iterable(index.get(word, ()) for word in rare))
        for other in [number for number, count in candidates.items() if count >= shared]:
            if len(bag & bags[order[other]]) >= enough:
                yield order[other], name
        for word in bag:
            index[word].append(number)
