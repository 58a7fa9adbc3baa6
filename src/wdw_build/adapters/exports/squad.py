"""Writes JSON in three forms of span extraction: SQuAD v1.1 (Rajpurkar et al. 2016), also flat, and QUOREF (Dasigi et al. 2019).

Each problem is one entry of ``data`` with one paragraph and one question, in the flat form without the levels between, as
scripts of Hugging Face read it; ``XXX`` marks the blank. The forms have no fields for the choices and the level. SQuAD's
forms have an answer for each mention of the person by full name. QUOREF compares the set of predicted spans with the set of
``answers``, so that the full name is one answer, at its first place.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.reading import BLANK
from wdw_build.records import Problem, SplitAssignment


def _files(folder: str, version: str) -> SplitFiles:
    head = b'{"version":"%s","data":[\n' % version.encode()
    return SplitFiles.flat(folder, ".json", head=head, foot=b"\n]}\n", between=b",\n")


class SquadExporter(SplitFileExporter):
    """Writes squad/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "squad 1"
    files = _files("squad/", "1.1")

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem."""
        return _entry(problem, {"context": problem.passage.text}, _full_name_answers(problem))


class FlatSquadExporter(SplitFileExporter):
    """Writes squad-flat/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "squad-flat 1"
    files = _files("squad-flat/", "1.1")

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem."""
        found = list(_full_name_answers(problem))
        answers = {field: [answer[field] for answer in found] for field in ("text", "answer_start")}
        passage = {"title": problem.passage.title, "context": problem.passage.text}
        return msgspec.json.encode(passage | _asked(problem, answers))


def _asked(problem: Problem, answers: Any) -> dict[str, Any]:
    """The question, with ``XXX`` for the blank, and these answers."""
    question = problem.question
    return {"id": problem.id, "question": question.left + BLANK + question.right, "answers": answers}


def _entry(problem: Problem, paragraph: dict[str, Any], answers: Iterable[dict[str, Any]], **fields: str) -> bytes:
    """The entry of a problem: its passage as a paragraph with one question, and these answers."""
    asked = _asked(problem, list(answers))
    return msgspec.json.encode(
        {"title": problem.passage.title, **fields, "paragraphs": [{**paragraph, "qas": [asked]}]}
    )


def _full_name_answers(problem: Problem) -> Iterator[dict[str, Any]]:
    """The answer at each mention that holds the full name, with any white space between its words."""
    choice, text = problem.choices[problem.answer], problem.passage.text
    name = re.compile(r"\s+".join(map(re.escape, choice.name.split())))
    for mention in choice.mentions:
        if match := name.search(text, mention.start, mention.end):
            yield {"text": match[0], "answer_start": match.start()}


class QuorefExporter(SplitFileExporter):
    """Writes quoref/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "quoref 1"
    files = _files("quoref/", "0.1")

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem. ``context_id`` is a hash of the context; articles have no ``url``."""
        text = problem.passage.text
        paragraph = {"context": text, "context_id": hashlib.sha256(text.encode()).hexdigest()}
        # Places of the name differ in white space at most, which QUOREF's evaluation ignores.
        return _entry(problem, paragraph, list(_full_name_answers(problem))[:1], url="")
