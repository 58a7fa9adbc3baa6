"""Writes JSON in the form of QUOREF (Dasigi et al. 2019): SQuAD's form, where the answers together are the answer.

QUOREF compares the set of predicted spans with the set of ``answers``, so that the full name of the person is one answer,
at its first place; SQuAD's form has an answer for each place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.adapters.exports.squad import QuestionAnswers, full_name_answers, question_answers
from wdw_build.records import Problem, SplitAssignment

_FILES = SplitFiles(
    train="quoref/train.json",
    relaxed="quoref/train.relaxed.json",
    validation="quoref/validation.json",
    test="quoref/test.json",
    head=b'{"version":"0.1","data":[\n',
    foot=b"\n]}\n",
    between=b",\n",
)


class Paragraph(msgspec.Struct, frozen=True):
    """A passage with its questions."""

    context: str
    context_id: str
    qas: tuple[QuestionAnswers, ...]


class Entry(msgspec.Struct, frozen=True):
    """An article with its passages; ``url`` is empty for an article of a corpus."""

    title: str
    url: str
    paragraphs: tuple[Paragraph, ...]


def encode_entries(entries: Iterable[Entry]) -> bytes:
    """A whole file: one line for each entry."""
    return _FILES.head + _FILES.between.join(map(msgspec.json.encode, entries)) + _FILES.foot


class QuorefExporter(SplitFileExporter):
    """Writes quoref/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "quoref 1"
    files = _FILES

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem. ``context_id`` is a hash of the context; articles have no ``url``."""
        passage = problem.passage
        # Places of the name differ in white space at most, which QUOREF's evaluation ignores.
        paragraph = Paragraph(
            context=passage.text,
            context_id=hashlib.sha256(passage.text.encode()).hexdigest(),
            qas=(question_answers(problem, list(full_name_answers(problem))[:1]),),
        )
        return msgspec.json.encode(Entry(passage.title, "", (paragraph,)))
