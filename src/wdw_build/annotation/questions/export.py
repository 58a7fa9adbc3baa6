"""Writes collected questions in QUOREF's form, and their statistics beside them. The same events give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from wdw_build.adapters.exports.squad import Answer, QuestionAnswers, QuorefEntry, QuorefParagraph, encode_entries
from wdw_build.annotation.questions.collection import CollectionFolder
from wdw_build.annotation.questions.measures import Table1, is_confirmed, table1
from wdw_build.annotation.questions.passages import Passage
from wdw_build.annotation.questions.state import Question
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import atomic_output
from wdw_build.errors import UsageError

QUESTIONS, STATISTICS = "questions.json", "statistics.json"


class ExportedQuestions(msgspec.Struct, frozen=True):
    """What was written."""

    folder: str
    files: tuple[str, ...]
    table1: Table1


def export_questions(
    opened: CollectionFolder, folder: Path, *, confirmed: bool = False, replace: bool = True
) -> ExportedQuestions:
    """Write the accepted questions, or only the confirmed ones. Raises ``UsageError`` if there are none."""
    text = {passage.id: passage.text for passage in opened.passages}
    questions = [
        question
        for question in opened.state().questions
        if not confirmed or is_confirmed(question, text[question.passage])
    ]
    if not questions:
        raise UsageError(
            f"the collection {opened.collection.name!r} has no {'confirmed' if confirmed else 'accepted'} question",
            hint="wdw-build collect -c FILE opens the pages on which people write and validate questions",
        )
    described = table1(questions, opened.passages)
    with atomic_output(folder, replace=replace) as staging:
        (staging / QUESTIONS).write_bytes(encode_entries(_entries(opened.passages, questions)))
        (staging / STATISTICS).write_bytes(jsonl.document(described))
    return ExportedQuestions(str(folder), (QUESTIONS, STATISTICS), described)


def _entries(passages: Sequence[Passage], questions: Sequence[Question]) -> list[QuorefEntry]:
    """An entry for each passage with questions, in the order of the collection; questions in the order of writing."""
    of = {passage.id: [question for question in questions if question.passage == passage.id] for passage in passages}
    return [
        QuorefEntry(
            passage.title,
            "",
            (QuorefParagraph(passage.text, passage.id, tuple(_asked(each, passage.text) for each in of[passage.id])),),
        )
        for passage in passages
        if of[passage.id]
    ]


def _asked(question: Question, text: str) -> QuestionAnswers:
    spans = sorted(question.written.spans)
    return QuestionAnswers(
        question.id, question.written.question, tuple(Answer(text[start:end], start) for start, end in spans)
    )
