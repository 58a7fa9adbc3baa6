"""Events: no two splits share one, and no training problem was dropped for one that it has nothing to do with.

Two problems are connected if they share an article, or two persons while their passages are at most
``split.event_days`` apart. Whether two names are of one person leaves room, so there are two readings: the sure one
takes a name's last word, if it is of letters alone and surely counts; the generous one takes every word that may.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from wdw_build.records import Problem, SplitAssignment
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Book
from wdw_build.verify.words import perhaps_counting, surely_counting

REASON = "connected-with-held-out"


class Facts(NamedTuple):
    """What a problem may be connected by: its articles, the day of its passage, and words of any two of its names."""

    articles: frozenset[str]
    day: int
    pairs: frozenset[frozenset[str]]


def sure(name: str) -> set[str]:
    """The last word of a name, where nobody can doubt that it says who it is."""
    last = name.casefold().split()[-1:]
    return {word for word in last if word.isalpha() and word in surely_counting(name)}


def facts(problem: Problem, reading: Callable[[str], set[str]]) -> Facts:
    """A problem's facts, in one reading of names."""
    question, passage = problem.question, problem.passage
    names = {question.name.text, *(one.text for one in question.others), *(one.name for one in problem.choices)}
    pairs = {
        frozenset((word, other))
        for one, two in combinations(map(reading, sorted(names)), 2)
        for word in one
        for other in two
        if word != other
    }
    return Facts(frozenset((question.id, passage.article)), passage.date.toordinal(), frozenset(pairs))


class Index:
    """Problems by article and by pair of words."""

    def __init__(self, days: int) -> None:
        self._days = days
        self._known: dict[str, Facts] = {}
        self._found: defaultdict[str | frozenset[str], list[str]] = defaultdict(list)

    def add(self, name: str, own: Facts) -> None:
        """Add a problem."""
        self._known[name] = own
        keys: list[str | frozenset[str]] = [*own.articles, *own.pairs]
        for key in keys:
            self._found[key].append(name)

    def connected(self, own: Facts) -> Iterator[str]:
        """The problems connected with these facts."""
        for article in own.articles:
            yield from self._found.get(article, ())
        for pair in own.pairs:
            for name in self._found.get(pair, ()):
                if abs(self._known[name].day - own.day) <= self._days:
                    yield name

    def largest(self) -> int:
        """How many problems are in the largest event."""
        left, most = set(self._known), 0
        while left:
            reached, size = [left.pop()], 0
            while reached:
                size += 1
                near = left.intersection(self.connected(self._known[reached.pop()]))
                left -= near
                reached += near
            most = max(most, size)
        return most


def check(files: RunFiles, placed: dict[str, SplitAssignment], dropped: set[str], days: int, book: Book) -> int:
    """Check placed and dropped problems against the held-out ones; how large the largest held-out event may be."""
    surely, perhaps = Index(days), Index(days)
    for problem in files.records("dedup", Problem):
        if problem.id in placed and placed[problem.id].split != "train":
            surely.add(problem.id, facts(problem, sure))
            perhaps.add(problem.id, facts(problem, perhaps_counting))
    for problem in files.records("dedup", Problem):
        if problem.id in placed:
            own = placed[problem.id].split
            book["split-events"].tried()
            others = {name for name in surely.connected(facts(problem, sure)) if placed[name].split != own}
            if others:
                book["split-events"].fail(problem.id, f"in {own}, is connected with {min(others)} of another split")
        elif problem.id in dropped and not any(perhaps.connected(facts(problem, perhaps_counting))):
            book["split-rejections"].fail(problem.id, "is connected with no held-out problem")
    return perhaps.largest()
