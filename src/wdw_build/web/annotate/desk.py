"""What one annotator sees and does: a view of the sheet that holds neither the key nor what other people said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec
from fastapi import HTTPException
from starlette.datastructures import FormData

from wdw_build.annotation.draw import choice_order
from wdw_build.annotation.event_log import Event
from wdw_build.annotation.folder import SheetFolder
from wdw_build.annotation.judgements import (
    ANSWERED,
    FAULTS_MARKED,
    LABELLED,
    NOTED,
    UNDONE,
    is_paused,
    person_judgements,
    standing_changes,
)
from wdw_build.annotation.sheets import CANNOT_TELL, PHENOMENA, Judgement, SheetProblem
from wdw_build.reading import BLANK
from wdw_build.views.marks import Mark, Segment, segments

LONGEST_NOTE = 4000
Status = Literal["open", "answered", "faulty"]


class ShownChoice(NamedTuple):
    """A choice as the annotator sees it. ``value`` is its place in her own order, so that it tells nothing."""

    value: str
    name: str
    checked: bool


class ShownProblem(NamedTuple):
    """Everything that an annotator may see of a problem."""

    number: int
    question: tuple[Segment, ...]
    paragraphs: tuple[str, ...]
    choices: tuple[ShownChoice, ...]
    cannot_tell: bool
    given: str
    """The answer, for a sheet that asks for phenomena; else empty."""
    phenomena: tuple[str, ...]
    faults: tuple[str, ...]
    note: str


class Saved(NamedTuple):
    """The answer to a saved change."""

    status: Status
    answered: int


@dataclass(frozen=True)
class Desk:
    """A person at a sheet, with the person's own events."""

    folder: SheetFolder
    person: str
    events: tuple[Event, ...]

    @staticmethod
    def of(folder: SheetFolder, person: str) -> Desk:
        """The desk as it is now."""
        return Desk(folder, person, tuple(folder.log.events(person)))

    @property
    def is_paused(self) -> bool:
        """Whether the person paused."""
        return is_paused(self.events)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(standing_changes(self.events))

    def problem(self, number: int) -> SheetProblem:
        """The problem with its key. Raises 404 if the sheet has no such number."""
        if not 1 <= number <= len(self.folder.problems):
            raise HTTPException(404, f"The sheet has problems 1 to {len(self.folder.problems)}.")
        return self.folder.problems[number - 1]

    def statuses(self) -> list[Status]:
        """The state of every problem, in the order of the sheet."""
        known = person_judgements(self.person, self.events)
        return [_status(known.get(problem.id)) for problem in self.folder.problems]

    def next_open(self, after: int) -> int | None:
        """The next problem without an answer; after the last one, the search begins again. None: all are answered."""
        known = person_judgements(self.person, self.events)
        numbers = [problem.number for problem in self.folder.problems if not _is_answered(known.get(problem.id))]
        return next((number for number in numbers if number > after), numbers[0] if numbers else None)

    def shown(self, number: int) -> ShownProblem:
        """What the person sees of a problem."""
        problem = self.problem(number)
        judgement = self._judgement(problem)
        asks_answer = self.folder.sheet.task == "answer"
        chosen = judgement.answer if asks_answer and judgement.answered else None
        blanks = [Mark(*match.span(), "blank") for match in re.finditer(BLANK, problem.question)]
        order = self._order(problem)
        return ShownProblem(
            number=number,
            question=segments(problem.question, blanks),
            paragraphs=tuple(part.strip() for part in problem.passage.split("\n\n") if part.strip()),
            choices=tuple(
                ShownChoice(str(place), problem.choices[index], index == chosen) for place, index in enumerate(order)
            ),
            cannot_tell=asks_answer and judgement.answered and judgement.answer is None,
            given="" if asks_answer else problem.choices[problem.answer],
            phenomena=judgement.phenomena,
            faults=judgement.faults,
            note=judgement.note,
        )

    def save(self, number: int, form: FormData) -> Saved:
        """Append what a form changes, and return the new state.

        The form names the fields that its page changed. The others are left as they are, because another tab may have
        changed them since.
        """
        problem = self.problem(number)
        now = self._judgement(problem)
        for kind, value in self._given(problem, form):
            if value != _of(now, kind):
                self.folder.log.append(self.person, kind, problem.id, value)
        statuses = Desk.of(self.folder, self.person).statuses()
        return Saved(statuses[number - 1], len(statuses) - statuses.count("open"))

    def undo(self) -> int | None:
        """Take back the last change and return the number of its problem; None if there is nothing to undo."""
        changes = standing_changes(self.events)
        if not changes:
            return None
        last = changes[-1]
        self.folder.log.append(self.person, UNDONE, last.subject, last.number)
        return next((problem.number for problem in self.folder.problems if problem.id == last.subject), None)

    def _order(self, problem: SheetProblem) -> Sequence[int]:
        return choice_order(self.folder.sheet.seed, self.person, problem)

    def _judgement(self, problem: SheetProblem) -> Judgement:
        empty = Judgement(person=self.person, problem=problem.id)
        return person_judgements(self.person, self.events).get(problem.id, empty)

    def _given(self, problem: SheetProblem, form: FormData) -> Iterator[tuple[str, Any]]:
        """The kinds and values of the changes in a form. An answer that was not chosen is no change."""
        changed = str(form.get("changed", "")).split()
        if "answer" in changed and "answer" in form and self.folder.sheet.task == "answer":
            yield ANSWERED, self._answer(problem, str(form["answer"]))
        if "phenomenon" in changed and self.folder.sheet.task == "phenomena":
            yield LABELLED, labels_of(form, "phenomenon", PHENOMENA)
        if "fault" in changed:
            yield FAULTS_MARKED, labels_of(form, "fault", self.folder.sheet.faults)
        if "note" in changed:
            yield NOTED, note_of(form)

    def _answer(self, problem: SheetProblem, value: str) -> int | None:
        if value == CANNOT_TELL:
            return None
        order = self._order(problem)
        places = {str(place): index for place, index in enumerate(order)}
        if value not in places:
            raise HTTPException(400, "The problem has no such choice. Reload the page.")
        return places[value]


def _of(judgement: Judgement, kind: str) -> Any:
    """The value of a kind of change in a judgement; ``msgspec.UNSET`` for an answer that was not given."""
    return {
        FAULTS_MARKED: judgement.faults,
        NOTED: judgement.note,
        LABELLED: judgement.phenomena,
        ANSWERED: judgement.answer if judgement.answered else msgspec.UNSET,
    }[kind]


def _is_answered(judgement: Judgement | None) -> bool:
    return judgement is not None and judgement.answered


def _status(judgement: Judgement | None) -> Status:
    if judgement is None or not judgement.answered:
        return "open"
    return "faulty" if judgement.faults else "answered"


def labels_of(form: FormData, field: str, known: dict[str, str]) -> tuple[str, ...]:
    """The ticked labels of a form, in the order in which they are known. Raises 400 for an unknown one."""
    given = {str(value) for value in form.getlist(field)}
    if not given <= set(known):
        raise HTTPException(400, "The form has an unknown label. Reload the page.")
    return tuple(label for label in known if label in given)


def note_of(form: FormData) -> str:
    """The note of a form. Raises 400 if it is too long."""
    note = str(form.get("note", "")).replace("\r\n", "\n").strip()
    if len(note) > LONGEST_NOTE:
        raise HTTPException(400, f"A note has at most {LONGEST_NOTE} characters.")
    return note
