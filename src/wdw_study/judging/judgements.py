"""Derives from the events of a sheet what each person answered, how long it took, and what was decided.

Of each problem and kind of change, the last change that was not undone counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from wdw_study.event_log import Event, standing, value_of

T = TypeVar("T")

SHOWN = "shown"
ANSWERED, LABELLED, FAULTS_MARKED, NOTED = "answered", "labelled", "faults", "noted"
ADJUDICATED = "adjudicated"
CHANGES = (ANSWERED, LABELLED, FAULTS_MARKED, NOTED)
# A page that was open for longer than this counts as this long: the reader was away.
LONGEST_SECONDS = 300.0


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """What one person said of one problem, after all changes and undos."""

    person: str
    """Name of the person."""
    problem: str
    """Id of the problem."""
    answer: int | None = None
    """Index of the answer in the choices of the problem; None: `cannot tell`, or no answer asked for."""
    answered: bool = False
    """Whether the person gave an answer (`cannot tell` is one), or labels for the task `phenomena`."""
    faults: tuple[str, ...] = ()
    """Labels of ``FAULTS``."""
    phenomena: tuple[str, ...] = ()
    """Labels of ``PHENOMENA``."""
    note: str = ""
    """Free text."""
    seconds: float | None = None
    """Time from the opening of the problem's page to the last answer, at most 300; null if unknown."""


class Adjudication(msgspec.Struct, frozen=True):
    """Value of the event ``adjudicated``."""

    answer: int | None
    """Index of the right answer in the choices; null: none is right, it cannot be told, or the task is `phenomena`."""
    faults: tuple[str, ...] = ()
    """Labels of ``FAULTS`` that the problem has."""
    note: str = ""
    """Free text."""
    phenomena: tuple[str, ...] = ()
    """Labels of ``PHENOMENA`` that hold, for the task `phenomena`."""


def standing_changes(events: Iterable[Event]) -> list[Event]:
    """The changes of one person that were not undone, in their order. Undo takes back the last of them."""
    return [event for event in standing(events) if event.kind in CHANGES]


def changes_to(now: Judgement, given: Mapping[str, Any]) -> dict[str, Any]:
    """The changes, by kind, that turn what a person said into what is ``given``; without those that change nothing."""
    known: dict[str, Any] = {FAULTS_MARKED: now.faults, NOTED: now.note, LABELLED: now.phenomena}
    if now.answered:
        known[ANSWERED] = now.answer
    return {kind: value for kind, value in given.items() if kind not in known or value != known[kind]}


def judgements_of(events: Iterable[Event]) -> list[Judgement]:
    """What every person said of every problem that the person changed something of, by person and problem."""
    by_person: dict[str, list[Event]] = {}
    for event in events:
        by_person.setdefault(event.person, []).append(event)
    return [
        judgement
        for person in sorted(by_person)
        for _, judgement in sorted(person_judgements(person, by_person[person]).items())
    ]


def person_judgements(person: str, events: Sequence[Event]) -> dict[str, Judgement]:
    """Problem -> what one person said of it, from the events of this person."""
    last: dict[str, dict[str, Event]] = {}
    for change in standing_changes(events):
        last.setdefault(change.subject, {})[change.kind] = change
    seconds = _seconds_at_answers(events)
    return {problem: _judgement(person, problem, changes, seconds) for problem, changes in last.items()}


def _judgement(person: str, problem: str, changes: dict[str, Event], seconds: dict[int, float]) -> Judgement:
    answered, labelled = changes.get(ANSWERED), changes.get(LABELLED)
    phenomena: tuple[str, ...] = _value(labelled, tuple[str, ...], ())
    timed = answered or labelled
    return Judgement(
        person=person,
        problem=problem,
        answer=_value(answered, int | None, None),
        answered=answered is not None or bool(phenomena),
        faults=_value(changes.get(FAULTS_MARKED), tuple[str, ...], ()),
        phenomena=phenomena,
        note=_value(changes.get(NOTED), str, ""),
        seconds=seconds.get(timed.number) if timed is not None else None,
    )


def _value(event: Event | None, kind: Any, default: T) -> T:
    return default if event is None else value_of(event, kind)


def _seconds_at_answers(events: Iterable[Event]) -> dict[int, float]:
    """Number of an answer -> seconds since its problem was shown. An imported answer has no time."""
    seconds: dict[int, float] = {}
    subject, since = "", 0.0
    for event in events:
        if event.kind == SHOWN:
            subject, since = event.subject, event.time
        elif event.kind in (ANSWERED, LABELLED) and event.subject == subject:
            seconds[event.number] = round(min(max(event.time - since, 0.0), LONGEST_SECONDS), 3)
    return seconds


def adjudications_of(events: Iterable[Event]) -> list[Judgement]:
    """What was decided of each problem, by problem; of several decisions the last one."""
    decided: dict[str, Judgement] = {}
    for event in events:
        if event.kind == ADJUDICATED:
            value: Adjudication = value_of(event, Adjudication)
            said = msgspec.structs.asdict(value)
            decided[event.subject] = Judgement(person=event.person, problem=event.subject, answered=True, **said)
    return [decided[problem] for problem in sorted(decided)]
