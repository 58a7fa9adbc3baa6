"""Problems about the same event, judged by articles, names and dates.

Two problems are connected if they share an article (the question's or the passage's), or if they share two persons and
their passages are at most a given number of days apart. A person is identified by the last identifying word of the name,
because a surname often stands for the full name. One shared person is not enough, because some persons are in the news
every day. An event is a connected component: problems that are connected directly or through other problems.
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
    """The evidence that connects a problem to others: ``day`` is the ordinal of the passage's date, ``persons`` are sorted."""

    id: str
    day: int
    articles: tuple[str, str]
    persons: tuple[str, ...]

    def pairs(self) -> Iterator[Pair]:
        """Every pair of persons."""
        return combinations(self.persons, 2)


def event_evidence(problem: Problem) -> EventEvidence:
    """The evidence of a problem; its persons are the choices and the persons of the question."""
    question, passage = problem.question, problem.passage
    others = (mention.text for mention in question.others)
    names = [question.name.text, *others, *(choice.name for choice in problem.choices)]
    persons = {word for name in names for word in identifying_sequence(name)[-1:]}
    return EventEvidence(problem.id, passage.date.toordinal(), (problem.id, passage.article), tuple(sorted(persons)))


class Connections:
    """An index of problems by their evidence. ``days``: the most days between passages about the same persons."""

    def __init__(self, days: int) -> None:
        self._days = days
        self._by_article: defaultdict[str, list[str]] = defaultdict(list)
        self._by_pair: defaultdict[Pair, list[tuple[int, str]]] = defaultdict(list)

    def add(self, problem: EventEvidence) -> None:
        """Add a problem."""
        for article in problem.articles:
            self._by_article[article].append(problem.id)
        for pair in problem.pairs():
            insort(self._by_pair[pair], (problem.day, problem.id))

    def find(self, problem: EventEvidence) -> Iterator[tuple[str, str]]:
        """The id of every added problem that is connected with ``problem``, and the connection; ids may repeat."""
        for article in problem.articles:
            for other in self._by_article.get(article, ()):
                yield other, f"article {article}"
        for pair in problem.pairs():
            sharing = self._by_pair.get(pair, [])
            low = bisect_left(sharing, (problem.day - self._days, ""))
            high = bisect_left(sharing, (problem.day + self._days + 1, ""))
            for _, other in sharing[low:high]:
                yield other, f"persons {', '.join(pair)}"


class _DisjointSets:
    """Disjoint sets of ids (union-find); a set is represented by its smallest id."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def root(self, id_: str) -> str:
        root = id_
        while (parent := self._parents.setdefault(root, root)) != root:
            root = parent
        while self._parents[id_] != root:
            self._parents[id_], id_ = root, self._parents[id_]
        return root

    def union(self, one: str, other: str) -> None:
        low, high = sorted((self.root(one), self.root(other)))
        self._parents[high] = low

    def roots(self) -> dict[str, str]:
        return {id_: self.root(id_) for id_ in list(self._parents)}


def events(problems: Iterable[EventEvidence], days: int) -> dict[str, str]:
    """Maps each problem to its event, named by the smallest problem id of the event. The order of ``problems`` has no effect."""
    sets, by_article = _DisjointSets(), dict[str, str]()
    latest: dict[Pair, tuple[int, str]] = {}
    # In the order of days, only the latest problem with a pair matters: earlier problems are connected through it.
    for problem in sorted(problems, key=lambda problem: (problem.day, problem.id)):
        for article in problem.articles:
            sets.union(problem.id, by_article.setdefault(article, problem.id))
        for pair in problem.pairs():
            day, other = latest.get(pair, (problem.day, problem.id))
            if problem.day - day <= days:
                sets.union(problem.id, other)
            latest[pair] = (problem.day, problem.id)
    return sets.roots()
