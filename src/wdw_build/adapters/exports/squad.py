"""Writes JSON in three forms of span extraction: SQuAD v1.1 (Rajpurkar et al. 2016), also flat, and QUOREF (Dasigi et al. 2019).

Each problem is one entry of ``data`` with one paragraph and one question, in the flat form without the levels between, as
scripts of Hugging Face read it; ``XXX`` marks the blank. The forms have no fields for the choices and the level. SQuAD's
forms have an answer for each mention of the person by full name. QUOREF compares the set of predicted spans with the set of
``answers``, so that the full name is one answer, at its first place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from wdw_build.adapters.exports.jsonl import PassageLine, problem_line
from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.records import Problem, SplitAssignment
from wdw_build.text.names.name import in_text


def _files(folder: str, version: str) -> SplitFiles:
    head = b'{"version":"%s","data":[\n' % version.encode()
    return SplitFiles.flat(folder, ".json", head=head, foot=b"\n]}\n", between=b",\n")


class SquadExporter(SplitFileExporter):
    """Writes squad/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "squad 2"
    files = _files("squad/", "1.1")

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem."""
        line = problem_line(problem, placed)
        asked = {"id": line.id, "question": line.question.text}
        return msgspec.json.encode(self.entry(line.passage, asked, list(_full_name_answers(problem))))

    def entry(self, passage: PassageLine, asked: dict[str, Any], answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The entry of a question about a passage, with an answer for each mention by full name."""
        paragraph = {"context": passage.text, "qas": [asked | {"answers": answers}]}
        return {"title": passage.title, "paragraphs": [paragraph]}


class FlatSquadExporter(SquadExporter):
    """Writes squad-flat/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "squad-flat 2"
    files = _files("squad-flat/", "1.1")

    def entry(self, passage: PassageLine, asked: dict[str, Any], answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The entry, with a list of the answers' texts and one of their places."""
        lists = {field: [answer[field] for answer in answers] for field in ("text", "answer_start")}
        return {"title": passage.title, "context": passage.text, **asked, "answers": lists}


class QuorefExporter(SquadExporter):
    """Writes quoref/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "quoref 2"
    files = _files("quoref/", "0.1")

    def entry(self, passage: PassageLine, asked: dict[str, Any], answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The entry with one answer. ``context_id`` is a hash of the context; articles have no ``url``."""
        # Places of the name differ in white space at most, which QUOREF's evaluation ignores.
        qas = [asked | {"answers": answers[:1]}]
        identified = {"context": passage.text, "context_id": hashlib.sha256(passage.text.encode()).hexdigest()}
        return {"title": passage.title, "url": "", "paragraphs": [identified | {"qas": qas}]}


def _full_name_answers(problem: Problem) -> Iterator[dict[str, Any]]:
    """The answer at each mention that has the full name, in any case and with any white space between its words."""
    choice, text = problem.choices[problem.answer], problem.passage.text
    name = in_text(choice.name)
    for mention in choice.mentions:
        if match := name.search(text, mention.start, mention.end):
            yield {"text": match[0], "answer_start": match.start()}
