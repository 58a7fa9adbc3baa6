"""The questions of a collection, derived from its events: what was written, refused, deleted, validated and labelled.

A validation is blind: as soon as a person was shown the writer's answer, she can neither validate the question nor undo her
validation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar

import msgspec

from wdw_build.records import TokenSpan
from wdw_study.collecting.adversary import AdversaryAnswer
from wdw_study.collecting.rules import Draft
from wdw_study.event_log import Event, standing, value_of
from wdw_study.judging.sheets import PHENOMENA

T = TypeVar("T")

WRITTEN, DELETED, REFUSED, VALIDATED, LABELLED = "written", "deleted", "refused", "validated", "labelled"
# The person was shown the writer's answer (subject: the question).
ANSWER_SHOWN = "answer-shown"
# Groups of actions; undo takes back the last one of a group.
WRITING, VALIDATING, LABELLING = (WRITTEN, DELETED), (VALIDATED,), (LABELLED,)
# QUOREF's Table 2; without a label, a question needs no coreference.
LABELS = {name: meaning for name, meaning in PHENOMENA.items() if name != "named"}
Verdict: TypeAlias = Literal["answerable", "ambiguous", "no-coreference", "broken"]
VERDICTS: dict[Verdict, str] = {
    "answerable": "the passage gives one answer (one or several names), which I marked",
    "ambiguous": "several answers are right, or none",
    "no-coreference": "one sentence gives the answer; nothing must be linked",
    "broken": "the question is not understandable",
}


class Written(Draft, frozen=True):
    """The value of ``written`` (subject: the passage)."""

    adversary: AdversaryAnswer | None
    """None: the question is unchecked."""


class Refused(Written, frozen=True):
    """The value of ``refused`` (subject: the passage)."""

    rules: tuple[str, ...]
    """Names of ``RULES``."""


class Validation(msgspec.Struct, frozen=True):
    """The value of ``validated`` (subject: the question)."""

    verdict: Verdict
    spans: tuple[TokenSpan, ...] = ()
    """What the validator marked; empty unless the verdict is `answerable`."""


class Question(msgspec.Struct, frozen=True):
    """An accepted question."""

    id: str
    """Id of the passage and number of the event that wrote the question, with a hyphen between."""
    passage: str
    writer: str
    written: Written
    validations: dict[str, Validation]
    """The last validation of each person."""
    labels: dict[str, tuple[str, ...]]
    """The last labels of each person, of ``LABELS``; none: no coreference is needed."""
    informed: set[str]
    """People other than the writer who were shown the answer."""

    def may_validate(self, person: str) -> bool:
        """Whether a person can still answer the question without knowing the writer's answer."""
        return person != self.writer and person not in self.informed

    def shows_answer_to(self, person: str) -> bool:
        """Whether a person wrote or validated the question, or knows its answer; others may still be asked to answer it."""
        return person in self.validations or not self.may_validate(person)


class Attempt(msgspec.Struct, frozen=True):
    """A question that a rule refused."""

    passage: str
    writer: str
    refused: Refused


class State(msgspec.Struct, frozen=True):
    """Everything that people did with a collection."""

    questions: tuple[Question, ...]
    """The accepted questions in the order in which they were first written, without the deleted ones."""
    refused: tuple[Attempt, ...]
    """All refused attempts, in order."""
    events: tuple[Event, ...]
    """The events that were not undone."""

    def of(self, passage: str) -> list[Question]:
        """The questions of a passage."""
        return [question for question in self.questions if question.passage == passage]

    def find(self, question: str) -> Question | None:
        """The question with this id."""
        return next((known for known in self.questions if known.id == question), None)

    def without(self, people: Collection[str]) -> State:
        """The state without the questions, attempts, validations and labels of some people."""

        def of_others(given: dict[str, T]) -> dict[str, T]:
            return {person: value for person, value in given.items() if person not in people}

        questions = (
            msgspec.structs.replace(each, validations=of_others(each.validations), labels=of_others(each.labels))
            for each in self.questions
            if each.writer not in people
        )
        refused = (attempt for attempt in self.refused if attempt.writer not in people)
        return State(tuple(questions), tuple(refused), self.events)

    def last(self, person: str, kinds: Sequence[str], passage: str = "") -> Event | None:
        """The person's last event of these kinds that can be undone; about this passage if one is given."""
        return next(
            (
                event
                for event in reversed(self.events)
                if event.person == person
                and event.kind in kinds
                and passage in ("", passage_of(event.subject))
                and not self._is_final(event)
            ),
            None,
        )

    def _is_final(self, event: Event) -> bool:
        """Whether the event is a validation by a person who was shown the answer later."""
        question = self.find(event.subject) if event.kind == VALIDATED else None
        return question is not None and event.person in question.informed


def passage_of(subject: str) -> str:
    """The passage of an event whose subject is a passage or a question."""
    return subject.partition("-")[0]


def state_of(events: Iterable[Event]) -> State:
    """The state after the events."""
    kept = standing(events)
    questions: dict[str, Question] = {}
    refused: list[Attempt] = []
    for event in kept:
        if event.kind == WRITTEN:
            name = f"{event.subject}-{event.number}"
            questions[name] = Question(name, event.subject, event.person, value_of(event, Written), {}, {}, set())
        elif event.kind == REFUSED:
            refused.append(Attempt(event.subject, event.person, value_of(event, Refused)))
        elif event.subject in questions:
            _change(questions, event)
    return State(tuple(questions.values()), tuple(refused), tuple(kept))


def _change(questions: dict[str, Question], event: Event) -> None:
    """Apply an event about a question, if the person may do this."""
    question, person = questions[event.subject], event.person
    if event.kind == DELETED and person == question.writer:
        del questions[question.id]
    elif event.kind == ANSWER_SHOWN and person != question.writer:
        question.informed.add(person)
    elif event.kind == VALIDATED and question.may_validate(person):
        question.validations[person] = value_of(event, Validation)
    elif event.kind == LABELLED and question.shows_answer_to(person):
        question.labels[person] = value_of(event, tuple[str, ...])
