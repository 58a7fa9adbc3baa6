"""The dataset as SQuAD v1.1 JSON (Rajpurkar et al. 2016): the answer is a span of the passage, marked at every full mention.

One entry of ``data`` a problem, with one paragraph and one question, whose blank is ``XXX``. The choices and the level
have no place in that format and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from wdw_build.adapters.exports.jsonl import BLANK
from wdw_build.adapters.exports.split_files import SplitFiles
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


class _Answer(msgspec.Struct, frozen=True):
    text: str
    answer_start: int


class _Asked(msgspec.Struct, frozen=True):
    id: str
    question: str
    answers: tuple[_Answer, ...]


class _Paragraph(msgspec.Struct, frozen=True):
    context: str
    qas: tuple[_Asked, ...]


class _Entry(msgspec.Struct, frozen=True):
    title: str
    paragraphs: tuple[_Paragraph, ...]


class SquadExporter:
    """Writes squad/{train,train.relaxed,validation,test}.json; a split without problems has empty ``data``."""

    @property
    def identity(self) -> str:
        """Format and version."""
        return "squad 1"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files as the problems come; returns the ids in each file.

        Raises ``ValueError`` for a place that no file is for, such as a relaxed problem in the test set.
        """
        return _FILES.write(folder, ((placed, msgspec.json.encode(_entry(problem))) for problem, placed in problems))


def _entry(problem: Problem) -> _Entry:
    question = problem.question
    asked = _Asked(problem.id, question.left + BLANK + question.right, tuple(_answers(problem)))
    return _Entry(problem.passage.title, (_Paragraph(problem.passage.text, (asked,)),))


def _answers(problem: Problem) -> Iterator[_Answer]:
    """The answer's full name at each mention that has it; the words may be apart by any white space."""
    choice, text = problem.choices[problem.answer], problem.passage.text
    name = re.compile(r"\s+".join(map(re.escape, choice.name.split())))
    for mention in choice.mentions:
        if found := name.search(text, mention.start, mention.end):
            yield _Answer(found[0], found.start())
