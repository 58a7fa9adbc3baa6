"""Which problems tell of the same event, so far as articles, names and days can say.

Two problems are connected if an article of one (the question's or the passage's) is an article of the other, or if two
persons stand in both and their passages are at most so many days apart. A person goes by the last word of the name
that counts, for a surname alone often stands for the full name; one person alone says little, since some are in the
news every day. An event is a set of problems that are connected, directly or through others.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from wdw_build.records import Problem
from wdw_build.text.names.matching import identifying_sequence

Pair = tuple[str, str]


class EventEvidence(NamedTuple):
    """What a problem can be connected by; ``day`` is the ordinal of the passage's date, ``persons`` are sorted."""

    id: str
    day: int
    articles: tuple[str, str]
    persons: tuple[str, ...]

    def pairs(self) -> Iterator[Pair]:
        """Every two persons."""
        return combinations(self.persons, 2)


def event_evidence(problem: Problem) -> EventEvidence:
    """The ties of a problem: the persons are its choices and those of its question."""
    question, passage = problem.question, problem.passage
    names = [question.name.text, *(one.text for one in question.others), *(one.name for one in problem.choices)]
    persons = {word for name in names for word in identifying_sequence(name)[-1:]}
    return EventEvidence(problem.id, passage.date.toordinal(), (problem.id, passage.article), tuple(sorted(persons)))


class Connections:
    """Problems, looked up by what connects them. ``days``: how far apart passages about the same persons may be."""

    def __init__(self, days: int) -> None:
        self._days = days
        self._by_article: defaultdict[str, list[str]] = defaultdict(list)
        self._by_pair: defaultdict[Pair, list[tuple[int, str]]] = defaultdict(list)

    def add(self, one: EventEvidence) -> None:
        """Add a problem."""
        for article in one.articles:
            self._by_article[article].append(one.id)
        for pair in one.pairs():
            insort(self._by_pair[pair], (one.day, one.id))

    def find(self, one: EventEvidence) -> Iterator[tuple[str, str]]:
        """Every added problem connected with this one, and by what; one may come more than once."""
        for article in one.articles:
            for other in self._by_article.get(article, ()):
                yield other, f"article {article}"
        for pair in one.pairs():
            same = self._by_pair.get(pair, [])
            low = bisect_left(same, (one.day - self._days, ""))
            for _, other in same[low : bisect_left(same, (one.day + self._days + 1, ""))]:
                yield other, f"persons {', '.join(pair)}"


class _Sets:
    """Disjoint sets of ids; each goes by its smallest."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def first(self, name: str) -> str:
        root = name
        while (above := self._above.setdefault(root, root)) != root:
            root = above
        while self._above[name] != root:
            self._above[name], name = root, self._above[name]
        return root

    def join(self, one: str, other: str) -> None:
        low, high = sorted((self.first(one), self.first(other)))
        self._above[high] = low

    def all(self) -> dict[str, str]:
        return {name: self.first(name) for name in list(self._above)}


def events(problems: Iterable[EventEvidence], days: int) -> dict[str, str]:
    """Each problem's event, which goes by the smallest id in it. The order of the problems changes nothing."""
    sets, by_article = _Sets(), dict[str, str]()
    last: dict[Pair, tuple[int, str]] = {}
    # Day by day it is enough to look at the last problem with the same two persons: the others hang on it.
    for one in sorted(problems, key=lambda one: (one.day, one.id)):
        for article in one.articles:
            sets.join(one.id, by_article.setdefault(article, one.id))
        for pair in one.pairs():
            day, other = last.get(pair, (one.day, one.id))
            if one.day - day <= days:
                sets.join(one.id, other)
            last[pair] = (one.day, one.id)
    return sets.all()
