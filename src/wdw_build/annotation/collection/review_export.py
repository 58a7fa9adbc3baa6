"""What people said of the questions of a collection, as a JSON object per line: answers, verdicts and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from wdw_build.annotation.collection.passages import texts
from wdw_build.annotation.collection.question_scores import agrees, scored_answer
from wdw_build.annotation.collection.question_state import Question, Verdict
from wdw_build.records import TokenSpan

VALIDATIONS = "validations.jsonl"


class ExportedValidation(msgspec.Struct, frozen=True, kw_only=True):
    """What one person said of one question: a line of ``validations.jsonl``."""

    question: str
    """Id of the question in `questions.json`."""
    passage: str
    """Id of the passage, the `context_id` of `questions.json`."""
    writer: str
    """Name of the person who wrote the question."""
    person: str
    """Name of the person who validated or labelled it."""
    verdict: Verdict | None
    """`answerable`, `ambiguous`, `no-coreference` or `broken`; null if the person only labelled."""
    spans: tuple[TokenSpan, ...]
    """Start and end of the marked answers in the passage, in code points."""
    answers: tuple[str, ...]
    """Text of the marked answers."""
    exact_match: float | None
    """Exact match with the writer's answer; null without a verdict."""
    f1: float | None
    """F1 with the writer's answer; null without a verdict."""
    agrees: bool | None
    """Whether the person agrees with the writer; null without a verdict."""
    phenomena: tuple[str, ...] | None
    """The labels that the person gave, none if no coreference is needed; null if she gave no labels."""


def exported_validations(questions: Sequence[Question], text: Mapping[str, str]) -> Iterator[ExportedValidation]:
    """The validations and labels of some questions, by question and name; ``text``: id of a passage -> its text."""
    for question in questions:
        for person in sorted({*question.validations, *question.labels}):
            yield _exported(question, person, text[question.passage])


def _exported(question: Question, person: str, text: str) -> ExportedValidation:
    validation, labels = question.validations.get(person), question.labels.get(person)
    scored = scored_answer(validation, question, text) if validation else None
    spans = validation.spans if validation else ()
    return ExportedValidation(
        question=question.id,
        passage=question.passage,
        writer=question.writer,
        person=person,
        verdict=validation.verdict if validation else None,
        spans=spans,
        answers=texts(text, spans),
        exact_match=scored.exact_match if scored else None,
        f1=scored.f1 if scored else None,
        agrees=agrees(validation, question, text) if validation else None,
        phenomena=labels.phenomena if labels else None,
    )
