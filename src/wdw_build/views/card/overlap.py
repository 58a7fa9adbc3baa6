"""Overlap between splits: equal questions, equal or near-duplicate passages, connected problems and shared events.

Compares ``train.relaxed``, which includes ``train``, with validation and test, and validation with test. Connections and
events follow the rules of ``split.by_event`` (``text/passages/connections.py``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from wdw_build.core.hashing import id_sum
from wdw_build.dataset import TEST, TRAIN_RELAXED, VALIDATION
from wdw_build.records import Problem
from wdw_build.text.passages.connections import Connections, EventEvidence, event_evidence, events
from wdw_build.text.tokens import words
from wdw_build.views.card.audit_results import EventFacts, Overlap

COMPARED = ((TRAIN_RELAXED, VALIDATION), (TRAIN_RELAXED, TEST), (VALIDATION, TEST))
KINDS = {
    "question": "the same question, word by word",
    "passage": "the same article as passage",
    "near-passage": "another article as passage, nearly the same text",
    "connected": "an article, or two persons within split.event_days, in common",
    "event": "the same event: connected directly or through others",
}
GRAM = 8
# Two texts that share at least this part of the distinct 8-grams of the shorter one are near-duplicates.
SHARE = 0.5

Pair = tuple[str, str]
Texts = Callable[[], Iterator[tuple[str, str]]]
# Key (a passage's article, an event, ...) -> split -> ids of the problems that have it.
ByKey = dict[Any, dict[str, list[str]]]
Reread = Callable[[frozenset[str]], Iterator[tuple[str, str]]]


def _by_key() -> ByKey:
    return defaultdict(lambda: defaultdict(list))


class _Counterparts:
    """The problems of two splits that have a counterpart in the other, and the smallest pair of ids as an example."""

    def __init__(self) -> None:
        self._first: set[str] = set()
        self._second: set[str] = set()
        self._example: tuple[str, ...] = ()

    def add(self, first: list[str], second: list[str]) -> None:
        """Add groups of problems: each of ``first`` is a counterpart of each of ``second``."""
        if first and second:
            self._first.update(first)
            self._second.update(second)
            smallest = min(first), min(second)
            self._example = min(self._example or smallest, smallest)

    def close(self, kind: str, pair: Pair) -> Overlap:
        return Overlap(kind, *pair, len(self._first), len(self._second), self._example)


class OverlapCounter:
    """Collects the questions, passages and event evidence of problems; ``days`` is ``split.event_days``."""

    def __init__(self, days: int) -> None:
        self._days = days
        self._evidence: dict[str, list[EventEvidence]] = defaultdict(list)
        self._questions, self._passages = _by_key(), _by_key()

    def add(self, problem: Problem, split: str) -> None:
        """Add a problem of ``train.relaxed``, ``validation`` or ``test``."""
        self._evidence[split].append(event_evidence(problem))
        self._questions[id_sum(" ".join(words(problem.question.sentence)))][split].append(problem.id)
        self._passages[problem.passage.article][split].append(problem.id)

    def close(self, reread: Reread) -> tuple[tuple[Overlap, ...], EventFacts]:
        """All overlaps, and the number of events. ``reread`` streams (article, text) of the passages from given articles."""
        event_of = events((evidence for group in self._evidence.values() for evidence in group), self._days)
        by_event = _by_key()
        for split, group in self._evidence.items():
            for evidence in group:
                by_event[event_of[evidence.id]][split].append(evidence.id)
        counterparts = {
            "question": _shared(self._questions),
            "passage": _shared(self._passages),
            "near-passage": self._near(reread),
            "connected": self._connected(),
            "event": _shared(by_event),
        }
        sizes = Counter(event_of.values())
        facts = EventFacts(len(sizes), sum(size == 1 for size in sizes.values()), max(sizes.values(), default=0))
        return tuple(counterparts[kind][pair].close(kind, pair) for kind in KINDS for pair in COMPARED), facts

    def _connected(self) -> dict[Pair, _Counterparts]:
        counterparts = {pair: _Counterparts() for pair in COMPARED}
        for first, second in COMPARED:
            connections = Connections(self._days)
            for evidence in self._evidence[second]:
                connections.add(evidence)
            for evidence in self._evidence[first]:
                counterparts[first, second].add([evidence.id], [other for other, _ in connections.find(evidence)])
        return counterparts

    def _near(self, reread: Reread) -> dict[Pair, _Counterparts]:
        counterparts = {pair: _Counterparts() for pair in COMPARED}
        for first, second in COMPARED:
            # Articles that are passages in both splits are counted under "passage".
            of_first, of_second = (self._articles(split) for split in (first, second))
            forth, back = near_duplicates(partial(reread, of_second - of_first), partial(reread, of_first - of_second))
            for article, other in (*forth.items(), *((article, other) for other, article in back.items())):
                counterparts[first, second].add(self._passages[article][first], self._passages[other][second])
        return counterparts

    def _articles(self, split: str) -> frozenset[str]:
        return frozenset(article for article, splits in self._passages.items() if split in splits)


def _shared(by_key: ByKey) -> dict[Pair, _Counterparts]:
    """Problems with equal keys are counterparts."""
    counterparts = {pair: _Counterparts() for pair in COMPARED}
    for splits in by_key.values():
        for first, second in COMPARED:
            counterparts[first, second].add(splits.get(first, []), splits.get(second, []))
    return counterparts


# ---- near-duplicate passages -----------------------------------------------------------------------------------------


def _grams(text: str) -> list[str]:
    """The distinct 8-grams of a text; a shorter text is one gram."""
    tokens = words(text)
    return sorted({" ".join(tokens[start : start + GRAM]) for start in range(max(1, len(tokens) - GRAM + 1))})


class _GramIndex:
    """Inverted index from 8-grams to texts."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._sizes: list[int] = []
        self._holders: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, name: str, grams: list[str]) -> None:
        """Add a text."""
        for gram in grams:
            self._holders[gram].append(len(self._names))
        self._names.append(name)
        self._sizes.append(len(grams))

    def find(self, grams: list[str]) -> str | None:
        """The name of the first text in the index that is a near-duplicate, or None."""
        shared = Counter(holder for gram in grams for holder in self._holders.get(gram, ()))
        duplicates = (
            holder for holder, count in shared.items() if count >= SHARE * min(len(grams), self._sizes[holder])
        )
        first = min(duplicates, default=None)
        return None if first is None else self._names[first]


def near_duplicates(indexed: Texts, streamed: Texts) -> tuple[dict[str, str], dict[str, str]]:
    """Map the names of ``streamed`` to a near-duplicate in ``indexed``, and the reverse; leaves out names without a near-duplicate.

    Each side is read once or twice. Memory holds the 8-grams of ``indexed`` and of the near-duplicates in ``streamed``.
    """
    index, duplicates = _GramIndex(), _GramIndex()
    for name, text in indexed():
        index.add(name, _grams(text))
    forth: dict[str, str] = {}
    for name, text in streamed():
        if (other := index.find(grams := _grams(text))) is not None:
            forth[name] = other
            duplicates.add(name, grams)
    back = {name: other for name, text in indexed() if (other := duplicates.find(_grams(text))) is not None}
    return forth, back
