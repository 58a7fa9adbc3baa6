"""Writes JSON in the form of SQuAD v1.1 (Rajpurkar et al. 2016).

Each problem is one entry of ``data`` with one paragraph and one question; ``XXX`` marks the blank. The form has no fields for
the choices and the level. There is an answer for each mention of the person by full name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.reading import BLANK
from wdw_build.records import Problem, SplitAssignment


class SquadExporter(SplitFileExporter):
    """Writes squad/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "squad 1"
    files = SplitFiles.flat("squad/", ".json", head=b'{"version":"1.1","data":[\n', foot=b"\n]}\n", between=b",\n")

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem."""
        question = problem.question
        asked = {
            "id": problem.id,
            "question": question.left + BLANK + question.right,
            "answers": list(_answers(problem)),
        }
        paragraph = {"context": problem.passage.text, "qas": [asked]}
        return msgspec.json.encode({"title": problem.passage.title, "paragraphs": [paragraph]})


def _answers(problem: Problem) -> Iterator[dict[str, Any]]:
    """The answer at each mention that holds the full name, with any white space between its words."""
    choice, text = problem.choices[problem.answer], problem.passage.text
    name = re.compile(r"\s+".join(map(re.escape, choice.name.split())))
    for mention in choice.mentions:
        if match := name.search(text, mention.start, mention.end):
            yield {"text": match[0], "answer_start": match.start()}
