"""Events: no event is in two splits, and each training problem dropped for a held-out event is connected with it.

Two problems are connected if they share an article, or if they share two persons and their passages are at most
``split.event_days`` apart. Whether two names belong to one person is ambiguous, so there are two readings. The strict
reading compares the last token of each name, if that token is alphabetic and surely identifying; the loose reading
compares every possibly identifying token.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from wdw_build.records import Problem, SplitAssignment
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Recorders
from wdw_build.verify.words import possibly_identifying, surely_identifying

REASON = "connected-with-held-out"


class Facts(NamedTuple):
    """The evidence that connects problems: articles, the day of the passage, and pairs of tokens from two names."""

    articles: frozenset[str]
    day: int
    pairs: frozenset[frozenset[str]]


def sure(name: str) -> set[str]:
    """The last token of a name, if it identifies the person in every reading; else the empty set."""
    last = name.casefold().split()[-1:]
    return {word for word in last if word.isalpha() and word in surely_identifying(name)}


def facts(problem: Problem, reading: Callable[[str], set[str]]) -> Facts:
    """The facts of a problem, in one reading of names."""
    question, passage = problem.question, problem.passage
    names = {
        question.name.text,
        *(other.text for other in question.others),
        *(choice.name for choice in problem.choices),
    }
    pairs = {
        frozenset((word, other))
        for tokens, other_tokens in combinations(map(reading, sorted(names)), 2)
        for word in tokens
        for other in other_tokens
        if word != other
    }
    return Facts(frozenset((question.id, passage.article)), passage.date.toordinal(), frozenset(pairs))


class Index:
    """An index of problems by article and by pair of name tokens."""

    def __init__(self, days: int) -> None:
        self._days = days
        self._known: dict[str, Facts] = {}
        self._ids_by_key: defaultdict[str | frozenset[str], list[str]] = defaultdict(list)

    def add(self, name: str, problem_facts: Facts) -> None:
        """Add a problem."""
        self._known[name] = problem_facts
        keys: list[str | frozenset[str]] = [*problem_facts.articles, *problem_facts.pairs]
        for key in keys:
            self._ids_by_key[key].append(name)

    def connected(self, problem_facts: Facts) -> Iterator[str]:
        """The ids of the problems connected with these facts; an id may be repeated."""
        for article in problem_facts.articles:
            yield from self._ids_by_key.get(article, ())
        for pair in problem_facts.pairs:
            for name in self._ids_by_key.get(pair, ()):
                if abs(self._known[name].day - problem_facts.day) <= self._days:
                    yield name

    def largest(self) -> int:
        """The number of problems in the largest event: the largest connected component."""
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


def may_be_connected(one: Problem, other: Problem, days: int) -> bool:
    """Whether two problems may be of one event, in the loose reading."""
    index = Index(days)
    index.add(one.id, facts(one, possibly_identifying))
    return any(index.connected(facts(other, possibly_identifying)))


def check(
    files: RunFiles, placed: dict[str, SplitAssignment], dropped: set[str], days: int, recorders: Recorders
) -> int:
    """Check placed and dropped problems against held-out problems; return the size of the largest event (loose)."""
    strict, loose = Index(days), Index(days)
    for problem in files.records("problems", Problem):
        if problem.id in placed and placed[problem.id].split != "train":
            strict.add(problem.id, facts(problem, sure))
            loose.add(problem.id, facts(problem, possibly_identifying))
    for problem in files.records("problems", Problem):
        if problem.id in placed:
            split = placed[problem.id].split
            recorders["split-events"].count()
            others = {name for name in strict.connected(facts(problem, sure)) if placed[name].split != split}
            if others:
                recorders["split-events"].fail(
                    problem.id, f"is in {split} and connected with {min(others)} of another split"
                )
        elif problem.id in dropped and not any(loose.connected(facts(problem, possibly_identifying))):
            recorders["split-rejections"].fail(problem.id, "is connected with no held-out problem")
    return loose.largest()
