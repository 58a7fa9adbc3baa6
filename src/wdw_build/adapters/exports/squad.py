"""Writes JSON in two forms of span extraction: SQuAD v1.1 (Rajpurkar et al. 2016) and QUOREF (Dasigi et al. 2019).

Each problem is one entry of ``data`` with one paragraph and one question; ``XXX`` marks the blank. The forms have no
fields for the choices and the level. SQuAD's form has an answer for each mention of the person by full name. QUOREF
compares the set of predicted spans with the set of ``answers``, so that the full name is one answer, at its first place.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

import msgspec

from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.reading import BLANK
from wdw_build.records import Problem, SplitAssignment


def _files(folder: str, version: str) -> SplitFiles:
    head = b'{"version":"%s","data":[\n' % version.encode()
    return SplitFiles.flat(folder, ".json", head=head, foot=b"\n]}\n", between=b",\n")


_QUOREF_FILES = _files("quoref/", "0.1")


class Answer(msgspec.Struct, frozen=True):
    """A stretch of the passage; ``answer_start`` is the offset of its first character."""

    text: str
    answer_start: int


class QuestionAnswers(msgspec.Struct, frozen=True):
    """A question with its answers."""

    id: str
    question: str
    answers: tuple[Answer, ...]


class SquadExporter(SplitFileExporter):
    """Writes squad/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "squad 1"
    files = _files("squad/", "1.1")

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem."""
        paragraph = {"context": problem.passage.text, "qas": [_question_answers(problem, _full_name_answers(problem))]}
        return msgspec.json.encode({"title": problem.passage.title, "paragraphs": [paragraph]})


def _question_answers(problem: Problem, answers: Iterable[Answer]) -> QuestionAnswers:
    """The question of a problem, with ``XXX`` for the blank, and these answers."""
    question = problem.question
    return QuestionAnswers(problem.id, question.left + BLANK + question.right, tuple(answers))


def _full_name_answers(problem: Problem) -> Iterator[Answer]:
    """The answer at each mention that holds the full name, with any white space between its words."""
    choice, text = problem.choices[problem.answer], problem.passage.text
    name = re.compile(r"\s+".join(map(re.escape, choice.name.split())))
    for mention in choice.mentions:
        if match := name.search(text, mention.start, mention.end):
            yield Answer(match[0], match.start())


class QuorefParagraph(msgspec.Struct, frozen=True):
    """A passage with its questions."""

    context: str
    context_id: str
    qas: tuple[QuestionAnswers, ...]


class QuorefEntry(msgspec.Struct, frozen=True):
    """An article with its passages; ``url`` is empty for an article of a corpus."""

    title: str
    url: str
    paragraphs: tuple[QuorefParagraph, ...]


class QuorefExporter(SplitFileExporter):
    """Writes quoref/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "quoref 1"
    files = _QUOREF_FILES

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem. ``context_id`` is a hash of the context; articles have no ``url``."""
        passage = problem.passage
        # Places of the name differ in white space at most, which QUOREF's evaluation ignores.
        paragraph = QuorefParagraph(
            context=passage.text,
            context_id=hashlib.sha256(passage.text.encode()).hexdigest(),
            qas=(_question_answers(problem, list(_full_name_answers(problem))[:1]),),
        )
        return msgspec.json.encode(QuorefEntry(passage.title, "", (paragraph,)))
