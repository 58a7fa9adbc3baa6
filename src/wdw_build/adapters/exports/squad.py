"""Writes SQuAD v1.1 JSON (Rajpurkar et al. 2016): the answers are all mentions of the person by full name.

Each problem is one entry of ``data`` with one paragraph and one question; ``XXX`` marks the blank. The format has no
fields for the choices and the level.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.reading import BLANK
from wdw_build.records import Problem, SplitAssignment

_FILES = SplitFiles(
    train="squad/train.json",
    relaxed="squad/train.relaxed.json",
    validation="squad/validation.json",
    test="squad/test.json",
    head=b'{"version":"1.1","data":[\n',
    foot=b"\n]}\n",
    between=b",\n",
)


class Answer(msgspec.Struct, frozen=True):
    """A stretch of the passage; ``answer_start`` is the offset of its first character."""

    text: str
    answer_start: int


class QuestionAnswers(msgspec.Struct, frozen=True):
    """A question with its answers."""

    id: str
    question: str
    answers: tuple[Answer, ...]


class _Paragraph(msgspec.Struct, frozen=True):
    context: str
    qas: tuple[QuestionAnswers, ...]


class _Entry(msgspec.Struct, frozen=True):
    title: str
    paragraphs: tuple[_Paragraph, ...]


class SquadExporter(SplitFileExporter):
    """Writes squad/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "squad 1"
    files = _FILES

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem."""
        paragraph = _Paragraph(problem.passage.text, (question_answers(problem, full_name_answers(problem)),))
        entry = _Entry(problem.passage.title, (paragraph,))
        return msgspec.json.encode(entry)


def question_answers(problem: Problem, answers: Iterable[Answer]) -> QuestionAnswers:
    """The question of a problem, with ``XXX`` for the blank, and these answers."""
    question = problem.question
    return QuestionAnswers(problem.id, question.left + BLANK + question.right, tuple(answers))


def full_name_answers(problem: Problem) -> Iterator[Answer]:
    """The answer at each mention that holds the full name, with any white space between its words."""
    choice, text = problem.choices[problem.answer], problem.passage.text
    name = re.compile(r"\s+".join(map(re.escape, choice.name.split())))
    for mention in choice.mentions:
        if match := name.search(text, mention.start, mention.end):
            yield Answer(match[0], match.start())
