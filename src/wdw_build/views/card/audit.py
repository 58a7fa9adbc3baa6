"""The audit of a finished run: one pass over its problems, and further ones over passages that are compared."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import cast

from wdw_build.core.config.settings import Config
from wdw_build.core.run.progress import Bar, Progress
from wdw_build.core.store.output import Output
from wdw_build.records import Problem, SplitAssignment
from wdw_build.views.card.audit_results import Audit, Border, SplitAudit
from wdw_build.views.card.counts import CalendarCounter, NameCounter
from wdw_build.views.card.overlap import TRAINING, OverlapCounter
from wdw_build.views.card.skew import SkewCounter
from wdw_build.views.quality import SPLITS
from wdw_build.views.summary import Summary, groups


class _SplitCounter:
    """One split, counted problem by problem."""

    def __init__(self) -> None:
        self.problems = 0
        self.skew, self.names, self.calendar = SkewCounter(), NameCounter(), CalendarCounter()

    def add(self, problem: Problem, *, held_out: bool) -> None:
        self.problems += 1
        self.skew.add(problem, prior=held_out)
        self.names.add(problem)
        self.calendar.add(problem)


class _BorderCounter:
    """The days on the two sides of the border between training and held-out time."""

    def __init__(self) -> None:
        self._training: list[dt.date] = []
        self._held_out: list[dt.date] = []
        self._passages: tuple[list[dt.date], list[dt.date]] = ([], [])

    def add(self, problem: Problem, *, held_out: bool) -> None:
        (self._held_out if held_out else self._training).append(problem.date)
        self._passages[held_out].append(problem.passage.date)

    def close(self) -> Border:
        last, first = max(self._training, default=None), min(self._held_out, default=None)
        return Border(
            last_training_day=last,
            first_held_out_day=first,
            training_passages_beyond=sum(first is not None and day >= first for day in self._passages[0]),
            held_out_passages_before=sum(last is not None and day <= last for day in self._passages[1]),
        )


def audit(outputs: dict[str, Output], config: Config, summary: Summary, progress: Progress) -> Audit:
    """The audit; the same outputs give the same audit."""
    places = {one.id: one for one in cast(Iterator[SplitAssignment], outputs["split"].records())}
    splits = {name: _SplitCounter() for name in SPLITS}
    overlap, border = OverlapCounter(config.split.event_days), _BorderCounter()
    with progress.bar("audit", len(places), "problems") as bar:
        for problem in _problems(outputs["dedup"], places):
            held_out = places[problem.id].split != "train"
            for name in groups(places[problem.id]):
                splits[name].add(problem, held_out=held_out)
            overlap.add(problem, places[problem.id].split if held_out else TRAINING)
            border.add(problem, held_out=held_out)
            bar.advance()

    with progress.bar("passages", None, "passages") as bar:

        def reread(articles: frozenset[str]) -> Iterator[tuple[str, str]]:
            return _passages(outputs["dedup"], places, articles, bar)

        shared, events = overlap.close(reread)
    training = splits[TRAINING].names.answers
    return Audit(
        run=summary.run,
        fingerprint=summary.fingerprint,
        overlap=shared,
        events=events,
        border=border.close(),
        splits={
            name: SplitAudit(one.problems, one.skew.close(training), one.names.close(training), one.calendar.close())
            for name, one in splits.items()
        },
    )


def _problems(dedup: Output, places: dict[str, SplitAssignment]) -> Iterator[Problem]:
    """The problems that have a place, in the order of the stage."""
    return (one for one in cast(Iterator[Problem], dedup.records()) if one.id in places)


def _passages(
    dedup: Output, places: dict[str, SplitAssignment], articles: frozenset[str], bar: Bar
) -> Iterator[tuple[str, str]]:
    """The passages of these articles, each once: (article, text)."""
    left = set(articles)
    for problem in _problems(dedup, places) if left else ():
        if problem.passage.article in left:
            left.remove(problem.passage.article)
            bar.advance()
            yield problem.passage.article, problem.passage.text
