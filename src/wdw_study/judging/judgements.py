"""Derives from the events of a sheet what each person answered, and what was decided.

Of each problem and kind of change, the last change that was not undone counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from wdw_study.event_log import Event, EventLog, standing, value_of

T = TypeVar("T")

ANSWERED, LABELLED, FAULTS_MARKED, NOTED = "answered", "labelled", "faults", "noted"
ADJUDICATED = "adjudicated"
CHANGES = (ANSWERED, LABELLED, FAULTS_MARKED, NOTED)
LONGEST_NOTE = 4000


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


def append_changes(log: EventLog, now: Judgement, values: Mapping[str, Any]) -> int:
    """Append the changes that turn a person's judgement into ``values``, by kind; how many they are."""
    known: dict[str, Any] = {FAULTS_MARKED: now.faults, NOTED: now.note, LABELLED: now.phenomena}
    if now.answered:
        known[ANSWERED] = now.answer
    changes = {kind: value for kind, value in values.items() if kind not in known or value != known[kind]}
    for kind, value in changes.items():
        log.append(now.person, kind, now.problem, value)
    return len(changes)


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


def by_problem(judgements: Iterable[Judgement]) -> dict[str, list[Judgement]]:
    """Problem -> its judgements, in their order."""
    grouped: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        grouped.setdefault(judgement.problem, []).append(judgement)
    return grouped


def person_judgements(person: str, events: Sequence[Event]) -> dict[str, Judgement]:
    """Problem -> what one person said of it, from the events of this person."""
    last: dict[str, dict[str, Event]] = {}
    for change in standing_changes(events):
        last.setdefault(change.subject, {})[change.kind] = change
    return {problem: _judgement(person, problem, changes) for problem, changes in last.items()}


def _judgement(person: str, problem: str, changes: dict[str, Event]) -> Judgement:
    answered = changes.get(ANSWERED)
    phenomena: tuple[str, ...] = _value(changes.get(LABELLED), tuple[str, ...], ())
    return Judgement(
        person=person,
        problem=problem,
        answer=_value(answered, int | None, None),
        answered=answered is not None or bool(phenomena),
        faults=_value(changes.get(FAULTS_MARKED), tuple[str, ...], ()),
        phenomena=phenomena,
        note=_value(changes.get(NOTED), str, ""),
    )


def _value(event: Event | None, kind: Any, default: T) -> T:
    return default if event is None else value_of(event, kind)


def adjudications_of(events: Iterable[Event]) -> list[Judgement]:
    """What was decided of each problem, by problem; of several decisions the last one."""
    decided: dict[str, Judgement] = {}
    for event in events:
        if event.kind == ADJUDICATED:
            value: Adjudication = value_of(event, Adjudication)
            fields = msgspec.structs.asdict(value)
            decided[event.subject] = Judgement(person=event.person, problem=event.subject, answered=True, **fields)
    return [decided[problem] for problem in sorted(decided)]
