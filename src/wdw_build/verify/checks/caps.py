"""Caps of suppression: no cap is exceeded, and an article that a cap dropped has no problem under all caps.

Whether two names belong to one person is ambiguous. To find an exceeded cap, only names with the same spelling count as
one person. To check a dropped article, names that share a possibly identifying token, directly or through other names of
persons in passages, count as one person.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import NamedTuple

from wdw_build.core.config.settings import SuppressConfig
from wdw_build.records import AdversaryPredictions, ProblemAlternatives, SuppressionDecision
from wdw_build.verify.alternatives import problem_of
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import CheckRecorder, Recorders
from wdw_build.verify.words import possibly_identifying

REASONS = ("passage-cap", "event-cap", "answer-cap")


class _Names:
    """Groups of names that may belong to one person: a union-find over the tokens of each name."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def _words(self, name: str) -> list[str]:
        return sorted(possibly_identifying(name)) or [name.casefold()]

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
    """What caps count of a problem: its passage, the articles of its question and its passage, and its answer."""

    passage: str
    articles: frozenset[str]
    answer: str


def _facts(record: ProblemAlternatives, number: int) -> _Facts | None:
    """The facts of an alternative; None if the record lacks a part of it, or its answer is out of range."""
    problem = problem_of(record, number)
    if problem is None or not 0 <= problem.answer < len(problem.choices):
        return None
    passage = problem.passage.article
    return _Facts(passage, frozenset((record.id, passage)), problem.choices[problem.answer].name)


def _answer_cap(config: SuppressConfig, kept: int) -> int:
    if config.max_per_answer >= 1:
        return int(config.max_per_answer)
    return max(config.min_answer_cap, math.floor(Fraction(str(config.max_per_answer)) * kept))


def check(files: RunFiles, config: SuppressConfig, kept: dict[str, SuppressionDecision], recorders: Recorders) -> None:
    """Check the caps on the selected problems, and the articles without a problem because of a cap."""
    dropped = {
        rejection.id: rejection.reason for rejection in files.rejections("suppress") if rejection.reason in REASONS
    }
    excluded = {
        record.id: record.excluded
        for record in files.records("adversary", AdversaryPredictions)
        if record.id in dropped and record.excluded
    }
    selected: dict[str, _Facts] = {}
    offered: dict[str, list[_Facts]] = {}
    names = _Names()
    for record in files.records("dedup", ProblemAlternatives):
        if record.id in kept and (facts := _facts(record, kept[record.id].alternative)):
            selected[record.id] = facts
        if record.id in dropped:
            numbers = set(range(len(record.alternatives))).difference(excluded.get(record.id, ()))
            offered[record.id] = [facts for number in sorted(numbers) if (facts := _facts(record, number))]
        if dropped:
            for name in {person.name for passage in record.passages for person in passage.persons}:
                names.add(name)
    _check_limits(selected, config, recorders)
    if dropped:
        _check_dropped(offered, dropped, _Full(selected, names, config), recorders["dropped-by-cap"])


def _check_limits(selected: dict[str, _Facts], config: SuppressConfig, recorders: Recorders) -> None:
    passages = Counter(facts.passage for facts in selected.values())
    events = Counter((article, facts.answer.casefold()) for facts in selected.values() for article in facts.articles)
    answers = Counter(facts.answer.casefold() for facts in selected.values())
    for name, facts in selected.items():
        written = facts.answer.casefold()
        for cap in REASONS:
            recorders[cap].count()
        if config.max_per_passage and passages[facts.passage] > config.max_per_passage:
            recorders["passage-cap"].fail(name, f"is one of {passages[facts.passage]} with the passage {facts.passage}")
        for article in sorted(facts.articles):
            if config.max_per_event and events[article, written] > config.max_per_event:
                recorders["event-cap"].fail(
                    name,
                    f"is one of {events[article, written]} with the answer {facts.answer} and the article {article}",
                )
        if config.max_per_answer and answers[written] > _answer_cap(config, len(selected)):
            recorders["answer-cap"].fail(name, f"is one of {answers[written]} with the answer {facts.answer}")


class _Full:
    """Tells which caps the selected problems fill for another problem."""

    def __init__(self, selected: dict[str, _Facts], names: _Names, config: SuppressConfig) -> None:
        self._names, self._config = names, config
        self._answer_cap = _answer_cap(config, len(selected))
        self._passages = Counter(facts.passage for facts in selected.values())
        people = [(names.person(facts.answer), facts.articles) for facts in selected.values()]
        self._answers = Counter(person for person, _ in people)
        self._events = Counter((article, person) for person, articles in people for article in articles)

    def caps(self, facts: _Facts) -> set[str]:
        """The reasons of the caps that a problem is over."""
        config, person = self._config, self._names.person(facts.answer)
        is_over = {
            "passage-cap": 0 < config.max_per_passage <= self._passages[facts.passage],
            "event-cap": any(0 < config.max_per_event <= self._events[article, person] for article in facts.articles),
            "answer-cap": bool(config.max_per_answer) and self._answer_cap <= self._answers[person],
        }
        return {cap for cap, is_full in is_over.items() if is_full}


def _check_dropped(
    offered: dict[str, list[_Facts]], dropped: dict[str, str], full: _Full, recorder: CheckRecorder
) -> None:
    """Check that every alternative of a dropped article is over a cap, and the first one over that of the reason."""
    for name, alternatives in offered.items():
        recorder.count()
        caps = list(map(full.caps, alternatives))
        if not all(caps):
            recorder.fail(
                name, f"was dropped by {dropped[name]}, but no cap is full for {alternatives[caps.index(set())]}"
            )
        elif caps and dropped[name] not in caps[0]:
            recorder.fail(name, f"was dropped by {dropped[name]}, but its first problem is over {sorted(caps[0])}")
