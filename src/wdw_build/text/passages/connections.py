"""Problems about the same event, judged by articles, names and dates; and questions that give away another's answer.

Two problems are connected if they share an article (the question's or the passage's), or if they share two persons and
their passages are at most a given number of days apart. A person is identified by the last identifying word of the name,
because a surname often stands for the full name. One shared person is not enough, because some persons are in the news
every day. An event is a connected component: problems that are connected directly or through other problems.

A question gives an answer away if it names the deleted person of another question and is about the same event: whoever
reads the questions together needs no passage for the other problem. Two questions are about the same event if

- their persons include one more person in common, by the last identifying word of the name;
- their dates are at most a given number of days apart; and
- they share two content words besides names. Without this test, all questions about two persons who are in the news every
  day are one event: in the weeks of an election, both candidates.

A person is named by a mention that is a form of the answer's name, or by the last word of that name outside of all mentions
("the Peake verdict"), unless the question has a namesake of the answer.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from wdw_build.records import Problem, Question
from wdw_build.text.lexicon import STOP_WORDS, word_list
from wdw_build.text.names.compare import compare
from wdw_build.text.names.name import BEFORE_A_NAME, parse
from wdw_build.text.tokens import words

Pair = tuple[str, str]
_SHARED_CONTENT_WORDS = 2
_SHORTEST_CONTENT_WORD = 4
_NEWS_WORDS = word_list("news_words")
NO_CONTENT = STOP_WORDS | BEFORE_A_NAME | _NEWS_WORDS


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
    persons = set(map(_last_word, names)) - {""}
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

    def union(self, id_: str, other: str) -> None:
        low, high = sorted((self.root(id_), self.root(other)))
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


class _Told(NamedTuple):
    """A problem whose answer may be told: ``answer`` is the fullest form of the answer's name."""

    day: int
    id: str
    answer: str
    content: frozenset[str]


def _last_word(name: str) -> str:
    return parse(name).family


def _answer(problem: Problem) -> str:
    forms = (problem.choices[problem.answer].name, problem.question.name.text)
    return max(forms, key=lambda form: len(parse(form).core))


def content_words(question: Question) -> frozenset[str]:
    """The words of the whole sentence that are not of a name, a title, or common in all news; four letters or more."""
    names = {word for mention in (question.name, *question.others) for word in words(mention.text)}
    return frozenset(
        word
        for word in words(question.sentence)
        if len(word) >= _SHORTEST_CONTENT_WORD and word not in NO_CONTENT and word not in names
    )


def _words_outside_mentions(question: Question) -> set[str]:
    """The folded words with a capital that stand outside of the blank and of all mentions."""
    text = question.sentence
    for span in (question.blank, *question.others):
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    # "Smith-Jones" names both Smith and Jones.
    capitalised = (part for word in text.split() for part in {word, *word.split("-")} if not part.islower())
    return {folded for part in capitalised for folded in parse(part).words}


class ToldAnswers:
    """An index of problems by answer and further person. ``days``: the most days between two questions about one event."""

    def __init__(self, days: int) -> None:
        self._days = days
        self._by_pair: defaultdict[tuple[str, str], list[_Told]] = defaultdict(list)

    def add(self, problem: Problem) -> None:
        """Add a problem whose answer may be told."""
        answer = _answer(problem)
        word = _last_word(answer)
        told = _Told(problem.date.toordinal(), problem.id, answer, content_words(problem.question))
        for further in {_last_word(other.text) for other in problem.question.others} - {word, ""}:
            insort(self._by_pair[word, further], told, key=lambda known: (known.day, known.id))

    def find(self, teller: Problem) -> Iterator[tuple[str, str]]:
        """The id of every added problem whose answer the question of ``teller`` tells, and the evidence; ids may repeat."""
        question, content = teller.question, content_words(teller.question)
        others = [other.text for other in question.others]
        persons = sorted(set(map(_last_word, (question.name.text, *others))) - {""})
        outside = _words_outside_mentions(question)
        for word in sorted(outside.union(map(_last_word, others))):
            for further in persons:
                for told in self._near((word, further), teller.date.toordinal()):
                    shared = sorted(told.content & content)
                    form = _named(told.answer, word, question, outside)
                    if form and told.id != teller.id and len(shared) >= _SHARED_CONTENT_WORDS:
                        yield told.id, f"{form}, with {further}: {', '.join(shared)}"

    def _near(self, pair: tuple[str, str], day: int) -> list[_Told]:
        known = self._by_pair.get(pair, [])
        low = bisect_left(known, day - self._days, key=lambda told: told.day)
        high = bisect_left(known, day + self._days + 1, key=lambda told: told.day)
        return known[low:high]


def _named(answer: str, word: str, question: Question, outside: set[str]) -> str:
    """The form under which the question names the answer outside its blank; empty if it does not."""
    namesakes = [name for name in (*question.others, question.name) if _last_word(name.text) == word]
    for name in namesakes:
        if name is not question.name and compare(name.text, answer).is_one_person:
            return name.text
    return word if word in outside and not namesakes else ""
