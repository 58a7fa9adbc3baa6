"""Derives from the events of a sheet what each person answered, how long it took, and what undo takes back.

The state is a pure function of the events, so nothing is ever overwritten. Of each problem and kind of change, the last
change that was not undone counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from wdw_study.event_log import Event, value_of
from wdw_study.people import SIGNED_IN
from wdw_study.sheets import Judgement

T = TypeVar("T")

SHOWN, HIDDEN, VISIBLE = "shown", "hidden", "visible"
ANSWERED, LABELLED, FAULTS_MARKED, NOTED = "answered", "labelled", "faults", "noted"
PAUSED, RESUMED, UNDONE, ADJUDICATED = "paused", "resumed", "undone", "adjudicated"
CHANGES = (ANSWERED, LABELLED, FAULTS_MARKED, NOTED)
# A gap between two events that is longer than this counts as this long: the reader was away.
LONGEST_GAP_SECONDS = 300.0


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
    changes: dict[int, Event] = {}
    for event in events:
        if event.kind in CHANGES:
            changes[event.number] = event
        elif event.kind == UNDONE:
            changes.pop(value_of(event, int), None)
    return list(changes.values())


def changes_to(now: Judgement, given: Mapping[str, Any]) -> dict[str, Any]:
    """The changes, by kind, that turn what a person said into what is ``given``; without those that change nothing."""
    known: dict[str, Any] = {FAULTS_MARKED: now.faults, NOTED: now.note, LABELLED: now.phenomena}
    if now.answered:
        known[ANSWERED] = now.answer
    return {kind: value for kind, value in given.items() if kind not in known or value != known[kind]}


def is_paused(events: Iterable[Event]) -> bool:
    """Whether a person paused and has not gone on."""
    kinds = [event.kind for event in events if event.kind in (PAUSED, RESUMED)]
    return bool(kinds) and kinds[-1] == PAUSED


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


def answer_of(event: Event) -> int | None:
    """The index of the choice that an answer or an adjudication gives; None if it gives none."""
    if event.kind == ADJUDICATED:
        return _value(event, Adjudication, Adjudication(None)).answer
    return _value(event, int | None, None) if event.kind == ANSWERED else None


def adjudications_of(events: Iterable[Event]) -> list[Judgement]:
    """What was decided of each problem, by problem; of several decisions the last one."""
    decided: dict[str, Judgement] = {}
    for event in events:
        if event.kind == ADJUDICATED:
            value: Adjudication = value_of(event, Adjudication)
            said = msgspec.structs.asdict(value)
            decided[event.subject] = Judgement(person=event.person, problem=event.subject, answered=True, **said)
    return [decided[problem] for problem in sorted(decided)]


# ---- time ------------------------------------------------------------------------------------------------------------


def _seconds_at_answers(events: Iterable[Event]) -> dict[int, float]:
    """Number of an answer -> seconds that its problem had been open and visible by then, pauses left out.

    An answer to a problem that was never shown, such as an imported one, has no time.
    """
    clock, seconds = _ReadingClock(), dict[int, float]()
    for event in events:
        clock.advance(event)
        if event.kind in (ANSWERED, LABELLED) and event.subject in clock.spent:
            seconds[event.number] = round(clock.spent[event.subject], 3)
    return seconds


class _ReadingClock:
    """Sums the time that each problem is in front of one person."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._open = ""
        self._last = 0.0

    def advance(self, event: Event) -> None:
        """Count the time since the last event, then open or close a problem."""
        if self._open:
            self.spent[self._open] += min(max(event.time - self._last, 0.0), LONGEST_GAP_SECONDS)
        self._last = event.time
        if event.kind in (SHOWN, VISIBLE):
            self._open = event.subject
            self.spent.setdefault(event.subject, 0.0)
        elif event.kind in (SIGNED_IN, PAUSED) or (event.kind == HIDDEN and event.subject == self._open):
            self._open = ""
