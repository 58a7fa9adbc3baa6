"""Caps of dedup: no cap is exceeded, and for every problem that a cap dropped, the cap was already full.

Whether two names belong to one person is ambiguous. To find an exceeded cap, only names with the same spelling count as
one person. To check a dropped problem, names that share a possibly identifying token, directly or through other names of
the choices, count as one person.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from typing import NamedTuple

from wdw_build.core.config.settings import DedupConfig
from wdw_build.records import Problem, Rejection
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
    passage: str
    articles: frozenset[str]
    answer: str


def _facts(problem: Problem) -> _Facts:
    names = [choice.name for choice in problem.choices]
    # The check ``answer`` reports an answer index out of range.
    answer = names[problem.answer] if 0 <= problem.answer < len(names) else problem.question.name.text
    return _Facts(problem.passage.article, frozenset((problem.id, problem.passage.article)), answer)


def _answer_cap(config: DedupConfig, kept: int) -> int:
    if config.max_per_answer >= 1:
        return int(config.max_per_answer)
    return max(config.min_answer_cap, math.floor(Fraction(str(config.max_per_answer)) * kept))


def check(files: RunFiles, config: DedupConfig, recorders: Recorders) -> None:
    """Check the caps, and the problems that they dropped."""
    kept = {problem.id: _facts(problem) for problem in files.records("dedup", Problem)}
    _check_limits(kept, config, recorders)
    dropped = {rejection.id: rejection for rejection in files.rejections("dedup") if rejection.reason in REASONS}
    if dropped:
        _check_dropped(files, config, kept, dropped, recorders["dropped-by-cap"])


def _check_limits(kept: dict[str, _Facts], config: DedupConfig, recorders: Recorders) -> None:
    passages = Counter(facts.passage for facts in kept.values())
    events = Counter((article, facts.answer.casefold()) for facts in kept.values() for article in facts.articles)
    answers = Counter(facts.answer.casefold() for facts in kept.values())
    for name, problem_facts in kept.items():
        written = problem_facts.answer.casefold()
        for cap in REASONS:
            recorders[cap].count()
        if config.max_per_passage and passages[problem_facts.passage] > config.max_per_passage:
            recorders["passage-cap"].fail(
                name, f"is one of {passages[problem_facts.passage]} with the passage {problem_facts.passage}"
            )
        for article in sorted(problem_facts.articles):
            if config.max_per_event and events[article, written] > config.max_per_event:
                recorders["event-cap"].fail(
                    name,
                    f"is one of {events[article, written]} with the answer {problem_facts.answer} and the article {article}",
                )
        if config.max_per_answer and answers[written] > _answer_cap(config, len(kept)):
            recorders["answer-cap"].fail(name, f"is one of {answers[written]} with the answer {problem_facts.answer}")


def _check_dropped(
    files: RunFiles,
    config: DedupConfig,
    kept: dict[str, _Facts],
    dropped: dict[str, Rejection],
    recorder: CheckRecorder,
) -> None:
    names, facts = _Names(), dict[str, _Facts]()
    for problem in files.records("choices", Problem):
        for choice in problem.choices:
            names.add(choice.name)
        if problem.id in dropped:
            facts[problem.id] = _facts(problem)
    passages, events, answers = Counter[str](), defaultdict[tuple[str, str], set[str]](set), Counter[str]()
    for name, problem_facts in kept.items():
        person = names.person(problem_facts.answer)
        passages[problem_facts.passage] += 1
        answers[person] += 1
        for article in problem_facts.articles:
            events[article, person].add(name)
    least = int(config.max_per_answer) if config.max_per_answer >= 1 else config.min_answer_cap
    for name, problem_facts in facts.items():
        recorder.count()
        person, rejection = names.person(problem_facts.answer), dropped[name]
        if rejection.reason == "passage-cap" and not 0 < config.max_per_passage <= passages[problem_facts.passage]:
            recorder.fail(name, f"only {passages[problem_facts.passage]} kept problems have its passage")
        if rejection.reason == "answer-cap" and not (config.max_per_answer and least <= answers[person]):
            recorder.fail(name, f"at most {answers[person]} kept problems have its answer")
        same_event = [events[article, person] for article in problem_facts.articles]
        if rejection.reason == "event-cap" and not any(
            rejection.detail in kept_ids and 0 < config.max_per_event <= len(kept_ids) for kept_ids in same_event
        ):
            recorder.fail(
                name, f"shares no event with {rejection.detail!r}, or its event has fewer kept problems than the cap"
            )
