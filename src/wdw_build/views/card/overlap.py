"""What two splits have in common: questions, passages, connected problems, events, nearly the same passages.

Splits are compared as they are used: ``train.relaxed``, which holds ``train``, with validation and test, and these with
each other. What connects two problems, and what an event is, stands in ``text/events.py``, as for ``split.by_event``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from wdw_build.core.hashing import id_sum
from wdw_build.records import Problem
from wdw_build.text.passages.connections import Connections, EventEvidence, event_evidence, events
from wdw_build.text.tokens import words
from wdw_build.views.card.audit_results import EventFacts, Overlap
from wdw_build.views.card.near import near_duplicates

TRAINING = "train.relaxed"
COMPARED = ((TRAINING, "validation"), (TRAINING, "test"), ("validation", "test"))
KINDS = {
    "question": "the same question, word by word",
    "passage": "the same article as passage",
    "near-passage": "another article as passage, nearly the same text",
    "connected": "an article, or two persons within split.event_days, in common",
    "event": "the same event: connected directly or through others",
}

# What is shared -> split -> ids of the problems.
Shared = dict[object, dict[str, list[str]]]
Reread = Callable[[frozenset[str]], Iterator[tuple[str, str]]]


class _Found:
    """Problems of two splits that have a counterpart in each other."""

    def __init__(self) -> None:
        self.first: set[str] = set()
        self.second: set[str] = set()
        self.example: tuple[str, ...] = ()

    def note(self, first: list[str], second: list[str]) -> None:
        """Every one of the first has every one of the second as counterpart."""
        if first and second:
            self.first.update(first)
            self.second.update(second)
            self.example = min(self.example or (min(first), min(second)), (min(first), min(second)))

    def close(self, kind: str, pair: tuple[str, str]) -> Overlap:
        return Overlap(kind, *pair, len(self.first), len(self.second), self.example)


class OverlapCounter:
    """Collects what problems can have in common; ``days`` is ``split.event_days``."""

    def __init__(self, days: int) -> None:
        self._days = days
        self._ties: dict[str, list[EventEvidence]] = defaultdict(list)
        self._questions: Shared = defaultdict(lambda: defaultdict(list))
        self._passages: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))

    def add(self, problem: Problem, split: str) -> None:
        """Add a problem of ``train.relaxed``, ``validation`` or ``test``."""
        self._ties[split].append(event_evidence(problem))
        self._questions[id_sum(" ".join(words(problem.question.sentence)))][split].append(problem.id)
        self._passages[problem.passage.article][split].append(problem.id)

    def close(self, reread: Reread) -> tuple[tuple[Overlap, ...], EventFacts]:
        """All overlaps, and the events. ``reread`` gives the passages of the named articles again: (article, text)."""
        placed = events((one for group in self._ties.values() for one in group), self._days)
        by_event: Shared = defaultdict(lambda: defaultdict(list))
        for split, group in self._ties.items():
            for one in group:
                by_event[placed[one.id]][split].append(one.id)
        found = {
            "question": _by_key(self._questions),
            "passage": _by_key(self._passages),
            "near-passage": self._near(reread),
            "connected": self._connected(),
            "event": _by_key(by_event),
        }
        sizes = Counter(placed.values())
        facts = EventFacts(len(sizes), sum(size == 1 for size in sizes.values()), max(sizes.values(), default=0))
        return tuple(found[kind][pair].close(kind, pair) for kind in KINDS for pair in COMPARED), facts

    def _connected(self) -> dict[tuple[str, str], _Found]:
        found = {pair: _Found() for pair in COMPARED}
        for first, second in COMPARED:
            connections = Connections(self._days)
            for one in self._ties[second]:
                connections.add(one)
            for one in self._ties[first]:
                others = [other for other, _ in connections.find(one)]
                found[first, second].note([one.id] if others else [], others)
        return found

    def _near(self, reread: Reread) -> dict[tuple[str, str], _Found]:
        found = {pair: _Found() for pair in COMPARED}
        for first, second in COMPARED:
            # A passage that stands in both splits is told of as such.
            own, others = (self._articles(split) for split in (first, second))
            forth, back = near_duplicates(partial(reread, others - own), partial(reread, own - others))
            for article, other in forth.items():
                found[first, second].note(self._passages[article][first], self._passages[other][second])
            for article, other in back.items():
                found[first, second].note(self._passages[other][first], self._passages[article][second])
        return found

    def _articles(self, split: str) -> frozenset[str]:
        return frozenset(article for article, splits in self._passages.items() if split in splits)


def _by_key(shared: Mapping[Any, dict[str, list[str]]]) -> dict[tuple[str, str], _Found]:
    found = {pair: _Found() for pair in COMPARED}
    for splits in shared.values():
        for first, second in COMPARED:
            found[first, second].note(splits.get(first, []), splits.get(second, []))
    return found
