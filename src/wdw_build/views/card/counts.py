"""Names, days and sources of one split, counted problem by problem."""

from __future__ import annotations

import datetime as dt
from collections import Counter

from wdw_build.records import Problem
from wdw_build.text.names.matching import name_words
from wdw_build.views.card.audit_results import Calendar, Common, NameFacts

_MOST_COMMON = 10


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def _most_first(found: Counter[str]) -> list[tuple[str, int]]:
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


class NameCounter:
    """Names of choices and answers."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()
        self._choices: Counter[str] = Counter()
        self._words = self._one_word = self._mentions = 0

    def add(self, problem: Problem) -> None:
        """Count a problem."""
        self.answers[problem.choices[problem.answer].name] += 1
        for choice in problem.choices:
            words = len(name_words(choice.name))
            self._choices[choice.name] += 1
            self._words += words
            self._one_word += words == 1
            self._mentions += len(choice.mentions)

    def close(self, training: Counter[str]) -> NameFacts:
        """The facts; ``training``: how often each name is an answer in training."""
        answers, choices = self.answers.total(), self._choices.total()
        seen = sum(count for name, count in self.answers.items() if training[name])
        return NameFacts(
            distinct_choices=len(self._choices),
            distinct_answers=len(self.answers),
            words_per_choice=_share(self._words, choices),
            one_word_choices=_share(self._one_word, choices),
            mentions_per_choice=_share(self._mentions, choices),
            answers_seen=_share(seen, answers),
            most_common=tuple(
                Common(name, count, _share(count, answers)) for name, count in _most_first(self.answers)[:_MOST_COMMON]
            ),
        )


class CalendarCounter:
    """Days, sources, windows and numbers of choices."""

    def __init__(self) -> None:
        self._days: tuple[dt.date, dt.date] | None = None
        self._same = 0
        self._months: Counter[str] = Counter()
        self._questions: Counter[str] = Counter()
        self._passages: Counter[str] = Counter()
        self._windows: Counter[int] = Counter()
        self._choices: Counter[int] = Counter()

    def add(self, problem: Problem) -> None:
        """Count a problem."""
        first, last = self._days or (problem.date, problem.date)
        self._days = min(first, problem.date), max(last, problem.date)
        self._months[f"{problem.date:%Y-%m}"] += 1
        self._questions[problem.question.source] += 1
        self._passages[problem.passage.source] += 1
        self._same += problem.question.source == problem.passage.source
        self._windows[problem.window] += 1
        self._choices[len(problem.choices)] += 1

    def close(self) -> Calendar:
        """The facts."""
        first, last = self._days or (None, None)
        return Calendar(
            first_day=first,
            last_day=last,
            months=dict(sorted(self._months.items())),
            question_sources=dict(_most_first(self._questions)),
            passage_sources=dict(_most_first(self._passages)),
            same_source=self._same,
            windows={str(days): count for days, count in sorted(self._windows.items())},
            choices={str(size): count for size, count in sorted(self._choices.items())},
        )
