"""What the owner sees: how far each person is, and the problems to adjudicate."""

from __future__ import annotations

import datetime as dt
import statistics
from typing import NamedTuple

from wdw_build.annotation.folder import SheetFolder
from wdw_build.annotation.judgements import ADJUDICATED
from wdw_build.annotation.score.disagreements import reasons_to_adjudicate
from wdw_build.annotation.sheets import Judged, Judgement, SheetProblem


class PersonProgress(NamedTuple):
    """How far a person is."""

    name: str
    answered: int
    cannot_tell: int
    faulty: int
    median_seconds: float | None
    """Median of the seconds a problem; None if no time is known."""
    last_seen: str
    """Date and time (UTC) of the last event."""


class Case(NamedTuple):
    """A problem to adjudicate."""

    problem: SheetProblem
    reasons: tuple[str, ...]
    judgements: tuple[Judgement, ...]
    decided: Judgement | None


def progress_of(folder: SheetFolder, judged: Judged) -> list[PersonProgress]:
    """The progress of everyone who signed in, in the order of signing in."""
    last_times = {event.person: event.time for event in folder.log.events() if event.kind != ADJUDICATED}
    return [
        _progress(name, time, [judgement for judgement in judged.judgements if judgement.person == name])
        for name, time in last_times.items()
    ]


def _progress(name: str, time: float, judgements: list[Judgement]) -> PersonProgress:
    answered = [judgement for judgement in judgements if judgement.answered]
    seconds = [judgement.seconds for judgement in answered if judgement.seconds is not None]
    return PersonProgress(
        name=name,
        answered=len(answered),
        cannot_tell=sum(judgement.answer is None and not judgement.phenomena for judgement in answered),
        faulty=sum(bool(judgement.faults) for judgement in judgements),
        median_seconds=statistics.median(seconds) if seconds else None,
        last_seen=f"{dt.datetime.fromtimestamp(time, dt.UTC):%Y-%m-%d %H:%M} UTC",
    )


def cases_of(judged: Judged) -> list[Case]:
    """The problems to adjudicate: people differ, nobody chose the key, or somebody marked a fault."""
    decided = {judgement.problem: judgement for judgement in judged.adjudicated}
    by_problem: dict[str, list[Judgement]] = {}
    for judgement in judged.judgements:
        by_problem.setdefault(judgement.problem, []).append(judgement)
    cases = []
    for problem in judged.problems:
        judgements = tuple(by_problem.get(problem.id, ()))
        reasons = reasons_to_adjudicate(problem, judgements, judged.sheet.task)
        if reasons:
            cases.append(Case(problem, reasons, judgements, decided.get(problem.id)))
    return cases
