"""Caps of dedup: none is broken, and every problem that a cap dropped met as many kept ones as the cap allows.

Whether two names are of one person leaves room, so there are two readings: surely, if they are written alike; perhaps, if
they share a word that may count, directly or through other names of the choices.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from typing import NamedTuple

from wdw_build.core.config.settings import DedupConfig
from wdw_build.records import Problem, Rejection
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Book, Ledger
from wdw_build.verify.words import perhaps_counting

REASONS = ("passage-cap", "event-cap", "answer-cap")


class _Names:
    """Which names may be of one person: words that stand in one name are joined."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def _words(self, name: str) -> list[str]:
        return sorted(perhaps_counting(name)) or [name.casefold()]

    def _top(self, word: str) -> str:
        while (above := self._above.setdefault(word, word)) != word:
            self._above[word] = word = self._above.setdefault(above, above)
        return word

    def add(self, name: str) -> None:
        first, *others = self._words(name)
        for word in others:
            self._above[self._top(word)] = self._top(first)

    def person(self, name: str) -> str:
        return self._top(self._words(name)[0])


class _Facts(NamedTuple):
    passage: str
    articles: frozenset[str]
    answer: str


def _facts(problem: Problem) -> _Facts:
    names = [choice.name for choice in problem.choices]
    # Another check finds an answer that is no choice.
    answer = names[problem.answer] if 0 <= problem.answer < len(names) else problem.question.name.text
    return _Facts(problem.passage.article, frozenset((problem.id, problem.passage.article)), answer)


def _most(config: DedupConfig, kept: int) -> int:
    if config.max_per_answer >= 1:
        return int(config.max_per_answer)
    return max(config.min_answer_cap, math.floor(Fraction(str(config.max_per_answer)) * kept))


def check(files: RunFiles, config: DedupConfig, book: Book) -> None:
    """All checks of the caps."""
    kept = {problem.id: _facts(problem) for problem in files.records("dedup", Problem)}
    _check_limits(kept, config, book)
    dropped = {one.id: one for one in files.rejections("dedup") if one.reason in REASONS}
    if dropped:
        _check_dropped(files, config, kept, dropped, book["dropped-by-cap"])


def _check_limits(kept: dict[str, _Facts], config: DedupConfig, book: Book) -> None:
    passages = Counter(one.passage for one in kept.values())
    events = Counter((article, one.answer.casefold()) for one in kept.values() for article in one.articles)
    answers = Counter(one.answer.casefold() for one in kept.values())
    for name, own in kept.items():
        written = own.answer.casefold()
        for ledger in ("passage-cap", "event-cap", "answer-cap"):
            book[ledger].tried()
        if config.max_per_passage and passages[own.passage] > config.max_per_passage:
            book["passage-cap"].fail(name, f"is one of {passages[own.passage]} with the passage {own.passage}")
        for article in sorted(own.articles):
            if config.max_per_event and events[article, written] > config.max_per_event:
                book["event-cap"].fail(name, f"is one of {events[article, written]} on {own.answer} with {article}")
        if config.max_per_answer and answers[written] > _most(config, len(kept)):
            book["answer-cap"].fail(name, f"is one of {answers[written]} that {own.answer} answers")


def _check_dropped(
    files: RunFiles, config: DedupConfig, kept: dict[str, _Facts], dropped: dict[str, Rejection], ledger: Ledger
) -> None:
    names, facts = _Names(), dict[str, _Facts]()
    for problem in files.records("choices", Problem):
        for choice in problem.choices:
            names.add(choice.name)
        if problem.id in dropped:
            facts[problem.id] = _facts(problem)
    passages, events, answers = Counter[str](), defaultdict[tuple[str, str], set[str]](set), Counter[str]()
    for name, own in kept.items():
        person = names.person(own.answer)
        passages[own.passage] += 1
        answers[person] += 1
        for article in own.articles:
            events[article, person].add(name)
    least = int(config.max_per_answer) if config.max_per_answer >= 1 else config.min_answer_cap
    for name, own in facts.items():
        ledger.tried()
        person, why = names.person(own.answer), dropped[name]
        if why.reason == "passage-cap" and not 0 < config.max_per_passage <= passages[own.passage]:
            ledger.fail(name, f"only {passages[own.passage]} kept problems have its passage")
        if why.reason == "answer-cap" and not (config.max_per_answer and least <= answers[person]):
            ledger.fail(name, f"only {answers[person]} kept problems may have its answer")
        same = [events[article, person] for article in own.articles]
        if why.reason == "event-cap" and not any(
            why.detail in one and 0 < config.max_per_event <= len(one) for one in same
        ):
            ledger.fail(name, f"tells no event of {why.detail!r}, or of too few kept problems")
