"""The questions of a collection: the adversary that answers each first, and their state, derived from the events."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib.metadata import entry_points
from typing import Literal, TypeAlias

import msgspec

from wdw_build.api import Backends, SpanAdversary, UsageError, printable
from wdw_build.records import TokenSpan
from wdw_study.collecting.rules import Draft
from wdw_study.event_log import Event, standing, value_of

# ---- the adversary ---------------------------------------------------------------------------------------------------

# What is asked so that the adversary loads its model and reads a passage.
READING = "Who?"
NO_ADVERSARY = "none"
_GROUP = "wdw_build.span_adversaries"


def span_adversary(name: str, backends: Backends) -> SpanAdversary | None:
    """The adversary of an entry point: a function of the backends and of ``bench.settings`` of its name; None for ``none``.

    Raises ``UsageError`` if no package has it, ``MissingResourceError`` if it lacks a model.
    """
    if name == NO_ADVERSARY:
        return None
    points = {point.name: point for point in entry_points(group=_GROUP)}
    if name not in points:
        raise UsageError(f"there is no adversary {name!r}", hint=f"known: {', '.join([*sorted(points), NO_ADVERSARY])}")
    adversary: SpanAdversary = points[name].load()(backends, backends.config.bench.settings.get(name, {}))
    return adversary


class AdversaryAnswer(msgspec.Struct, frozen=True):
    """The answer of an adversary to a question, as events store it."""

    identity: str
    """Name, version and model of the adversary."""
    spans: tuple[str, ...]
    """Texts of the spans that it extracted; empty: no answer."""
    score: float
    """Its confidence, in [0, 1]."""


class Answerer:
    """Asks an adversary one question at a time. Without an adversary, no question has an answer."""

    def __init__(self, adversary: SpanAdversary | None, report: Callable[[str], None]) -> None:
        self._adversary, self._report = adversary, report
        self._lock = threading.Lock()

    @property
    def exists(self) -> bool:
        """Whether there is an adversary."""
        return self._adversary is not None

    def ask(self, passage: str, question: str) -> AdversaryAnswer | None:
        """The adversary's answer; None without an adversary, or if it fails, which is reported."""
        if self._adversary is None:
            return None
        try:
            with self._lock:
                answer = self._adversary.answer(passage, question)
            return AdversaryAnswer(self._adversary.identity, tuple(answer.spans), float(answer.score))
        except Exception as error:
            self._report(f"the adversary failed: {printable(f'{type(error).__name__}: {error}')}")
            return None


# ---- the questions ---------------------------------------------------------------------------------------------------

WRITTEN, DELETED, REFUSED, VALIDATED = "written", "deleted", "refused", "validated"
# Groups of actions; undo takes back the last one of a group.
WRITING, VALIDATING = (WRITTEN, DELETED), (VALIDATED,)
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
        """The state without the questions, attempts and validations of some people."""
        questions = []
        for question in self.questions:
            validations = {person: value for person, value in question.validations.items() if person not in people}
            if question.writer not in people:
                questions.append(msgspec.structs.replace(question, validations=validations))
        refused = (attempt for attempt in self.refused if attempt.writer not in people)
        return State(tuple(questions), tuple(refused), self.events)

    def last(self, person: str, kinds: Sequence[str], passage: str = "") -> Event | None:
        """The person's last event of these kinds that can be undone; about this passage if one is given."""
        mine = (event for event in reversed(self.events) if event.person == person and event.kind in kinds)
        return next((event for event in mine if passage in ("", passage_of(event.subject))), None)


def passage_of(subject: str) -> str:
    """The passage of an event whose subject is a passage or a question."""
    return subject.partition("-")[0]


def state_of(events: Iterable[Event]) -> State:
    """The state after the events. The pages see to it that people change their own questions and validate those of others."""
    valid = standing(events)
    questions: dict[str, Question] = {}
    refused: list[Attempt] = []
    for event in valid:
        if event.kind == WRITTEN:
            name = f"{event.subject}-{event.number}"
            questions[name] = Question(name, event.subject, event.person, value_of(event, Written), {})
        elif event.kind == REFUSED:
            refused.append(Attempt(event.subject, event.person, value_of(event, Refused)))
        elif event.kind == DELETED and event.subject in questions:
            del questions[event.subject]
        elif event.kind == VALIDATED and event.subject in questions:
            questions[event.subject].validations[event.person] = value_of(event, Validation)
    return State(tuple(questions.values()), tuple(refused), tuple(valid))
